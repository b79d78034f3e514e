import PiuPiuAsync

/// What to tell the user of an error: its exit code, what happened, and what to do.
struct FetchError: Error, Equatable {
    let code: ExitCode
    let text: String
    var advice: String?

    init(_ code: ExitCode, _ text: String, advice: String? = nil) {
        self.code = code
        self.text = text
        self.advice = advice
    }

    /// Finds the words for any error.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - inputs: The paths of files that are sent; all others are written.
    init(_ error: any Error, sending inputs: Set<String> = []) {
        switch error {
        case let failure as FetchError: self = failure
        case is CancellationError: self.init(.cancelled, "Cancelled.")
        case let mistake as Arguments.Mistake: self.init(mistake.code, mistake.description)
        case let error as TransportError: self.init(error)
        case let error as TransferError: self.init(error, inputs)
        case let error as WebSocketError: self.init(error)
        default: self.init(.other, "\(error)")
        }
    }

    private init(_ error: TransportError) {
        let code = Self.code(of: error)
        let location = error.request?.url.map { ": \($0.shown)" } ?? ""
        // The reason, or the description of a limit, names a property of PiuPiu's.
        let text =
            if error.code == .tooManyRedirects {
                "There were too many redirects\(location)"
            } else if error.limit != nil {
                error.reason + location
            } else {
                "\(error)"
            }
        // What is a property for programs is an option here.
        let suggestion = error.tlsFailure?.recoverySuggestion
            .replacing("TransportConfiguration.certificateAuthorityFile", with: "--cacert")
        self.init(code, text, advice: suggestion ?? Self.advice(code, error))
    }

    private init(_ error: WebSocketError) {
        let location = error.request?.url.map { ": \($0.shown)" } ?? ""
        switch error.code {
        case .handshakeRejected:
            let status = error.response.map { Summary.status($0.statusCode) } ?? "a failure"
            self.init(.status, "The server opened no WebSocket, but answered \(status)\(location)")
        case .closed:
            let code = error.closure.map { " with \($0.code)" } ?? ""
            let reason = error.closure.flatMap { $0.reason.isEmpty ? nil : ": \(SafeText.line($0.reason))" } ?? ""
            self.init(.connectionLost, "The server closed the WebSocket\(code)\(reason)")
        case .pingTimeout: self.init(.timeout, "\(error)", advice: "Give it more time with --ping.")
        case .messageTooLarge: self.init(.tooLarge, "\(error)")
        case .connectionLost: self.init(.connectionLost, "\(error)")
        case .invalidHandshake, .protocolViolation: self.init(.malformed, "\(error)")
        case .invalidArgument: self.init(.usage, "\(error)")
        case .unsupported: self.init(.notSupported, "\(error)", advice: "Do without --http3.")
        default: self.init(.other, "\(error)")
        }
    }

    private init(_ error: TransferError, _ inputs: Set<String>) {
        switch error.code {
        case _ where error.file.map { inputs.contains($0.path) } ?? false:
            self.init(.notRead, "\(error)", advice: "Check the name of the file, and whether you may read it.")
        case .unacceptableStatus:
            let status = error.response.map { Summary.status($0.statusCode) } ?? "a failure"
            self.init(.status, "The server answered \(status)\(error.response.map { ": \($0.url.shown)" } ?? "")")
        case .noSpace:
            self.init(.notWritten, "\(error)", advice: "Make room on the disk, or choose another one with -o.")
        case .permissionDenied, .notARegularFile, .fileNotFound, .fileFailed:
            self.init(.notWritten, "\(error)", advice: "Choose another file with -o.")
        case .fileInUse: self.init(.notWritten, "\(error)", advice: "Wait until it has ended.")
        case .fileChanged, .invalidPart, .lengthMismatch: self.init(.notRead, "\(error)")
        case .bodyNotRepeatable:
            self.init(.notRead, "\(error)", advice: "Send a file instead of standard input.")
        case .sizeMismatch: self.init(.partial, "\(error)")
        case .bodyTooLarge: self.init(.tooLarge, "\(error)")
        default: self.init(.other, "\(error)")
        }
    }

    private static func code(of error: TransportError) -> ExitCode {
        switch error.code {
        case .unsupportedScheme, .unsafeRedirect: .unsupportedProtocol
        case .invalidRequest: .usage
        case .invalidURL, .invalidRedirect: .badURL
        case .unsupported, .libraryUnavailable: .notSupported
        case .cannotResolveHost: .notResolved
        case .cannotConnect, .forbiddenAddress: .notConnected
        case .proxy: code(ofProxy: error)
        case .malformedHead: .malformed
        case .truncatedBody: .partial
        case .tooManyRedirects, .redirectLoop: .tooManyRedirects
        case .tls: code(ofTLS: error.tlsFailure?.kind)
        case .connectionLost: wasReset(error) ? .connectionLost : .noAnswer
        case .decompressionLimit: .decompression
        // What breaks the rules of framing has the words of the parser; what was compressed wrongly has none.
        case .malformedBody: error.underlyingDescription == nil ? .decompression : .connectionLost
        case .headTooLarge: .connectionLost
        case .bodyTooLarge: .tooLarge
        case .http2: .http2
        default: error.code.timeoutPhase == nil ? .other : .timeout
        }
    }

    /// Whether the other end broke the connection off, rather than closing it in order.
    private static func wasReset(_ error: TransportError) -> Bool {
        error.underlyingDescription?.lowercased().contains("reset") ?? false
    }

    private static func code(ofProxy error: TransportError) -> ExitCode {
        guard let failure = error.proxyFailure else { return .proxy }
        // curl calls a tunnel that is refused a failure to receive.
        if failure.statusCode != nil { return .connectionLost }
        let words = (error.reason + " " + (error.underlyingDescription ?? "")).lowercased()
        if words.contains("resolve") { return .proxyNotResolved }
        if words.contains("failed to connect") || words.contains("couldn't connect") { return .notConnected }
        return [.http, .https].contains(failure.kind) ? .connectionLost : .proxy
    }

    private static func code(ofTLS kind: TLSFailure.Kind?) -> ExitCode {
        switch kind {
        case .expired?, .notYetValid?, .wrongHost?, .unknownAuthority?, .selfSigned?, .invalidChain?, .wrongPurpose?,
            .revoked?, .revocationUnknown?, .weak?:
            .certificate
        case .statusMissing?, .statusRevoked?: .certificateStatus
        case .pinMismatch?: .pin
        case .clientIdentityUnusable?: .clientCertificate
        case .authoritiesUnusable?: .authorities
        default: .tls
        }
    }

    private static func advice(_ code: ExitCode, _ error: TransportError) -> String? {
        switch code {
        case .notResolved: "Check the host's name, and the network."
        case .notConnected: "Check the port, and whether the server runs."
        case .partial: "Run it again with --resume, which keeps what has arrived."
        case .timeout where error.code == .timeout(.total): "Give it more time with --max-time."
        case .timeout where error.code == .timeout(.connect): "Give it more time with --connect-timeout."
        case .timeout, .noAnswer: "Try again with --retry 3."
        case .connectionLost where error.code == .connectionLost: "Try again with --retry 3."
        case .tooManyRedirects where error.code == .tooManyRedirects: "Follow more with --max-redirs."
        case .proxyNotResolved: "Check the name in --proxy, or in the environment variables of proxies."
        case .http2: "Try --http1.1."
        case .notSupported: "Run Fetch --version to see what is supported."
        default: nil
        }
    }
}
