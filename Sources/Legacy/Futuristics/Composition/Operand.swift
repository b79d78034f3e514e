import PiuPiuFutures

/// A function that can be passed to other threads, although its type is not `@Sendable`.
///
/// `@preconcurrency` has no effect on operators: if the operands of `>>>` were `@Sendable`, Swift 5 mode would not accept
/// methods of a plain class. The operands are `sending` instead, which the compiler checks in Swift 6 mode only. The same
/// applies to execution contexts. Code in Swift 5 mode has to make sure that its functions may run on any thread, as with
/// Futuristics.
///
/// A composition owns its operands, which can be compositions. Releasing them needs no nested call for each.
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
        // Only `deinit` removes the function.
        guard let copy else { throw FutureError.unresolved }
        return try copy.call(input)
    }
}
