import PiuPiuAsync

extension TransportConformance {
    /// A requirement for a transport, with the test for it.
    public struct Case: Sendable, Identifiable, CustomStringConvertible {
        /// What a case requires of its peer.
        public enum Kind: Sendable, Hashable {
            /// Any ``ConformancePeer``.
            case semantics
            /// A server that can send arbitrary bytes: a peer with a ``ConformancePeer/server``.
            case wire
        }

        /// The name, such as `framing.chunks`; it stays the same across versions.
        public let name: String
        /// What the transport has to do, as a sentence.
        public let summary: String
        /// Where the requirement is written: a section of an RFC, or a declaration of `PiuPiuAsync`.
        public let source: String
        /// What the case requires of its peer.
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
