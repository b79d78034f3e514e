import PiuPiuAsync

/// A list of answers that are given one after the other, such as a failure and then a success.
///
/// A mock can be created from one sequence. If different requests need different answers, give each its own sequence:
///
/// ```swift
/// let posts = MockSequence([MockAnswer(.serviceUnavailable), MockAnswer(.ok, body: "[]")])
/// let transport = MockTransport { request in
///     request.path == "/posts" ? try posts.next() : MockAnswer(.notFound)
/// }
/// ```
///
/// Concurrent requests get their answers in the order in which they arrive.
public final class MockSequence: Sendable {
    /// The behavior after the last answer.
    public enum AfterLast: Sendable, Hashable {
        /// ``MockError/noAnswerLeft(count:)`` is thrown.
        case fail
        /// The last answer is repeated.
        case repeatLast
    }

    private let answers: [MockAnswer]
    private let afterLast: AfterLast
    private let given = Locked(0)

    /// Creates a sequence.
    ///
    /// - Parameters:
    ///   - answers: The answers, in order.
    ///   - afterLast: The behavior after the last answer.
    public init(_ answers: [MockAnswer], afterLast: AfterLast = .fail) {
        self.answers = answers
        self.afterLast = afterLast
    }

    /// Returns the next answer.
    ///
    /// - Returns: The answer.
    /// - Throws: ``MockError/noAnswerLeft(count:)`` if there is none.
    public func next() throws -> MockAnswer {
        let index = given.withLock { given in
            defer { given = min(given + 1, answers.count) }
            return given
        }
        if index < answers.count { return answers[index] }
        guard afterLast == .repeatLast, let last = answers.last else {
            throw MockError.noAnswerLeft(count: answers.count)
        }
        return last
    }
}

/// An error in the use of a mock itself.
public enum MockError: LocalizedError, CustomStringConvertible, Sendable, Hashable {
    /// The sequence has already given all its answers, `count` in total.
    case noAnswerLeft(count: Int)

    /// A sentence in English that describes the error.
    public var errorDescription: String? { description }

    /// The usual cause, as a sentence.
    public var failureReason: String? { "The code under test sends more requests than the test expects." }

    /// A suggestion, as a sentence.
    public var recoverySuggestion: String? { "Add an answer, or repeat the last one with afterLast: .repeatLast." }

    /// A sentence in English that describes the error.
    public var description: String {
        switch self {
        case .noAnswerLeft(let count):
            "The mock has no answer left for another request (answers: \(count))."
        }
    }
}

extension MockSequence: Redacted {
    /// The number of answers, without the answers.
    package var shown: KeyValuePairs<String, Any> { ["answers": answers.count, "afterLast": afterLast] }
}
