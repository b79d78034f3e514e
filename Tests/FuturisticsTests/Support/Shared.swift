import PiuPiuFutures

/// A variable that several threads use.
final class Shared<Value: Sendable>: Sendable {
    private let box: Locked<Value>

    init(_ value: Value) {
        box = Locked(value)
    }

    var value: Value {
        get { box.withLock { $0 } }
        set { box.withLock { $0 = newValue } }
    }

    func change(_ body: (inout Value) -> Void) {
        box.withLock { body(&$0) }
    }
}
