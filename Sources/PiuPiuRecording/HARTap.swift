import PiuPiuAsync

/// The recorded part of a body.
struct HARTakenBody: Sendable {
    var bytes: Data
    /// The number of bytes that passed.
    var size: Int
    /// Whether the body was read to its end.
    var isComplete = true
    /// Why the body was not read to its end.
    var error: String?

    init(_ body: Data, limit: Int) {
        bytes = body.prefix(limit)
        size = body.count
    }

    init(_ beginning: BodyBeginning) {
        bytes = beginning.bytes
        size = beginning.size
    }

    /// Whether a part of the body is missing.
    var isTruncated: Bool { !isComplete || bytes.count < size }
}

/// Records a body as it passes, up to a limit.
final class HARTap: BodyObserver {
    private struct State {
        var beginning: BodyBeginning
        /// The body, once its end is known.
        var end: HARTakenBody?
    }

    private let end: @Sendable (HARTakenBody) -> Void
    private let afterEnd: @Sendable () async throws -> Void
    private let state: Locked<State>

    /// Creates a tap.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes to record.
    ///   - end: Called once, with the recorded body.
    ///   - afterEnd: Called after `end` if the body was read to its end; the reader waits for it.
    init(
        limit: Int,
        end: @escaping @Sendable (HARTakenBody) -> Void = { _ in },
        afterEnd: @escaping @Sendable () async throws -> Void = {}
    ) {
        state = Locked(State(beginning: BodyBeginning(limit: limit)))
        self.end = end
        self.afterEnd = afterEnd
    }

    /// The recorded body so far; it is complete only after the end has passed.
    var body: HARTakenBody {
        state.withLock { state in
            if let body = state.end { return body }
            var body = HARTakenBody(state.beginning)
            body.isComplete = false
            return body
        }
    }

    func observe(_ chunk: Data) {
        state.withLock { $0.beginning.append(chunk) }
    }

    func finish() async throws {
        conclude { _ in }
        try await afterEnd()
    }

    func fail(_ error: any Error) {
        conclude { body in
            body.isComplete = false
            body.error = HARExchange.text(error)
        }
    }

    func close() {
        conclude { body in
            body.isComplete = false
            body.error = "not read to its end"
        }
    }

    private func conclude(_ change: (inout HARTakenBody) -> Void) {
        let body: HARTakenBody? = state.withLock { state in
            guard state.end == nil else { return nil }
            var body = HARTakenBody(state.beginning)
            change(&body)
            state.end = body
            return body
        }
        if let body { end(body) }
    }
}
