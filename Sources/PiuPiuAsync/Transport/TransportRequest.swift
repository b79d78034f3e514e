/// A request on its way through the interceptors to the transport.
public struct TransportRequest: Sendable {
    /// The method, URL, header fields and body.
    public var urlRequest: URLRequest
    /// The limits that apply to this request.
    public var options: RequestOptions
    /// When the whole call has to be over, counted over all attempts and redirects; `nil` for no limit.
    public var deadline: ContinuousClock.Instant?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - urlRequest: The method, URL, header fields and body.
    ///   - options: The limits that apply.
    ///   - deadline: When the whole call has to be over.
    public init(
        _ urlRequest: URLRequest,
        options: RequestOptions = RequestOptions(),
        deadline: ContinuousClock.Instant? = nil
    ) {
        self.urlRequest = urlRequest
        self.options = options
        self.deadline = deadline
    }
}
