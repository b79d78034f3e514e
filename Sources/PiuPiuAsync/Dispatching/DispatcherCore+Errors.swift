// The errors that callers get.
extension DispatcherCore {
    /// The error of a call that begins too late.
    func shutDown(_ request: TransportRequest) -> TransportError {
        let wasReleased = lifecycle.withLock { $0.wasReleased }
        let reason = wasReleased ? TransportError.dispatcherReleased.reason : "The dispatcher was shut down"
        return request.error(.shutDown, reason: reason)
    }

    /// How long a call took whose response an error may be about; `nil` for others, which need not look at the clock.
    func elapsed(_ request: TransportRequest, _ response: TransportResponse, _ attempts: [Attempt]?) -> Duration? {
        guard attempts != nil || response.record.values.statusCode >= 400 else { return nil }
        return request.beganAt.map { $0.duration(to: now) }
    }

    /// Ends an observed call with an error, and returns the error that the caller gets.
    @inline(never)
    func ended(_ request: TransportRequest, with error: any Error) -> any Error {
        let error = surfaced(error, of: request)
        request.observedCall?.end(ObservedOutcome(error))
        return error
    }

    /// Returns the error that the caller gets: it names the request, the limit that was reached, and how long it took.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - request: The request of the call.
    /// - Returns: The completed error; `CancellationError` if the dispatcher was invalidated, and `shutDown` if it was
    ///   released.
    @inline(never)
    func surfaced(_ error: any Error, of request: TransportRequest) -> any Error {
        // Another dispatcher has completed it, such as that of a refresh.
        guard (error as? TransportError)?.elapsed == nil, (error as? TransferError)?.elapsed == nil else {
            return surfaced(error)
        }
        let error = told(error, of: request)
        let elapsed = request.beganAt.map { $0.duration(to: now) }
        switch error {
        case var error as TransportError:
            error.complete(request, options, elapsed: elapsed)
            return error
        case var error as TransferError:
            error.complete(request, elapsed: elapsed)
            return error
        case var error as UnacceptableResponseError:
            error.complete(attempts: request.call.severalAttempts, elapsed: elapsed)
            return error
        case var error as AuthenticationError where error.target == nil:
            error.target = ErrorText.target(request.urlRequest)
            return error
        default: return error
        }
    }

    /// Returns the error of one of the requests of a call, with the attempts at it.
    func told(_ error: any Error, of request: TransportRequest) -> any Error {
        let error = surfaced(error)
        guard let attempts = request.call.severalAttempts else { return error }
        switch error {
        case var error as TransportError:
            error.attempts = attempts
            return error
        case var error as UnacceptableResponseError:
            error.note(attempts)
            return error
        case var error as TransferError where error.attempts.count == 1:
            error.attempts = attempts
            return error
        default: return error
        }
    }

    @inline(never)
    func surfaced(_ error: any Error) -> any Error {
        // If the call was cancelled between two exchanges, the transport had nothing to cancel and refused the next one.
        guard error is CancellationError || TransportError.Code.shutDown ~= error else { return error }
        let (isInvalidated, wasReleased) = lifecycle.withLock { ($0.isInvalidated, $0.wasReleased) }
        guard isInvalidated else { return error }
        // Nothing cancelled the task of a call whose dispatcher was released.
        return wasReleased && !Task.isCancelled ? TransportError.dispatcherReleased : CancellationError()
    }
}

extension TransportError {
    /// The error of work whose dispatcher was released before it ended.
    package static var dispatcherReleased: TransportError {
        TransportError(.shutDown, reason: "The dispatcher was released")
    }
}
