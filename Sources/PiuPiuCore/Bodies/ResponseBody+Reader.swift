extension ResponseBody {
    /// The way in which a body ended.
    package enum End {
        /// The body was read to its end.
        case complete
        /// The body ended with an error of its source.
        case failed(any Error)
        /// The reader abandoned the rest.
        case abandoned
    }

    /// The state that all copies of a body share: the right to read, and the body's end.
    package final class Reader: Sendable {
        private enum Phase {
            case unread, reading, ended, closed, cancelled
            case failed(any Error)

            /// The way in which the body ended; `nil` if it has not.
            var end: End? {
                switch self {
                case .unread, .reading: nil
                case .ended: .complete
                case .closed, .cancelled: .abandoned
                case .failed(let error): .failed(error)
                }
            }
        }

        private struct State {
            var phase = Phase.unread
            var mapError: (@Sendable (any Error) -> any Error)?
            var endActions: [@Sendable (End) -> Void] = []
        }

        package let source: any ResponseBodySource
        let expectedLength: Int64?
        private let state = Locked(State())

        init(_ source: any ResponseBodySource, expectedLength: Int64?) {
            self.source = source
            self.expectedLength = expectedLength
        }

        deinit {
            close()
        }

        /// Whether the body was read to its end.
        var hasEnded: Bool { state.withLock { if case .ended = $0.phase { true } else { false } } }

        func onEnd(_ mapError: (@Sendable (any Error) -> any Error)?, _ action: @escaping @Sendable (End) -> Void) {
            let end: End? = state.withLock { state in
                // If the body has ended, there are no more errors to map.
                if let end = state.phase.end { return end }
                if let mapError {
                    let inner = state.mapError
                    state.mapError = { mapError(inner?($0) ?? $0) }
                }
                state.endActions.append(action)
                return nil
            }
            if let end { action(end) }
        }

        /// Acquires the right to read; returns `false` if the body was read to its end.
        func claim() throws -> Bool {
            let (isReadable, mapError) = try state.withLock { state -> (Bool?, (@Sendable (any Error) -> any Error)?) in
                switch state.phase {
                case .unread:
                    state.phase = .reading
                    return (true, nil)
                case .ended: return (false, nil)
                case .reading, .closed, .failed: throw TransferError(.bodyAlreadyRead)
                case .cancelled: return (nil, state.mapError)
                }
            }
            guard let isReadable else { throw mapError?(CancellationError()) ?? CancellationError() }
            return isReadable
        }

        /// Acquires the right to read, or keeps it; returns `false` if the body was read to its end.
        package func goOn() throws -> Bool {
            try state.withLock({ if case .reading = $0.phase { true } else { false } }) || claim()
        }

        package func end() {
            conclude(.ended)
        }

        package func fail(_ error: any Error) -> any Error {
            let mapError = state.withLock { state in
                // After a cancellation, every later read throws the same error.
                if case .cancelled = state.phase { state.mapError } else { state.mapError.take() }
            }
            if conclude(.failed(error)) { source.close() }
            return mapError?(error) ?? error
        }

        package func close() {
            if conclude(.closed) { source.close() }
        }

        func cancel() {
            if conclude(.cancelled) { source.close() }
        }

        @discardableResult
        private func conclude(_ phase: Phase) -> Bool {
            let last: State? = state.withLock { state in
                guard state.phase.end == nil else { return nil }
                let last = state
                state.phase = phase
                // Keep the mapping unless the body ended successfully; an error may still have to be mapped.
                if case .ended = phase { state.mapError = nil }
                state.endActions = []
                return last
            }
            guard let last, let end = phase.end else { return false }
            for action in last.endActions { action(end) }
            // Release outside the lock.
            withExtendedLifetime(last) {}
            return true
        }
    }
}
