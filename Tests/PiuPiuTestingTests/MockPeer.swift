import PiuPiuAsync
import PiuPiuTesting
import TestSupport

/// A peer without a network: its transports are mocks.
///
/// Gates in the middle of a body are times at which its clock waits for a gate instead.
final class MockPeer: ConformancePeer {
    private struct State {
        var answers: [String: [PeerStep]] = [:]
        var transports: [MockTransport] = []
    }

    private let state = Locked(State())
    private let clock = GateClock()

    /// Makes a transport that speaks to this peer.
    func transport() -> MockTransport {
        let transport = MockTransport(clock: clock) { [state, clock] request in
            var steps = state.withLock { $0.answers[request.url.path(percentEncoded: true)] } ?? .response(404)
            while let gate = steps.first?.gate {
                try await clock.gate(gate).wait()
                steps.removeFirst()
            }
            return Self.answer(steps, clock)
        }
        state.withLock { $0.transports.append(transport) }
        return transport
    }

    func url(_ pathAndQuery: String) -> URL { URL(string: "http://peer.test" + pathAndQuery) ?? URL(filePath: "/") }
    func answer(_ path: String, with steps: [PeerStep]) { state.withLock { $0.answers[path] = steps } }
    func open(_ gate: String) { clock.gate(gate).open() }

    func close() {
        // Transports hold what answers, which holds them.
        let transports = state.withLock { state in
            defer { state.transports = [] }
            return state.transports
        }
        for transport in transports { transport.invalidateAndCancel() }
    }

    func waitUntilWaiting(at gate: String, count: Int) async -> Bool {
        await clock.gate(gate).arrival(of: count)
        return true
    }

    func waitUntilClosed() async -> Bool {
        while transports.contains(where: { $0.exchangeCount > 0 }) {
            if Task.isCancelled { return false }
            await Task.yield()
        }
        return true
    }

    func requests(for path: String) -> [PeerRequest] {
        transports.flatMap(\.requests).compactMap { request in
            let sent = request.url.path(percentEncoded: true)
            guard sent == path else { return nil }
            return PeerRequest(
                method: request.method,
                target: request.url.query(percentEncoded: true).map { "\(sent)?\($0)" } ?? sent,
                headers: HTTPHeaderFields(
                    (request.urlRequest.allHTTPHeaderFields ?? [:]).map {
                        HTTPHeaderField(name: $0.key, value: $0.value)
                    }
                ),
                body: request.body,
                isComplete: request.isBodyComplete
            )
        }
    }

    private var transports: [MockTransport] { state.withLock { $0.transports } }

    private static func answer(_ steps: [PeerStep], _ clock: GateClock) -> MockAnswer {
        var answer = MockAnswer.hang
        var delay = Duration.zero
        for step in steps {
            switch step {
            case .head(let status, var fields, let announcesLength):
                if announcesLength {
                    if fields["Content-Length"] == nil { fields["Content-Length"] = "\(steps.bodyLength)" }
                } else {
                    fields["Transfer-Encoding"] = "chunked"
                }
                answer = MockAnswer(StatusCode(rawValue: status), headers: fields, pieces: [], after: delay)
                delay = .zero
            case .body(let piece): append(piece)
            case .repeated(let piece, let count): for _ in 0..<count { append(piece) }
            case .wait(let gate): delay += clock.time(of: gate)
            case .pause(let duration): delay += duration
            case .hang: answer.ending = .hang
            }
        }
        if delay > .zero { append(Data()) }
        return answer

        func append(_ piece: Data) {
            answer.pieces.append(.init(piece, after: delay))
            delay = .zero
        }
    }
}

extension PeerStep {
    fileprivate var gate: String? { if case .wait(let gate) = self { gate } else { nil } }
}

/// The time of the system in whole milliseconds.
///
/// What is below milliseconds in a time names a gate that it waits for.
private final class GateClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private let epoch = Instant.now
    private let gates = Locked<[(name: String, gate: Gate)]>([])

    private static let mark: Int64 = 777_000
    var minimumResolution: Duration { .milliseconds(1) }
    var now: Instant {
        let time = epoch.duration(to: .now).components
        return epoch.advanced(by: .seconds(time.seconds) + .milliseconds(time.attoseconds / 1_000_000_000_000_000 + 1))
    }

    func gate(_ name: String) -> Gate {
        gates.withLock { gates in
            if let known = gates.first(where: { $0.name == name }) { return known.gate }
            gates.append((name, Gate()))
            return gates[gates.count - 1].gate
        }
    }

    /// A delay that lasts until a gate is opened, and is less than any limit of a case with gates.
    func time(of name: String) -> Duration {
        _ = gate(name)
        let index = gates.withLock { $0.firstIndex { $0.name == name } } ?? 0
        return .seconds(10) + .nanoseconds(Self.mark + Int64(index))
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let nanoseconds = epoch.duration(to: deadline).components.attoseconds / 1_000_000_000 % 1_000_000
        let gate = gates.withLock { gates in
            let index = Int(nanoseconds - Self.mark)
            return gates.indices.contains(index) ? gates[index].gate : nil
        }
        guard let gate else { return try await ContinuousClock().sleep(until: deadline, tolerance: tolerance) }
        try await gate.wait()
    }
}
