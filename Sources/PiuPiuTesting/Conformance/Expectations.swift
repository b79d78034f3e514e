import PiuPiuAsync

/// The error if a result differs from the expectation of a case.
struct Disagreement: Error {
    var expected: String
    var seen: String
}

/// Ends a case if a condition is false.
func expect(_ condition: Bool, _ expected: String, seen: @autoclosure () -> String = "it is not so") throws {
    guard condition else { throw Disagreement(expected: expected, seen: seen()) }
}

/// Ends a case if a value differs from the expected one.
func expect<Value: Equatable>(_ what: String, _ seen: Value, is expected: Value) throws {
    guard seen != expected else { return }
    throw Disagreement(expected: "\(what): \(brief(expected))", seen: brief(seen))
}

/// Ends a case if there is no value.
func expectValue<Value>(_ what: String, _ value: Value?) throws -> Value {
    guard let value else { throw Disagreement(expected: what, seen: "there is none") }
    return value
}

/// Runs an operation that must fail, and returns its error.
func expectFailure<Value>(_ expected: String, of operation: () async throws -> Value) async throws -> any Error {
    let value: Value
    do {
        value = try await operation()
    } catch {
        return error
    }
    throw Disagreement(expected: expected, seen: brief(value))
}

/// Runs an operation that must fail with a `TransportError` with one of several codes.
@discardableResult
func expectError<Value>(
    _ codes: TransportError.Code...,
    of operation: () async throws -> Value
) async throws -> TransportError {
    let expected = "a TransportError with the code " + codes.map(\.description).joined(separator: " or ")
    let error = try await expectFailure(expected, of: operation)
    guard let error = error as? TransportError, codes.contains(error.code) else {
        throw Disagreement(expected: expected, seen: String(reflecting: error))
    }
    return error
}

/// Runs an operation that must fail with a `TransferError`.
func expectTransferError<Value>(_ code: TransferError.Code, of operation: () async throws -> Value) async throws {
    let expected = "a TransferError with the code \(code)"
    let error = try await expectFailure(expected, of: operation)
    guard (error as? TransferError)?.code == code else {
        throw Disagreement(expected: expected, seen: String(reflecting: error))
    }
}

/// Runs an operation that must fail with a `CancellationError`.
func expectCancellation<Value>(of operation: () async throws -> Value) async throws {
    let error = try await expectFailure("CancellationError", of: operation)
    try expect(error is CancellationError, "CancellationError", seen: String(reflecting: error))
}

/// Runs an operation that must reach a time limit, and not too early.
///
/// How late it ends depends on the machine. An operation that never ends reaches the time limit of the case.
func expectTimeout<Value>(
    _ phase: TimeoutPhase,
    after limit: Duration,
    of operation: () async throws -> Value
) async throws {
    let start = ContinuousClock.now
    try await expectError(.timeout(phase), of: operation)
    let elapsed = start.duration(to: .now)
    // Timers may be slightly inaccurate.
    try expect(elapsed >= limit * 0.8, "at least \(limit)", seen: "\(elapsed)")
}

/// Runs a trial whose limit must not be reached, and repeats it with longer times if it was reached.
///
/// All times of a trial are multiples of its scale. A fault occurs at every scale, so it fails the last trial as well.
/// A slow or briefly stalled machine reaches the limit only at the small scales.
func atSomeScale(_ trial: (_ scale: Int) async throws -> Void) async throws {
    for scale in [1, 4] {
        do {
            return try await trial(scale)
        } catch let error as TransportError where error.code.timeoutPhase != nil {}
    }
    try await trial(16)
}

/// Formats a value on one line.
private func brief(_ value: some Any) -> String {
    let text = String(describing: value)
    return text.count > 300 ? text.prefix(300) + "…" : text
}
