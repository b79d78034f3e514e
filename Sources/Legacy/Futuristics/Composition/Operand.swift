import PiuPiuFutures

/// A function that goes to other threads although its type does not say that it may.
///
/// `@preconcurrency` has no effect on operators. If the operands of `>>>` were `@Sendable`, methods of a plain class would
/// not be accepted in Swift 5 mode. In Swift 6 mode the operands are `sending`, so that the compiler checks them there.
///
/// A composition owns its operands, which can be compositions. They are released without a nested call for each.
final class Operand<Input, Output>: Sendable {
    private struct Function { let call: (Input) throws -> Output }

    private let function = Locked<Function?>(nil)

    init(_ call: @escaping (Input) throws -> Output) {
        function.withLock { $0 = Function(call: call) }
    }

    deinit {
        var last: Function?
        function.withLock { swap(&last, &$0) }
        NestedCalls.release(&last)
    }

    func callAsFunction(_ input: Input) throws -> Output {
        var copy: Function?
        function.withLock { copy = $0 }
        // Only `deinit` takes the function away.
        guard let copy else { throw FutureError.unresolved }
        return try copy.call(input)
    }
}
