extension TLSFailure {
    /// The known details of a certificate that the peer presented.
    ///
    /// The peer chose all of its texts, and nothing guarantees that they are true: do not base a decision on them. The texts
    /// are limited in length, and safe to print: every character that is neither a letter, a digit nor printable ASCII is
    /// escaped.
    public struct Certificate: Sendable, Hashable {
        /// The subject of the certificate: the common name and the organization; empty if it has neither.
        public var subject: String
        /// The issuer of the certificate: the common name and the organization; empty if it has neither.
        public var issuer: String
        /// The host names and addresses of the certificate (RFC 5280 §4.2.1.6), at most 8.
        ///
        /// If its extension contains none, this is the common name of the subject.
        public var names: [String]
        /// The number of names beyond those in ``names``.
        public var omittedNames: Int
        /// The start of its validity; `nil` if it could not be read.
        public var validFrom: Date?
        /// The end of its validity; `nil` if it could not be read.
        public var validUntil: Date?

        /// Creates a certificate's description.
        ///
        /// - Parameters:
        ///   - subject: The subject of the certificate.
        ///   - issuer: The issuer of the certificate.
        ///   - names: The host names and addresses of the certificate.
        ///   - omittedNames: The number of names beyond those in `names`.
        ///   - validFrom: The start of its validity.
        ///   - validUntil: The end of its validity.
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
