import PiuPiuAsync

/// Answers that are given one after the other, such as a failure and then a success.
///
/// A mock can be created of one; where different requests have different answers, each gets a sequence of its own:
///
/// ```swift
/// let posts = MockSequence([MockAnswer(.serviceUnavailable), MockAnswer(.ok, body: "[]")])
/// let transport = MockTransport { request in
///     request.path == "/posts" ? try posts.next() : MockAnswer(.notFound)
/// }
/// ```
///
/// Requests that are sent at the same time get their answers in the order in which they arrive.
public final class MockSequence: Sendable {
    /// What comes when all answers were given.
    public enum AfterLast: Sendable, Hashable {
        /// ``MockError/noAnswerLeft(count:)`` is thrown.
        case fail
        /// The last answer, again and again.
        case repeatLast
    }

    private let answers: [MockAnswer]
    private let afterLast: AfterLast
    private let given = Locked(0)

    /// Creates a sequence.
    ///
    /// - Parameters:
    ///   - answers: The answers, in order.
    ///   - afterLast: What comes when all were given.
    public init(_ answers: [MockAnswer], afterLast: AfterLast = .fail) {
        self.answers = answers
        self.afterLast = afterLast
    }

    /// Gives the next answer.
    ///
    /// - Returns: The answer.
    /// - Throws: ``MockError/noAnswerLeft(count:)`` where there is none.
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

/// What goes wrong with a mock itself.
public enum MockError: LocalizedError, Sendable, Hashable {
    /// A sequence had so many answers, and all were given.
    case noAnswerLeft(count: Int)

    /// One sentence about what is wrong, in English.
    public var errorDescription: String? {
        switch self {
        case .noAnswerLeft(let count): "All answers of the mock were given (\(count)), and there is another request."
        }
    }
}

extension MockSequence: Redacted {
    /// How many answers there are, and none of them.
    package var shown: KeyValuePairs<String, Any> { ["answers": answers.count, "afterLast": afterLast] }
}
