extension TLSFailure {
    /// What is known about a certificate that the other side presented.
    ///
    /// The other side chose every text in it, and nobody vouches for it: do not base a decision on it. The texts are
    /// bounded, and safe to print: what is neither a letter or digit nor printable ASCII is escaped.
    public struct Certificate: Sendable, Hashable {
        /// Whom the certificate is for: the common name and the organisation; empty if it names neither.
        public var subject: String
        /// Who signed it: the common name and the organisation; empty if it names neither.
        public var issuer: String
        /// The host names and addresses that it is for (RFC 5280 §4.2.1.6), at most 8.
        ///
        /// If it has none in its extension, the common name of the subject.
        public var names: [String]
        /// The number of names beyond those in ``names``.
        public var omittedNames: Int
        /// From when it is valid; `nil` if that could not be read.
        public var validFrom: Date?
        /// Until when it is valid; `nil` if that could not be read.
        public var validUntil: Date?

        /// Creates a certificate's description.
        ///
        /// - Parameters:
        ///   - subject: Whom it is for.
        ///   - issuer: Who signed it.
        ///   - names: The host names and addresses that it is for.
        ///   - omittedNames: The number of further names.
        ///   - validFrom: From when it is valid.
        ///   - validUntil: Until when it is valid.
        public init(
            subject: String = "",
            issuer: String = "",
            names: [String] = [],
            omittedNames: Int = 0,
            validFrom: Date? = nil,
            validUntil: Date? = nil
        ) {
            self.subject = subject
            self.issuer = issuer
            self.names = names
            self.omittedNames = omittedNames
            self.validFrom = validFrom
            self.validUntil = validUntil
        }
    }
}
