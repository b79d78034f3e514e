#if os(Linux)
import PiuPiuEngine

// Whether an exchange is sent again after its connection or its server gave it up.
extension SocketExchange {
    /// Whether the exchange may be sent again: the server has not processed it (RFC 9113 §8.7), or (RFC 9110 §9.2.2) nothing of
    /// an answer came before the end of a connection that had others before it, or beside it.
    func mayRepeat(_ failure: HTTPFailure, hasBegun: Bool, isOthers: Bool) -> Bool {
        switch failure {
        // A server that asks for calm does not get the same again at once.
        case .unprocessed(.goAway(.enhanceYourCalm, _)), .violation(.enhanceYourCalm): false
        case .unprocessed: true
        // Without TLS, nothing but HTTP/2 was said to be spoken.
        case .requiresHTTP1: request.target.isSecure && mayShare
        case .lost, .violation: isOthers && !hasBegun && !wasLost && request.isIdempotent
        case .truncated, .malformed, .content, .reset: false
        }
    }

    /// Returns how an exchange that may be repeated is sent again, and counts it; `nil` if that is for a policy to decide.
    func plan(after failure: HTTPFailure) -> Restarts.Plan? {
        let plan: Restarts.Plan
        if case .unprocessed(let refusal) = failure {
            guard let next = request.request.restart(after: Restarts.Cause(refusal)) else { return nil }
            plan = next
        } else {
            if !failure.meansUnprocessed { wasLost = true }
            plan = Restarts.Plan()
        }
        // An error that says why it was refused is better than the end of its time in the pause.
        return plan.pause > 0 && timeline.isOver(now: now + plan.pause) ? nil : plan
    }
}

extension HTTPFailure {
    /// Whether the server has not processed the request, or wants it in another way.
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
