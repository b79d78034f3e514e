#if os(Linux)
import PiuPiuEngine

// The outcome for the caller.
extension SocketExchange {
    /// The outcome of a response that has arrived completely.
    var outcome: ExchangeOutcome {
        if isBodyUnwanted { return responseOutcome }
        // The end of a connection doesn't prove that the content coding is complete.
        guard decoding.isComplete else { return .failure(completed(ContentDecodingError.truncated.failure)) }
        return responseOutcome
    }

    /// Returns a failure with everything known about the exchange.
    func failure(_ code: TransportError.Code, description: String? = nil) -> ExchangeFailure {
        completed(ExchangeFailure(code, underlyingDescription: description))
    }

    /// Adds everything known about the exchange to a failure.
    func completed(_ plain: ExchangeFailure) -> ExchangeFailure {
        var failure = plain
        if failure.code.meansNothingWasSent, timeline.hasStarted {
            // Once a byte may have been sent, no later failure is safe to retry.
            failure = ExchangeFailure(.connectionLost, underlyingDescription: plain.underlyingDescription)
        }
        if let head, head.isFinal { failure.head = .raw(RawHead(bytes: head.bytes)) }
        failure.bytesReceived = bytesReceived
        failure.isSafeToRetry = failure.code.meansNothingWasSent
        return failure
    }

    /// Returns the failure of a time limit that was reached.
    func timeoutFailure(_ phase: TimeoutPhase) -> ExchangeFailure {
        // The other phases' names already say what is missing.
        failure(.timeout(phase), description: [.connect, .idle, .total].contains(phase) ? present : nil)
    }

    /// The current activity, as the text of an error describes it.
    private var present: String? {
        switch state {
        case .preparing(.name): return "the name was being looked up"
        case .preparing: return "the certificates were being read"
        case .opening(let opener):
            switch opener.step {
            case .address: return "the connection was being opened"
            case .proxyTLS: return "the TLS handshake with the proxy was not complete"
            case .tunnel: return "the proxy had not opened the tunnel"
            case .tls: return "the TLS handshake was not complete"
            }
        case .waiting where admission == .gate || admission == .stream: return "no connection was free"
        case .pausing: return "the server had refused the request, which was to be sent again"
        case .waiting, .finished: return nil
        case .busy: break
        }
        if timeline.phase == .sending { return "the request was being sent, \(ErrorText.bytes(bytesSent)) so far" }
        guard head?.isFinal == true else { return "the response had not begun" }
        return "the body was arriving, \(ErrorText.bytes(bytesReceived)) so far"
    }

    /// Returns the failure of a connection that could not be opened.
    func openingFailure(_ failure: ConnectionOpener.Failure) -> ExchangeFailure {
        switch failure {
        case .socket(let failure): socketFailure(failure)
        case .proxyTLS(let failure): proxyHandshakeFailure(failure)
        case .tunnel(let failure): tunnelFailure(failure)
        case .tunnelBroken(let failure): brokenTunnelFailure(failure)
        case .tls(let failure): handshakeFailure(failure)
        }
    }

    private func handshakeFailure(_ failure: ChannelFailure) -> ExchangeFailure {
        switch failure {
        case .tls(let report): return tlsFailure(report)
        case .system(let number):
            return refused(TLSFailure(failure, host: host), OpenFailure(code: number, what: "the handshake").text)
        case .cutOff:
            return refused(TLSFailure(failure, host: host), "the server closed the connection in the handshake")
        }
    }

    /// Returns the failure of a handshake, or of settings that could not be loaded for it.
    func tlsFailure(_ report: TLSReport) -> ExchangeFailure {
        refused(TLSFailure(report, host: host), report.text)
    }

    private func refused(_ reason: TLSFailure, _ text: String) -> ExchangeFailure {
        var result = failure(.tls, description: text.isEmpty ? nil : text)
        if result.code == .tls { result.tell(of: reason) }
        return result
    }

    /// Returns the failure of an exchange on its connection.
    func connectionFailure(_ failure: HTTPFailure) -> ExchangeFailure {
        switch failure {
        case .lost(let reason): return lost(.connectionLost, reason)
        case .truncated(let reason): return lost(.truncatedBody, reason)
        case .malformed(let reason):
            let description = reason == .malformedBody ? "malformed chunk or trailer" : nil
            var result = self.failure(Self.code(of: reason), description: description)
            if reason == .switchedProtocols {
                result.reason = "The server switched protocols (101), although the request did not ask for it"
            }
            return result
        case .content:
            var result = self.failure(.connectionLost)
            result.cause = content.error
            return result
        case .unprocessed(.notSent):
            return unprocessed(.connectionLost, "the connection ended before the request was sent")
        case .unprocessed(.stream): return unprocessed(.http2, "the server refused the request: REFUSED_STREAM")
        case .unprocessed(.goAway(let code, _)):
            return unprocessed(.http2, "the server refused the request: GOAWAY, \(code.text)")
        case .requiresHTTP1: return unprocessed(.http2, "the server refused the request: HTTP_1_1_REQUIRED")
        case .reset(let code): return self.failure(.http2, description: "the stream was reset: \(code.text)")
        case .violation(let code): return self.failure(.http2, description: "the connection is lost: \(code.text)")
        }
    }

    private func unprocessed(_ code: TransportError.Code, _ description: String) -> ExchangeFailure {
        var result = failure(code, description: description)
        // An earlier attempt may have been sent on a connection that was lost.
        result.isSafeToRetry = !wasLost
        return result
    }

    private func lost(_ code: TransportError.Code, _ reason: ChannelFailure?) -> ExchangeFailure {
        switch reason {
        case nil: return failure(code, description: "the server closed the connection")
        case .system(let number):
            return failure(code, description: OpenFailure(code: number, what: "the connection broke").text)
        case .cutOff: return failure(code, description: "the server ended TLS without close_notify")
        case .tls(let report):
            // With TLS 1.3, a refusal of our certificate comes after our side of the handshake (RFC 8446 §4.4.2.4).
            guard report.isAboutOurCertificate, head == nil else { return failure(code, description: report.text) }
            var result = failure(.tls, description: report.text)
            var reason = TLSFailure(report, host: host)
            // Only the proxy can have asked for a certificate here.
            if !request.target.isSecure { (reason.isProxy, reason.host) = (true, nil) }
            result.tell(of: reason)
            return result
        }
    }

    private static func code(of failure: ResponseParser.Failure) -> TransportError.Code {
        switch failure {
        case .malformedHead, .switchedProtocols: .malformedHead
        case .headTooLarge: .headTooLarge
        case .malformedBody: .malformedBody
        }
    }

    private var host: String { request.target.certifiedHost }
}
#endif
