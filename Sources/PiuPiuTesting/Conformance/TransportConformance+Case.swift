import PiuPiuAsync

extension TransportConformance {
    /// A requirement for a transport, and the test that checks it.
    public struct Case: Sendable, Identifiable, CustomStringConvertible {
        /// The kind of peer that a case needs.
        public enum Kind: Sendable, Hashable {
            /// Any ``ConformancePeer``.
            case semantics
            /// A server that can send arbitrary bytes: a peer with a ``ConformancePeer/server``.
            case wire
        }

        /// The name, such as `framing.chunks`; it stays the same across versions.
        public let name: String
        /// The requirement, as a sentence.
        public let summary: String
        /// The source of the requirement: a section of an RFC, or a declaration of `PiuPiuAsync`.
        public let source: String
        /// The kind of peer that the case needs.
        public let kind: Kind
        let body: @Sendable (ConformanceBench) async throws -> Void

        /// The name.
        public var id: String { name }
        /// The name.
        public var description: String { name }

        static func semantics(
            _ name: String,
            _ summary: String,
            _ source: String,
            _ body: @escaping @Sendable (ConformanceBench) async throws -> Void
        ) -> Case {
            Case(name: name, summary: summary, source: source, kind: .semantics, body: body)
        }

        static func wire(
            _ name: String,
            _ summary: String,
            _ source: String,
            _ body: @escaping @Sendable (ConformanceBench) async throws -> Void
        ) -> Case {
            Case(name: name, summary: summary, source: source, kind: .wire, body: body)
        }
    }
}
