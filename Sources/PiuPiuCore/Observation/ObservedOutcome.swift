/// How a call or an exchange ended.
public enum ObservedOutcome: Sendable {
    /// With a complete response, whatever its status code.
    case response(StatusCode)
    /// With an error.
    ///
    /// The descriptions of PiuPiu's own errors contain no secrets. Those of other errors may, so a description of the outcome
    /// shows only their type.
    case failure(any Error)
    /// Without a result: the task was cancelled, the dispatcher was invalidated, or a streamed body was abandoned before its
    /// end.
    case cancelled

    /// Creates the outcome for an error.
    package init(_ error: any Error) {
        self = error is CancellationError ? .cancelled : .failure(error)
    }
}

extension ObservedOutcome: Redacted {
    /// The status code or the failure; only the type of an error that may contain anything.
    package var shown: KeyValuePairs<String, Any> {
        switch self {
        case .response(let statusCode): ["response": statusCode.rawValue]
        case .failure(let error as TransportError): ["failure": error]
        case .failure, .cancelled: ["failure": failureName ?? ""]
        }
    }
}

extension ObservedOutcome {
    /// A short name of the failure for metrics and logs; `nil` for a response.
    ///
    /// It is the name of a ``TransportError``'s code, such as `timeout(idle)`; `cancelled`; or the type of any other error.
    /// There are few of them, as the attribute `error.type` of OpenTelemetry's conventions requires.
    public var failureName: String? {
        switch self {
        case .response: nil
        case .cancelled: "cancelled"
        case .failure(let error as TransportError): "\(error.code)"
        case .failure(let error): "\(type(of: error))"
        }
    }
}
