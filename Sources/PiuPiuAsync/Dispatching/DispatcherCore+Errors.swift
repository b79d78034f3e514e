// The errors that callers get.
extension DispatcherCore {
    /// Returns the error of a call that begins after the shutdown.
    func shutDown(_ request: TransportRequest) -> TransportError {
        let wasReleased = lifecycle.withLock { $0.wasReleased }
        let reason = wasReleased ? TransportError.dispatcherReleased.reason : "The dispatcher was shut down"
        return request.error(.shutDown, reason: reason)
    }

    /// Returns how long a call took; `nil`, without reading the clock, if no error can be about its response.
    func elapsed(_ request: TransportRequest, _ response: TransportResponse, _ attempts: [Attempt]?) -> Duration? {
        guard attempts != nil || response.record.values.statusCode >= 400 else { return nil }
        return request.beganAt.map { $0.duration(to: now) }
    }

    /// Ends an observed call with an error, and returns the error that the caller gets.
    @inline(never)
    func endCall(of request: TransportRequest, with error: any Error) -> any Error {
        let error = completed(error, for: request)
        request.observedCall?.end(ObservedOutcome(error))
        return error
    }

    /// Returns the error that the caller gets: it names the request, the limit that was reached, and the elapsed time.
    ///
    /// It is `CancellationError` if the dispatcher was invalidated, and `shutDown` if it was released.
    @inline(never)
    func completed(_ error: any Error, for request: TransportRequest) -> any Error {
        // Another dispatcher, such as that of a refresh, has already completed the error.
        guard (error as? TransportError)?.elapsed == nil, (error as? TransferError)?.elapsed == nil else {
            return translatingShutdown(error)
        }
        let error = withAttempts(error, of: request)
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

    /// Returns the error of one of a call's requests, with its attempts.
    func withAttempts(_ error: any Error, of request: TransportRequest) -> any Error {
        let error = translatingShutdown(error)
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

    /// Returns the error to report instead of the one that the dispatcher's end caused; otherwise the same error.
    @inline(never)
    func translatingShutdown(_ error: any Error) -> any Error {
        // If the call was cancelled between two exchanges, the transport had nothing to cancel and refused the next one.
        guard error is CancellationError || TransportError.Code.shutDown ~= error else { return error }
        let (isInvalidated, wasReleased) = lifecycle.withLock { ($0.isInvalidated, $0.wasReleased) }
        guard isInvalidated else { return error }
        // The release of a dispatcher does not cancel the tasks of its calls.
        return wasReleased && !Task.isCancelled ? TransportError.dispatcherReleased : CancellationError()
    }
}

extension TransportError {
    /// The error of work whose dispatcher was released before it ended.
    package static var dispatcherReleased: TransportError {
        TransportError(.shutDown, reason: "The dispatcher was released")
    }
}
