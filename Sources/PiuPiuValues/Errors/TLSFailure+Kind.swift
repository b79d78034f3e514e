extension TLSFailure {
    /// The kind of a TLS handshake's failure.
    ///
    /// Later versions may add kinds: a `switch` over them needs a `default`.
    public struct Kind: Sendable, Hashable {
        private enum Storage: Hashable, Sendable, CaseIterable {
            case expired, notYetValid, wrongHost, unknownAuthority, selfSigned, invalidChain, wrongPurpose
            case revoked, revocationUnknown, statusMissing, statusRevoked, weak, pinMismatch
            case protocolVersion, noCommonCipher
            case clientCertificateRequired, clientCertificateRefused, clientIdentityUnusable, authoritiesUnusable
            case alert, notTLS, connectionLost, other
        }

        private let storage: Storage

        /// All kinds of this version.
        package static var all: [Kind] { Storage.allCases.map { Kind(storage: $0) } }

        /// The certificate, or one of its authorities, is no longer valid.
        public static let expired = Kind(storage: .expired)
        /// The certificate, or one of its authorities, is not valid yet.
        public static let notYetValid = Kind(storage: .notYetValid)
        /// The certificate is not for the host of the URL.
        public static let wrongHost = Kind(storage: .wrongHost)
        /// The chain of certificates does not lead to a trusted authority.
        ///
        /// The authority is unknown here, or the server does not send the intermediate certificates.
        public static let unknownAuthority = Kind(storage: .unknownAuthority)
        /// The server signed its certificate itself.
        public static let selfSigned = Kind(storage: .selfSigned)
        /// A certificate of the chain must not sign the previous one, or its signature is wrong.
        public static let invalidChain = Kind(storage: .invalidChain)
        /// A server must not use the certificate.
        public static let wrongPurpose = Kind(storage: .wrongPurpose)
        /// The certificate is on the list of revoked certificates.
        public static let revoked = Kind(storage: .revoked)
        /// The list of revoked certificates does not cover the certificate's authority, or is out of date.
        public static let revocationUnknown = Kind(storage: .revocationUnknown)
        /// The server did not prove with OCSP (RFC 6066 §8) that its certificate was not revoked, although a proof is required.
        public static let statusMissing = Kind(storage: .statusMissing)
        /// The certificate's authority reports with OCSP that it was revoked.
        public static let statusRevoked = Kind(storage: .statusRevoked)
        /// A key, a signature or a parameter is too weak.
        public static let weak = Kind(storage: .weak)
        /// The server's key is not the one that was pinned.
        public static let pinMismatch = Kind(storage: .pinMismatch)
        /// The peers have no version of TLS in common.
        public static let protocolVersion = Kind(storage: .protocolVersion)
        /// The peers have no cipher suite, group or signature algorithm in common.
        public static let noCommonCipher = Kind(storage: .noCommonCipher)
        /// The server requires a client certificate.
        ///
        /// With TLS 1.3, the server reports this after the handshake, when the request may already have been sent.
        public static let clientCertificateRequired = Kind(storage: .clientCertificateRequired)
        /// The server refused the client certificate.
        public static let clientCertificateRefused = Kind(storage: .clientCertificateRefused)
        /// The client's certificate or key cannot be used: it is unreadable, its passphrase is wrong, or they do not match.
        public static let clientIdentityUnusable = Kind(storage: .clientIdentityUnusable)
        /// The authorities to trust, or the list of revoked certificates, cannot be read.
        public static let authoritiesUnusable = Kind(storage: .authoritiesUnusable)
        /// The server ended the handshake with an alert that has no kind of its own; ``TLSFailure/alert`` is its number.
        public static let alert = Kind(storage: .alert)
        /// The server does not use TLS on that port.
        public static let notTLS = Kind(storage: .notTLS)
        /// The connection ended during the handshake.
        public static let connectionLost = Kind(storage: .connectionLost)
        /// Any other failure; ``TransportError/underlyingDescription`` contains the library's text.
        public static let other = Kind(storage: .other)
    }
}

extension TLSFailure.Kind: CustomStringConvertible {
    /// The kind's name, such as `wrongHost`.
    public var description: String { "\(storage)" }
}

extension TLSFailure.Kind: ErrorPattern {
    /// Returns whether an error is a ``TransportError`` with a failure of this kind.
    ///
    /// - Parameter error: The error that was thrown.
    /// - Returns: `true` if it is.
    public func matches(_ error: any Error) -> Bool { (error as? TransportError)?.tlsFailure?.kind == self }
}
