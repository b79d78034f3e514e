/// The parts of a request that must be equal for two calls to share an exchange.
struct CoalescingKey: Hashable {
    /// The chain of the dispatcher: a policy used by two dispatchers shares nothing between them.
    private let chain: ObjectIdentifier?
    /// The number of the connections' configuration, which may change the client's identity for a server.
    private let configuration: Int
    private let method: String
    /// The URL with user information, which is a secret, and without the fragment, which is not sent (RFC 9110 §4.2.5).
    private let url: String
    /// The header fields that matter, by their names in lower case.
    private let fields: [String: String]
    private let options: RequestOptions
    private let cachePolicy: URLRequest.CachePolicy
    private let networkServiceType: URLRequest.NetworkServiceType
    private let allowsCellularAccess: Bool
    /// Whether a redirect from another origin led to the request, which may be a reason to refuse it.
    private let isForeignRedirect: Bool
    /// The jars that store the cookies of the response; each belongs to one user.
    private let cookieJars: [ObjectIdentifier]
    /// Whether the call reports its progress, which makes an exchange slightly more expensive.
    private let isReported: Bool
    /// The origin, for ``Coalescing``'s rule about writes.
    let origin: String

    /// Creates the key of a request; `nil` if the request must have an exchange of its own.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - ignored: The names of fields that don't matter, in lower case.
    ///   - chain: The identity of the chain.
    ///   - configuration: The number of the transport's configuration.
    init?(
        _ request: TransportRequest,
        ignoring ignored: Set<String>,
        chain: ObjectIdentifier?,
        configuration: Int = 0
    ) {
        guard request.delivery == .buffered, request.body == nil else { return nil }
        let urlRequest = request.urlRequest
        guard let target = urlRequest.url, urlRequest.httpBody == nil, urlRequest.httpBodyStream == nil else {
            return nil
        }
        method = urlRequest.httpMethod ?? "GET"
        guard method == "GET" || method == "HEAD" else { return nil }
        guard let origin = request.target?.origin else { return nil }
        let text = target.absoluteString
        url = text.utf8.contains(0x23) ? String(text.prefix { $0 != "#" }) : text
        let secrets = request.options.sensitiveHeaders
        var fields: [String: String] = [:]
        for (name, value) in urlRequest.allHTTPHeaderFields ?? [:] {
            let name = name.lowercased()
            if ignored.contains(name), !secrets.contains(where: { $0.isEqualIgnoringASCIICase(to: name) }) { continue }
            // Two fields whose names differ only in case have no stable order.
            guard fields.updateValue(value, forKey: name) == nil else { return nil }
        }
        self.fields = fields
        self.origin = origin
        self.chain = chain
        self.configuration = configuration
        // Each call has its own limit.
        var options = request.options
        if options.deadline != nil { options.deadline = nil }
        if options.timeouts.total != nil { options.timeouts.total = nil }
        self.options = options
        cachePolicy = urlRequest.cachePolicy
        networkServiceType = urlRequest.networkServiceType
        allowsCellularAccess = urlRequest.allowsCellularAccess
        isForeignRedirect = request.isForeignRedirect
        cookieJars = request.cookieJars
        isReported = request.reporter != nil
    }

    /// Hashes the parts that usually differ.
    func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(fields)
    }
}

extension CoalescingKey: Redacted {
    /// The method and the origin, without path, query and header fields.
    package var shown: KeyValuePairs<String, Any> { ["method": method, "origin": origin] }
}
