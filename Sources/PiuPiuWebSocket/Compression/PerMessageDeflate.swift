/// The parameters of the extension `permessage-deflate`, offered or agreed (RFC 7692 §7.1).
package struct PerMessageDeflate: Sendable, Hashable {
    /// Whether the library for it is available on this system.
    package static var isAvailable: Bool { RawInflater.isAvailable }

    /// Whether the server's messages do not refer to those before (§7.1.1.1).
    package var serverNoContextTakeover: Bool
    /// Whether the client's messages do not refer to those before (§7.1.1.2).
    package var clientNoContextTakeover: Bool
    /// The logarithm of the server's window, from 8 to 15 (§7.1.2.1).
    package var serverMaxWindowBits: Int
    /// The logarithm of the client's window, from 8 to 15 (§7.1.2.2); `nil` in an offer does not let the server choose it.
    package var clientMaxWindowBits: Int?

    /// Creates parameters; those of the defaults offer all that the client can do, and ask for nothing.
    package init(
        serverNoContextTakeover: Bool = false,
        clientNoContextTakeover: Bool = false,
        serverMaxWindowBits: Int = 15,
        clientMaxWindowBits: Int? = 15
    ) {
        self.serverNoContextTakeover = serverNoContextTakeover
        self.clientNoContextTakeover = clientNoContextTakeover
        self.serverMaxWindowBits = max(8, min(serverMaxWindowBits, 15))
        self.clientMaxWindowBits = clientMaxWindowBits.map { max(8, min($0, 15)) }
    }

    /// Returns the value of `Sec-WebSocket-Extensions` that offers the extension.
    package static func offer(for settings: PerMessageDeflate) -> String {
        var offer = "permessage-deflate"
        if settings.serverNoContextTakeover { offer += "; server_no_context_takeover" }
        if settings.clientNoContextTakeover { offer += "; client_no_context_takeover" }
        if settings.serverMaxWindowBits < 15 { offer += "; server_max_window_bits=\(settings.serverMaxWindowBits)" }
        if let bits = settings.clientMaxWindowBits {
            offer += bits < 15 ? "; client_max_window_bits=\(bits)" : "; client_max_window_bits"
        }
        return offer
    }

    /// Reads the parameters that a server agreed to (§5.1, §7.1).
    ///
    /// - Parameters:
    ///   - header: The value of `Sec-WebSocket-Extensions` in the server's response; several lines are joined with commas.
    ///   - offered: What the client offered.
    /// - Throws: A violation, if the answer has anything that does not answer the offer.
    package init(acceptedFrom header: String, offered: PerMessageDeflate) throws(WebSocketViolation) {
        let extensions = try ExtensionParser.parse(header)
        guard let accepted = extensions.first else {
            throw .protocolError("The server answered an empty list of extensions.")
        }
        guard extensions.count == 1 else { throw .protocolError("The server answered more than one extension.") }
        guard accepted.name == "permessage-deflate" else {
            throw .protocolError("The server answered an extension that was not offered.")
        }
        self.init(clientMaxWindowBits: nil)
        var seen: Set<String> = []
        for parameter in accepted.parameters {
            guard seen.insert(parameter.name).inserted else {
                throw .protocolError("The server repeated a parameter of the compression.")
            }
            try accept(parameter, offered: offered)
        }
        // What the client asked for is part of the answer, or the server has to decline the offer (§7.1.1.1, §7.1.2.1).
        guard serverNoContextTakeover || !offered.serverNoContextTakeover else {
            throw .protocolError("The server ignored a demanded parameter of the compression.")
        }
        guard serverMaxWindowBits <= offered.serverMaxWindowBits else {
            throw .protocolError("The server ignored the demanded size of its window.")
        }
        // The client said so itself, and may do so without an answer (§7.1.1.2, §7.1.2.2).
        clientNoContextTakeover = clientNoContextTakeover || offered.clientNoContextTakeover
        clientMaxWindowBits = clientMaxWindowBits ?? offered.clientMaxWindowBits ?? 15
    }

    private mutating func accept(
        _ parameter: ExtensionParser.Parameter,
        offered: PerMessageDeflate
    ) throws(WebSocketViolation) {
        switch parameter.name {
        case "server_no_context_takeover":
            try Self.refuseValue(parameter)
            serverNoContextTakeover = true
        case "client_no_context_takeover":
            try Self.refuseValue(parameter)
            clientNoContextTakeover = true
        case "server_max_window_bits":
            serverMaxWindowBits = try Self.windowBits(parameter)
        case "client_max_window_bits":
            guard let limit = offered.clientMaxWindowBits else {
                throw .protocolError("The server demanded a size of the client's window, which was not offered.")
            }
            let bits = try Self.windowBits(parameter)
            guard bits <= limit else {
                throw .protocolError("The server answered a larger window of the client than was offered.")
            }
            clientMaxWindowBits = bits
        default:
            throw .protocolError("The server answered an unknown parameter of the compression.")
        }
    }

    private static func refuseValue(_ parameter: ExtensionParser.Parameter) throws(WebSocketViolation) {
        guard parameter.value == nil else {
            throw .protocolError("The server answered a parameter of the compression with a value.")
        }
    }

    /// The value, from 8 to 15, without leading zeros.
    private static func windowBits(_ parameter: ExtensionParser.Parameter) throws(WebSocketViolation) -> Int {
        guard let value = parameter.value, let bits = (8...15).first(where: { "\($0)" == value }) else {
            throw .protocolError("The server answered an invalid size of a window.")
        }
        return bits
    }
}

extension PerMessageDeflate {
    /// Creates what decompresses the server's messages.
    package func makeInflater() -> MessageInflater {
        MessageInflater(windowBits: serverMaxWindowBits, keepsContext: !serverNoContextTakeover)
    }

    /// Creates what compresses the client's messages.
    ///
    /// - Parameters:
    ///   - level: zlib's level, from 1 (fastest) to 9 (smallest).
    ///   - memoryLevel: zlib's memory level, from 1 to 9.
    /// - Returns: The deflater; `nil` if messages are sent as they are, because the server demands a window of 256 bytes,
    ///   which zlib does not offer.
    package func makeDeflater(level: Int = 6, memoryLevel: Int = 8) -> MessageDeflater? {
        MessageDeflater(
            windowBits: clientMaxWindowBits ?? 15,
            keepsContext: !clientNoContextTakeover,
            level: level,
            memoryLevel: memoryLevel
        )
    }
}
