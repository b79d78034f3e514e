import PiuPiuAsync

/// Reads responses no faster than asked for, with any transport: what nobody reads, the server cannot send.
struct Pacing: Interceptor {
    let bytesPerSecond: Int

    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        var response = try await next(request)
        guard let body = response.stream else { return response }
        let reader = PacedReader(body, Pace(bytesPerSecond: bytesPerSecond))
        response.stream = ResponseBody(
            expectedLength: body.expectedLength,
            trailers: { body.trailers ?? [:] },
            next: { try await reader.next() }
        )
        return response
    }
}

/// Says how long to wait before more is read: a pure value.
struct Pace {
    private let bytesPerSecond: Double
    private var bytes = 0.0
    private var start: Duration?

    init(bytesPerSecond: Int) {
        self.bytesPerSecond = Double(max(1, bytesPerSecond))
    }

    /// Takes in bytes that arrived.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - time: When, since some moment.
    /// - Returns: How long to wait for the next.
    mutating func take(_ count: Int, at time: Duration) -> Duration {
        let start = start ?? time
        self.start = start
        bytes += Double(count)
        return max(.zero, start + .seconds(bytes / bytesPerSecond) - time)
    }
}

private actor PacedReader {
    private var iterator: ResponseBody.AsyncIterator
    private var pace: Pace
    private var pause = Duration.zero

    init(_ body: ResponseBody, _ pace: Pace) {
        iterator = body.makeAsyncIterator()
        self.pace = pace
    }

    func next() async throws -> Data? {
        try await Task.sleep(for: pause)
        // One task at a time reads a body.
        var iterator = self.iterator
        let data = try await iterator.next()
        self.iterator = iterator
        let now = ContinuousClock.Instant.now
        pause = data.map { pace.take($0.count, at: Self.epoch.duration(to: now)) } ?? .zero
        return data
    }

    private static let epoch = ContinuousClock.now
}
