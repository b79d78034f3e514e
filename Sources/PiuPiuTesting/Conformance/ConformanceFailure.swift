import PiuPiuAsync

/// A failure: the transport does not do what a case requires.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// The ``TransportConformance/Case/name`` of the case.
    public let name: String
    /// The requirement for a transport, as a sentence.
    public let summary: String
    /// The source of the requirement.
    public let source: String
    /// The expectation that failed.
    public let expected: String
    /// The actual result.
    public let seen: String

    init(_ example: TransportConformance.Case, expected: String, seen: String) {
        name = example.name
        summary = example.summary
        source = example.source
        self.expected = expected
        self.seen = seen
    }

    /// The failure as a few lines of text.
    public var description: String {
        "\(name): \(summary) (\(source))\nexpected: \(expected)\nseen: \(seen)"
    }
}
