#if os(Linux)
import PiuPiuAsync

/// Cancellation, streams and shutdown that go wrong.
enum BrokenEnds {
    static let faults: [BrokenTransportTests.Fault] = [
        .init("ignores cancellation", foundBy: "cancellation.beforeTheHead", "cancellation.beforeTheCall") {
            request,
            base in
            try await Task.detached { try await base.send(request) }.value
        },
        .init("lets go of what is cancelled without closing it", foundBy: "cancellation.beforeTheHead") {
            request,
            base in
            let (results, continuation) = AsyncThrowingStream<TransportResponse, any Error>.makeStream()
            Task.detached {
                do {
                    continuation.yield(try await base.send(request))
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            for try await response in results { return response }
            throw CancellationError()
        },
        .init(
            "has an error of its own for cancellation",
            foundBy: "cancellation.beforeTheHead",
            "cancellation.inTheQueue"
        ) {
            do {
                return try await $1.send($0)
            } catch is CancellationError {
                throw TransportError(.connectionLost)
            }
        },
        .init("cancels everybody", foundBy: "cancellation.neighbour") { request, base in
            try await withTaskCancellationHandler {
                try await base.send(request)
            } onCancel: {
                base.invalidateAndCancel()
            }
        },
        .init("collects streams", foundBy: "streams.headFirst", "streams.pieces", "streams.noLimit") {
            var request = $0
            request.delivery = .buffered
            return try await $1.send(request)
        },
        .init("keeps streams that were dropped", foundBy: "streamEnds.dropped") { configuration in
            let kept = Locked<[ResponseBody]>([])
            return Alteration(of: try SocketTransport(configuration: configuration)) {
                let response = try await $1.send($0)
                if let stream = response.stream { kept.withLock { $0.append(stream) } }
                return response
            }
        },
        .init("shuts down without waiting", foundBy: "shutdown.waits", "shutdown.waitsForStreams") { configuration in
            var transport = Alteration(of: try SocketTransport(configuration: configuration))
            transport.alteredShutdown = { base in Task { await base.shutdown() } }
            return transport
        },
        .init("shuts down no longer than its caller waits", foundBy: "shutdown.cancelledCaller") { configuration in
            var transport = Alteration(of: try SocketTransport(configuration: configuration))
            transport.alteredShutdown = { base in
                let (ended, continuation) = AsyncStream<Void>.makeStream()
                Task {
                    await base.shutdown()
                    continuation.finish()
                }
                for await _ in ended {}
            }
            return transport
        },
        .init("does not shut down", foundBy: "shutdown.refuses", "shutdown.idle") { configuration in
            var transport = Alteration(of: try SocketTransport(configuration: configuration))
            transport.alteredShutdown = { _ in }
            return transport
        },
        .init("is not invalidated", foundBy: "shutdown.invalidated", "streamEnds.invalidated") { configuration in
            var transport = Alteration(of: try SocketTransport(configuration: configuration))
            transport.alteredInvalidation = { _ in }
            return transport
        },
        .init("touches streams too early", foundBy: "uploadEnds.noConnection") {
            if $0.body != nil, let body = $0.body, !body.isRepeatable { _ = try? await body.collect(upTo: 1) }
            return try await $1.send($0)
        },
        .init("wraps the errors of uploads", foundBy: "uploadEnds.producerError", "uploadEnds.lengthMismatch") {
            do {
                return try await $1.send($0)
            } catch  where !(error is TransportError) {
                throw TransportError(.invalidRequest)
            }
        },
    ]
}
#endif
