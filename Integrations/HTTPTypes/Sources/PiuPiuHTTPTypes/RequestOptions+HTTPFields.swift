public import HTTPTypes
public import PiuPiuAsync

extension RequestOptions {
    /// Returns the same options with more names in `sensitiveHeaders`: those of fields that are not to be indexed.
    ///
    /// A field whose `indexingStrategy` is `.disallow` or `.avoid` is a secret (RFC 7541 §7.1.3): errors and descriptions do
    /// not show its value, and redirects do not take it to another origin. All fields of its name are treated alike, in
    /// the response too. Standard secrets such as `Authorization` need no strategy.
    ///
    /// - Parameter fields: The header fields of a request.
    /// - Returns: The options.
    public func hiding(_ fields: HTTPFields) -> RequestOptions {
        let names = fields.filter { $0.indexingStrategy == .disallow || $0.indexingStrategy == .avoid }.map(\.name)
        guard !names.isEmpty else { return self }
        var copy = self
        copy.sensitiveHeaders += Set(names).map(\.rawName).sorted()
        return copy
    }
}
