import PiuPiuAsync

/// Shows each request and the head of each response, as `--verbose` asks for.
struct Talk: Interceptor {
    let screen: Screen
    let showsSecrets: Bool
    let userAgent: String?

    /// Each redirect is shown, and what adapters add.
    var interceptsEachHop: Bool { true }

    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        screen.note(Self.lines(of: request, showsSecrets, userAgent), isImportant: true)
        let response = try await next(request)
        screen.note(Self.lines(of: response.head, showsSecrets), isImportant: true)
        return response
    }

    /// The lines of a request.
    static func lines(of request: TransportRequest, _ showsSecrets: Bool, _ userAgent: String?) -> String {
        let url = request.urlRequest.url
        let path = url?.path(percentEncoded: true) ?? ""
        var lines = [
            "\(request.urlRequest.httpMethod ?? "GET") \(path.isEmpty ? "/" : path)\(query(of: url, showsSecrets))"
        ]
        var fields = HTTPHeaderFields()
        let names = (request.urlRequest.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        if !names.contains(where: { $0.key.lowercased() == "host" }), let url, let host = url.host() {
            fields.append(name: "Host", value: host + (url.port.map { ":\($0)" } ?? ""))
        }
        for (name, value) in names { fields.append(name: name, value: value) }
        if !fields.contains("User-Agent"), let userAgent { fields.append(name: "User-Agent", value: userAgent) }
        lines += fields.map { text(of: $0, showsSecrets) }
        if let body = request.body { lines.append("(\(body))") }
        return lines.map { "> " + SafeText.line($0) }.joined(separator: "\n")
    }

    /// The lines of a response's head.
    static func lines(of head: ResponseHead, _ showsSecrets: Bool) -> String {
        let first = "\(head.httpVersion) \(Summary.status(head.statusCode))"
        return ([first] + head.headers.map { text(of: $0, showsSecrets) })
            .map { "< " + SafeText.line($0) }.joined(separator: "\n")
    }

    /// A sentence about a connection.
    static func text(of connection: ObservedConnection) -> String {
        let address = connection.remoteAddress.map { " to \($0)" } ?? ""
        let proxy = connection.proxy.map { " through \($0)" } ?? ""
        let version = connection.httpVersion.map { " (\($0))" } ?? ""
        return (connection.isReused ? "Using the open connection" : "Connected") + address + proxy + version
    }

    private static func text(of field: HTTPHeaderField, _ showsSecrets: Bool) -> String {
        // The description hides secrets.
        showsSecrets ? "\(field.name): \(field.value)" : field.description
    }

    /// A query often has tokens in it.
    private static func query(of url: URL?, _ showsSecrets: Bool) -> String {
        guard let query = url?.query(percentEncoded: true) else { return "" }
        return showsSecrets ? "?\(query)" : "?<redacted>"
    }
}
