import PiuPiuAsync

/// A transport does not do what a case asks of it.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// The ``TransportConformance/Case/name`` of the case.
    public let name: String
    /// What the case asks of a transport, in a sentence.
    public let summary: String
    /// Where that is written.
    public let source: String
    /// What was expected at the point where it failed.
    public let expected: String
    /// What was seen there.
    public let seen: String

    init(_ example: TransportConformance.Case, expected: String, seen: String) {
        name = example.name
        summary = example.summary
        source = example.source
        self.expected = expected
        self.seen = seen
    }

    /// The failure in a few lines.
    public var description: String {
        "\(name): \(summary) (\(source))\nexpected: \(expected)\nseen: \(seen)"
    }
}
