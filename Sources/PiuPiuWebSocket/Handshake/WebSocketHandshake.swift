/// The request that opens a WebSocket, and the check of its response (RFC 6455 §4.1, RFC 8441 §5); a pure value.
struct WebSocketHandshake {
    /// What the server agreed to.
    struct Agreement: Equatable {
        var subprotocol: String?
        var compression: PerMessageDeflate?
        var isHTTP2 = false
    }

    private let subprotocols: [String]
    private let offer: PerMessageDeflate?

    /// - Parameter options: The settings.
    init(_ options: WebSocketOptions) {
        subprotocols = options.subprotocols
        offer = PerMessageDeflate(offeredBy: options.compression)
    }

    /// The fields that only the handshake sets.
    private static let reserved = [
        "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Accept", "Sec-WebSocket-Extensions",
        "Sec-WebSocket-Protocol",
    ]

    /// Returns the request to send for the program's request.
    ///
    /// - Parameter request: A request without a body, for a URL with the scheme `ws`, `wss`, `http` or `https`.
    /// - Returns: The request, with `http` or `https`.
    /// - Throws: ``WebSocketError`` with the code `invalidArgument`.
    func request(for request: URLRequest) throws -> URLRequest {
        // Foundation on Linux traps if a request without a URL is changed; the dispatcher refuses to send it.
        guard let url = request.url else { return request }
        guard request.httpMethod ?? "GET" == "GET", request.httpBody == nil, request.httpBodyStream == nil else {
            throw Self.refusal("The handshake is a GET without a body (RFC 6455 §4.1)", request)
        }
        guard url.fragment == nil else {
            throw Self.refusal("The URL of a WebSocket has no fragment (RFC 6455 §3)", request)
        }
        if let name = Self.reserved.first(where: { request.value(forHTTPHeaderField: $0) != nil }) {
            let hint = name.hasSuffix("Protocol") ? "WebSocketOptions.subprotocols" : "the handshake"
            throw Self.refusal("\(name) is set by \(hint)", request)
        }
        for (index, name) in subprotocols.enumerated() {
            guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenCharacter) else {
                throw Self.refusal("A subprotocol is not a token (RFC 6455 §4.1)", request)
            }
            guard !subprotocols[..<index].contains(name) else {
                throw Self.refusal("A subprotocol is offered twice (RFC 6455 §4.1)", request)
            }
        }
        var sent = request
        sent.httpMethod = "GET"
        let text = url.absoluteString
        let scheme = text.prefix { $0 != ":" }.lowercased()
        if let name = ["ws": "http", "wss": "https"][scheme] {
            sent.url = URL(string: name + text.dropFirst(scheme.count)) ?? url
        }
        sent.setValue("13", forHTTPHeaderField: "Sec-WebSocket-Version")
        if !subprotocols.isEmpty {
            sent.setValue(subprotocols.joined(separator: ", "), forHTTPHeaderField: "Sec-WebSocket-Protocol")
        }
        if let offer {
            sent.setValue(PerMessageDeflate.offer(for: offer), forHTTPHeaderField: "Sec-WebSocket-Extensions")
        }
        return sent
    }

    private static func refusal(_ reason: String, _ request: URLRequest) -> WebSocketError {
        var error = WebSocketError(.invalidArgument, reason: reason)
        error.request = Redaction.standard.request(request)
        return error
    }

    /// Checks a response by which the server agreed.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - key: The key that was sent; `nil` over HTTP/2, which has none.
    /// - Returns: What the server agreed to.
    /// - Throws: ``Refusal``.
    func agreement(_ head: RawHead, key: WebSocketKey?) throws(Refusal) -> Agreement {
        var agreement = Agreement(isHTTP2: key == nil)
        if let key {
            guard Self.isOnly("websocket", head.values(of: "Upgrade")) else {
                throw Refusal("Its Upgrade is not websocket")
            }
            let options = Self.list(head.values(of: "Connection"))
            guard options.contains(where: { $0.lowercased() == "upgrade" }) else {
                throw Refusal("Its Connection does not contain Upgrade")
            }
            guard head.values(of: "Sec-WebSocket-Accept").map(Self.trimmed) == [key.accept] else {
                throw Refusal("Its Sec-WebSocket-Accept does not belong to the request")
            }
        }
        let extensions = head.values(of: "Sec-WebSocket-Extensions").filter { !Self.trimmed($0).isEmpty }
        if !extensions.isEmpty {
            guard let offer else { throw Refusal("It names an extension that was not offered") }
            do throws(WebSocketViolation) {
                let text = extensions.joined(separator: ", ")
                agreement.compression = try PerMessageDeflate(acceptedFrom: text, offered: offer)
            } catch {
                throw Refusal(error.text)
            }
        }
        let chosen = head.values(of: "Sec-WebSocket-Protocol").map(Self.trimmed)
        if let name = chosen.first {
            guard chosen.count == 1, subprotocols.contains(name) else {
                throw Refusal("It names a subprotocol that was not offered")
            }
            agreement.subprotocol = name
        }
        return agreement
    }

    /// Why a response is not acceptable.
    struct Refusal: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }

    private static func isOnly(_ word: String, _ values: [String]) -> Bool {
        values.count == 1 && trimmed(values[0]).lowercased() == word
    }

    private static func list(_ values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",") }.map { trimmed(String($0)) }
    }

    private static func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
    }
}

extension PerMessageDeflate {
    /// The offer of a setting; `nil` if none is made.
    init?(offeredBy compression: WebSocketOptions.Compression) {
        guard compression.kind == .deflate, Self.isAvailable else { return nil }
        self.init(
            serverNoContextTakeover: !compression.keepsContext,
            clientNoContextTakeover: !compression.keepsContext
        )
    }
}
