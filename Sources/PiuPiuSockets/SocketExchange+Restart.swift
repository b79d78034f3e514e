#if os(Linux)
import PiuPiuEngine

// The decision whether an exchange is sent again after its connection or its server failed.
extension SocketExchange {
    /// Whether the exchange may be sent again.
    ///
    /// It may if the server has not processed it (RFC 9113 §8.7), or if a connection that also served other exchanges, before
    /// or at the same time, ended before any part of the response (RFC 9110 §9.2.2).
    func mayRepeat(_ failure: HTTPFailure, hasBegun: Bool, isOthers: Bool) -> Bool {
        switch failure {
        // A server that asks for calm does not get the same request again at once.
        case .unprocessed(.goAway(.enhanceYourCalm, _)), .violation(.enhanceYourCalm): false
        case .unprocessed: true
        // Without TLS, the connection was configured for HTTP/2 only.
        case .requiresHTTP1: (request.target.isSecure || isTunnelRequest) && mayShare
        case .lost, .violation: isOthers && !hasBegun && !wasLost && request.isIdempotent
        case .truncated, .malformed, .content, .reset: false
        }
    }

    /// Returns how to send an exchange again, and counts the restart; `nil` leaves the decision to a policy.
    func plan(after failure: HTTPFailure) -> Restarts.Plan? {
        let plan: Restarts.Plan
        if case .unprocessed(let refusal) = failure {
            guard let next = request.request.restart(after: Restarts.Cause(refusal)) else { return nil }
            plan = next
        } else {
            if !failure.meansUnprocessed { wasLost = true }
            plan = Restarts.Plan()
        }
        // An error with the server's reason is better than a timeout during the pause.
        return plan.pause > 0 && timeline.isOver(now: now + plan.pause) ? nil : plan
    }
}

extension HTTPFailure {
    /// Whether the server has not processed the request, or wants it with HTTP/1.1.
    var meansUnprocessed: Bool {
        switch self {
        case .unprocessed, .requiresHTTP1: true
        case .lost, .truncated, .malformed, .content, .reset, .violation: false
        }
    }
}

extension Restarts.Cause {
    init(_ refusal: HTTP2Refusal) {
        self =
            switch refusal {
            case .stream: .refused
            case .goAway(_, let tookOthers): tookOthers ? .missed : .turnedAway
            case .notSent: .missed
            }
    }
}
#endif
