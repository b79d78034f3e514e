extension TransportError {
    /// A limit that was reached, and its setting.
    ///
    /// ```swift
    /// do {
    ///     let response = try await dispatcher.data(for: request)
    ///     print(response)
    /// } catch let error as TransportError {
    ///     print(error.limit?.setting ?? "no limit was reached")
    /// }
    /// ```
    public struct Limit: Sendable, Hashable {
        /// The setting as it is written in code, such as `configuration.timeouts.total`.
        public let setting: String
        /// The limit, if it is a time; otherwise `nil`.
        public let duration: Duration?
        /// The limit, if it is a number of bytes; otherwise `nil`.
        public let byteCount: Int64?

        /// The setting of ``RequestOptions/deadline``.
        package static let sharedDeadline = "options.deadline"

        package init(_ setting: String, duration: Duration? = nil, byteCount: Int64? = nil) {
            self.setting = setting
            self.duration = duration
            self.byteCount = byteCount
        }
    }
}

extension TransportError.Limit: CustomStringConvertible {
    /// The setting and its value, such as `configuration.timeouts.total is 5 seconds`.
    public var description: String {
        if let duration { return "\(setting) is \(ErrorText.text(duration))" }
        if let byteCount { return "\(setting) is \(ErrorText.bytes(byteCount))" }
        return "the limit is \(setting)"
    }
}
