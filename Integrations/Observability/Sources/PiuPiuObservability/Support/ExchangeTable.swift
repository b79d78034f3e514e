import PiuPiuAsync

/// What an observer keeps for each exchange that is under way.
///
/// Each exchange that starts also ends, so there are never more values than exchanges under way.
final class ExchangeTable<Value: Sendable>: Sendable {
    private let values = Protected<[ObjectIdentifier: Value]>([:])

    /// The number of values.
    var count: Int { values.withLock { $0.count } }

    /// The value of an exchange; `nil` if it has none.
    subscript(exchange: ObservedExchange) -> Value? {
        values.withLock { $0[ObjectIdentifier(exchange)] }
    }

    /// Keeps a value until the exchange's end.
    func keep(_ value: Value, for exchange: ObservedExchange) {
        values.withLock { $0[ObjectIdentifier(exchange)] = value }
    }

    /// Forgets and returns the value of an exchange; `nil` if it has none.
    func take(_ exchange: ObservedExchange) -> Value? {
        values.withLock { $0.removeValue(forKey: ObjectIdentifier(exchange)) }
    }
}
