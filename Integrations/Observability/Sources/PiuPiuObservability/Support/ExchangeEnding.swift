import PiuPiuAsync

/// How an exchange ended, by OpenTelemetry's conventions for clients.
enum ExchangeEnding: Equatable {
    /// With a response below 400.
    case success
    /// With a response of 400 or more.
    case errorStatus(Int)
    /// With an error, whose name this is.
    case failure(String)
    /// Because nobody wanted it any more.
    case cancelled(String)

    init(_ summary: ExchangeSummary) {
        let statusCode = summary.statusCode?.rawValue ?? 0
        switch summary.outcome {
        case .failure: self = .failure(summary.outcome.failureName ?? HTTPConventions.other)
        case .cancelled where statusCode < 300:
            self = .cancelled(summary.outcome.failureName ?? HTTPConventions.other)
        // PiuPiu itself abandons the bodies of responses that it follows or does not pass on.
        case .response, .cancelled: self = statusCode >= 400 ? .errorStatus(statusCode) : .success
        }
    }

    /// The value of `error.type`; `nil` for a success.
    var errorType: String? {
        switch self {
        case .success: nil
        case .errorStatus(let statusCode): "\(statusCode)"
        case .failure(let name), .cancelled(let name): name
        }
    }
}

extension ExchangeSummary {
    /// The error as a sentence; `nil` if there is none, or if it is not PiuPiu's own.
    ///
    /// The descriptions of other errors may contain secrets: Foundation's have the whole URL.
    var errorMessage: String? {
        guard case .failure(let error) = outcome else { return nil }
        return (error as? TransportError)?.description
    }
}
