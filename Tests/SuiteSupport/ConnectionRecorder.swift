import PiuPiuAsync
import TestSupport

/// Records what happens to connections, and checks its order.
package final class ConnectionRecorder: ExchangeObserver {
    package struct State: Sendable {
        package var events: [ConnectionEvent] = []
        /// The last event of each connection.
        package var last: [Int: ConnectionEvent.Kind] = [:]
        package var violations: [String] = []

        package var open: Int { last.values.count { !Self.isEnd($0) } }
        package var idle: Int { last.values.count { $0 == .becameIdle } }

        package mutating func take(_ event: ConnectionEvent) {
            events.append(event)
            if !Self.follows(event.kind, last[event.id]) {
                violations.append("\(event.kind) after \(last[event.id].map { "\($0)" } ?? "nothing")")
            }
            last[event.id] = event.kind
        }

        private static func isEnd(_ kind: ConnectionEvent.Kind) -> Bool {
            if case .closed = kind { true } else { false }
        }

        /// Whether an event may come after another.
        package static func follows(_ kind: ConnectionEvent.Kind, _ last: ConnectionEvent.Kind?) -> Bool {
            switch (last, kind) {
            case (nil, .opened), (.becameIdle, .becameActive), (.becameIdle, .closed(wasIdle: true)): true
            case (.opened, .becameIdle), (.becameActive, .becameIdle): true
            case (.opened, .closed(wasIdle: false)), (.becameActive, .closed(wasIdle: false)): true
            default: false
            }
        }
    }

    package let observed = Observed(State())

    package init() {}

    package var state: State { observed.value }

    /// What happened to all connections, in order.
    package var kinds: [ConnectionEvent.Kind] { state.events.map(\.kind) }

    package func observe(_ event: ExchangeEvent) {}

    package func observe(_ event: ConnectionEvent) { observed.update { $0.take(event) } }

    /// Waits for a number of events.
    package func wait(for count: Int) async { _ = await observed.wait { $0.events.count >= count } }
}
