import PiuPiuAsync

extension TransportConformance {
    /// One thing that a transport has to do.
    public struct Case: Sendable, Identifiable, CustomStringConvertible {
        /// What a case needs.
        public enum Kind: Sendable, Hashable {
            /// Any ``ConformancePeer``.
            case semantics
            /// A server that sends bytes as it likes: a peer with a ``ConformancePeer/server``.
            case wire
        }

        /// The name, such as `framing.chunks`; it does not change from version to version.
        public let name: String
        /// What the transport has to do, in a sentence.
        public let summary: String
        /// Where that is written: a section of an RFC, or a declaration of `PiuPiuAsync`.
        public let source: String
        /// What the case needs.
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
