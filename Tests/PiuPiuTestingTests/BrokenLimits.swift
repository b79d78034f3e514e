#if os(Linux)
import PiuPiuAsync

/// Limits that are not kept.
enum BrokenLimits {
    static let faults: [BrokenTransportTests.Fault] = [
        .init("ignores the limit of bodies", foundBy: "limits.body", "encodings.limit") {
            var request = $0
            request.options.maximumBufferedBody = .max
            return try await $1.send(request)
        },
        .init("is off by one byte", foundBy: "limits.exactBody") {
            var request = $0
            request.options.maximumBufferedBody -= 1
            return try await $1.send(request)
        },
        .init("allows small heads only", foundBy: "limits.largeHead") {
            var request = $0
            request.options.maximumHead = 8192
            return try await $1.send(request)
        },
        .init("limits streams", foundBy: "streams.noLimit") {
            var response = try await $1.send($0)
            let limit = $0.options.maximumBufferedBody
            response.stream = response.stream.map { stream in
                ResponseBody(next: { throw TransportError(.bodyTooLarge, bytesReceived: limit) }) {
                    withExtendedLifetime(stream) {}
                }
            }
            return response
        },
        .init("ignores the limits of connections", foundBy: "limits.connectionsPerHost", "limits.connectionsInAll") {
            var configuration = $0
            configuration.connections = ConnectionLimits(perHost: 100, total: 100)
            return try SocketTransport(configuration: configuration)
        },
        .init("ignores time limits", foundBy: "timeouts.head", "timeouts.idle", "timeouts.total", "timeouts.stream") {
            var request = $0
            request.options.timeouts = Timeouts(queue: nil, connect: nil, head: nil, idle: nil, total: nil)
            return try await $1.send(request)
        },
        .init("ignores the deadline", foundBy: "timeouts.deadline", "timeouts.past") {
            var request = $0
            request.deadline = nil
            return try await $1.send(request)
        },
        .init("calls every time limit idle", foundBy: "timeouts.head", "timeouts.queue", "timeouts.connect") {
            do {
                return try await $1.send($0)
            } catch var error as TransportError where error.code.timeoutPhase != nil {
                error.code = .timeout(.idle)
                throw error
            }
        },
        .init("takes the head's limit for the whole", foundBy: "timeouts.queueIsApart") {
            var request = $0
            request.options.timeouts.total = $0.options.timeouts.head
            return try await $1.send(request)
        },
        .init("reads streams ahead", foundBy: "streams.backpressure") {
            var response = try await $1.send($0)
            if let stream = response.stream {
                let (read, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
                Task {
                    do {
                        for try await chunk in stream { continuation.yield(chunk) }
                        continuation.finish()
                    } catch {
                        continuation.finish(throwing: error)
                    }
                }
                response.stream = ResponseBody(
                    expectedLength: stream.expectedLength,
                    next: {
                        for try await chunk in read { return chunk }
                        return nil
                    }
                )
            }
            return response
        },
    ]
}
#endif
