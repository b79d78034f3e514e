public import HTTPTypes
public import PiuPiuAsync

extension RequestBody {
    /// Returns the same body, followed by fields that are computed after it was read (RFC 9110 §6.5).
    ///
    /// ```swift
    /// let upload = RequestBody.file(fileURL).withTrailerFields([.eTag]) {
    ///     [.eTag: "\"33a6\""]
    /// }
    /// ```
    ///
    /// It works as `withTrailers(_:_:)` of `RequestBody` does, and has the same limits. A value that is not UTF-8 ends the
    /// upload with a `TransportError` with the code `invalidRequest`.
    ///
    /// - Parameters:
    ///   - names: The names of all fields that may follow.
    ///   - compute: Returns the fields; those that are announced may be missing.
    /// - Returns: The body; other trailers of the body are replaced.
    public func withTrailerFields(
        _ names: [HTTPField.Name],
        _ compute: @escaping @Sendable () async throws -> HTTPFields
    ) -> RequestBody {
        withTrailers(names.map { HTTPHeaderName($0.rawName) }) {
            let fields = try await compute()
            guard fields.allSatisfy({ $0.utf8Value != nil }) else {
                throw TransportError(.invalidRequest, reason: "The value of a trailer is not UTF-8, and cannot be sent")
            }
            return HTTPHeaderFields(fields)
        }
    }
}

extension ResponseBody {
    /// The fields that followed the body (RFC 9110 §6.5), in the order they arrived.
    ///
    /// `nil` until the body was read to its end, and if it was abandoned or failed before; empty if there were none.
    /// See `trailers` of `ResponseBody`.
    ///
    /// - Throws: `TransportError` with the code `headTooLarge` if there are more fields than `HTTPFields` can hold, and
    ///   `malformedHead` if the name of a field is not a token.
    public var trailerFields: HTTPFields? {
        get throws(TransportError) {
            guard let trailers else { return nil }
            return try HTTPFields(trailers)
        }
    }
}
