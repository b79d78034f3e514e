import PiuPiuAsync

/// Something is not as a case expects it.
struct Disagreement: Error {
    var expected: String
    var seen: String
}

/// Ends a case where a condition does not hold.
func expect(_ condition: Bool, _ expected: String, seen: @autoclosure () -> String = "it is not so") throws {
    guard condition else { throw Disagreement(expected: expected, seen: seen()) }
}

/// Ends a case where a value is another one.
func expect<Value: Equatable>(_ what: String, _ seen: Value, is expected: Value) throws {
    guard seen != expected else { return }
    throw Disagreement(expected: "\(what): \(brief(expected))", seen: brief(seen))
}

/// Ends a case where there is no value.
func expectValue<Value>(_ what: String, _ value: Value?) throws -> Value {
    guard let value else { throw Disagreement(expected: what, seen: "there is none") }
    return value
}

/// Runs what has to fail.
///
/// - Returns: What it threw.
func expectFailure<Value>(_ expected: String, of operation: () async throws -> Value) async throws -> any Error {
    let value: Value
    do {
        value = try await operation()
    } catch {
        return error
    }
    throw Disagreement(expected: expected, seen: brief(value))
}

/// Runs what has to end with a `TransportError` of one of some codes.
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

/// Runs what has to end with a `TransferError`.
func expectTransferError<Value>(_ code: TransferError.Code, of operation: () async throws -> Value) async throws {
    let expected = "a TransferError with the code \(code)"
    let error = try await expectFailure(expected, of: operation)
    guard (error as? TransferError)?.code == code else {
        throw Disagreement(expected: expected, seen: String(reflecting: error))
    }
}

/// Runs what has to end with a `CancellationError`.
func expectCancellation<Value>(of operation: () async throws -> Value) async throws {
    let error = try await expectFailure("CancellationError", of: operation)
    try expect(error is CancellationError, "CancellationError", seen: String(reflecting: error))
}

/// Runs what can only end in a time limit, which must not come early.
///
/// How late it may come is a matter of the machine; what never comes ends with the time limit of the case.
func expectTimeout<Value>(
    _ phase: TimeoutPhase,
    after limit: Duration,
    of operation: () async throws -> Value
) async throws {
    let start = ContinuousClock.now
    try await expectError(.timeout(phase), of: operation)
    let elapsed = start.duration(to: .now)
    // Timers may be a little coarse.
    try expect(elapsed >= limit * 0.8, "at least \(limit)", seen: "\(elapsed)")
}

/// Runs a trial of a limit that must not be reached, again with longer times where it was reached.
///
/// All times of a trial are multiples of its scale. A fault is one at every scale, so that it fails the last trial too. A
/// machine that is slow, or stands still for a moment, reaches the limit only at the small scales.
func atSomeScale(_ trial: (_ scale: Int) async throws -> Void) async throws {
    for scale in [1, 4] {
        do {
            return try await trial(scale)
        } catch let error as TransportError where error.code.timeoutPhase != nil {}
    }
    try await trial(16)
}

/// A value in a line.
private func brief(_ value: some Any) -> String {
    let text = String(describing: value)
    return text.count > 300 ? text.prefix(300) + "…" : text
}
