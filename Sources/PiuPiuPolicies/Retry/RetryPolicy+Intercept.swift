extension RetryPolicy {
    private typealias Outcome = Result<TransportResponse, any Error>

    /// Sends a request, and sends it again after a failure that may be temporary.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: The response of the last attempt.
    /// - Throws: The error of the last attempt; `CancellationError` if the task is cancelled.
    public func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        budget?.deposit()
        let outcome: Outcome
        do {
            let response =
                if let attemptTimeout { try await next.send(request, within: attemptTimeout) } else {
                    try await next(request)
                }
            // The fast path: no allocation, and no lock but the budget's.
            guard decide != nil || statusCodes.contains(response.head.statusCode) else { return response }
            outcome = .success(response)
        } catch {
            outcome = .failure(error)
        }
        return try await next.waiting(for: request) { try await proceed(after: outcome, request, next) }
    }

    /// Sends a request again until the last attempt.
    private func proceed(
        after first: Outcome,
        _ request: TransportRequest,
        _ next: InterceptorChain
    ) async throws -> TransportResponse {
        var outcome = first
        let clock = next.clock
        let isIdempotent = isIdempotent(request.urlRequest)
        let rules = RetryMachine.Rules(
            retries: retries,
            backoff: backoff,
            statusCodes: statusCodes,
            maximumRetryAfter: maximumRetryAfter
        )
        var machine = RetryMachine(rules, isIdempotent: isIdempotent, deadline: request.deadline)
        while true {
            if case .failure(let error) = outcome, error is CancellationError { throw error }
            var decision: RetryDecision
            if let decide {
                let context = RetryContext(
                    attempts: request.attempts,
                    request: request.urlRequest,
                    result: outcome,
                    isIdempotent: isIdempotent
                )
                decision = await decide(context)
            } else {
                decision = .default
            }
            // Don't retry what an inner policy already gave up on.
            if case .default = decision, Self.isGivenUp(outcome) { decision = .stop }
            let now = clock.instant
            let action = machine.next(
                after: description(of: outcome),
                decision,
                body: Self.body(of: request),
                now: now,
                fraction: .random(in: 0...1)
            )
            if case .finish(.deadline) = action { request.call.giveUpForLackOfTime() }
            guard case .retry(let instant, let cause) = action, budget?.withdraw(at: now) ?? true else {
                return try Self.result(outcome, isSafe: machine.isSafe)
            }
            request.observation?.call.report(
                .retryPlanned(cause, delay: max(.zero, now.duration(to: instant)))
            )
            let refused = (try? outcome.get())?.stream
            // Don't keep a body in memory during the wait.
            outcome = .failure(CancellationError())
            await refused?.drain(upTo: Self.drainedBody, until: Self.drainEnd(now, request.deadline), clock: clock)
            try Task.checkCancellation()
            try await clock.sleep(until: instant)
            try Task.checkCancellation()
            request.beginAttempt(cause)
            request.reporter?.willSendAgain()
            outcome = await attempt(request, next)
        }
    }

    private func attempt(_ request: TransportRequest, _ next: InterceptorChain) async -> Outcome {
        do {
            guard let attemptTimeout else { return .success(try await next(request)) }
            return .success(try await next.send(request, within: attemptTimeout))
        } catch {
            return .failure(error)
        }
    }

    // MARK: The result of an attempt

    /// The largest body that is read to keep its connection, in bytes.
    private static let drainedBody = 64 * 1024
    /// The maximum duration of that read.
    private static let drainTime = Duration.seconds(1)

    private static func drainEnd(
        _ now: ContinuousClock.Instant,
        _ deadline: ContinuousClock.Instant?
    ) -> ContinuousClock.Instant {
        let end = now.advanced(by: drainTime)
        return min(end, deadline ?? end)
    }

    private func isIdempotent(_ request: URLRequest) -> Bool {
        idempotentMethods.contains(HTTPMethod(request.httpMethod ?? "GET"))
            || request.value(forHTTPHeaderField: "Idempotency-Key") != nil
    }

    private static func body(of request: TransportRequest) -> RetryMachine.Body {
        if request.urlRequest.httpBodyStream != nil { return .stream(isUntouched: false) }
        guard let body = request.body, !body.isRepeatable else { return .repeatable }
        return .stream(isUntouched: !body.isUsedUp)
    }

    private func description(of outcome: Outcome) -> RetryMachine.Outcome {
        switch outcome {
        case .success(let response): return description(of: response.head)
        case .failure(let error as TransportError):
            let retryAfter = error.response.flatMap { RetryAfter.delay(of: $0, now: currentDate) }
            let refusal = error.proxyFailure?.statusCode
            return .failure(error.code, isSafe: error.isSafeToRetry, retryAfter: retryAfter, refusal: refusal)
        case .failure(let error as UnacceptableResponseError): return description(of: error.response)
        case .failure: return .otherFailure
        }
    }

    private func description(of head: ResponseHead) -> RetryMachine.Outcome {
        .response(head.statusCode, retryAfter: RetryAfter.delay(of: head, now: currentDate))
    }

    private static func isGivenUp(_ outcome: Outcome) -> Bool {
        switch outcome {
        case .failure(let error as TransportError): error.isGivenUp
        case .failure(let error as UnacceptableResponseError): error.isGivenUp
        case .success, .failure: false
        }
    }

    private static func result(_ outcome: Outcome, isSafe: Bool) throws -> TransportResponse {
        switch outcome {
        case .success(let response): return response
        case .failure(var error as TransportError):
            // The server may have processed an earlier attempt.
            error.isSafeToRetry = isSafe
            throw error
        case .failure(let error): throw error
        }
    }
}

extension InterceptorChain {
    /// Sends a request through the rest of the chain, within a time limit for the head or, if it is buffered, the response.
    ///
    /// A limit that is not positive, or longer than any clock can represent, counts as none.
    func send(_ request: TransportRequest, within limit: Duration) async throws -> TransportResponse {
        guard limit > .zero, limit < Backoff.longest else { return try await self(request) }
        let clock = clock
        let end = clock.instant.advanced(by: limit)
        let attemptLimit = AttemptLimit(limit)
        var limited = request
        limited.attemptLimit = attemptLimit
        return try await withThrowingTaskGroup(of: TransportResponse?.self) { [limited] group in
            group.addTask { try await self(limited) }
            group.addTask {
                try await clock.sleep(until: end)
                return nil
            }
            defer { group.cancelAll() }
            if let response = try await group.next() ?? nil { return response }
            attemptLimit.reach()
            group.cancelAll()
            do {
                // The response may have arrived at the last moment.
                if let response = try await group.next() ?? nil { return response }
            } catch is CancellationError {}
            try Task.checkCancellation()
            throw request.attemptTimeout(attemptLimit)
        }
    }
}

extension RetryPolicy: PromptInterceptor {}
