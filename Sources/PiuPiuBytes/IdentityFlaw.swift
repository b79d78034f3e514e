/// Why a client's certificate or key cannot be used.
package enum IdentityFlaw: Error, Sendable, Hashable, CaseIterable {
    /// The file of the certificate or the container does not exist, or cannot be read.
    case unreadableCertificate
    /// The file of the key does not exist, or cannot be read.
    case unreadableKey
    /// The certificates are not in PEM, or the container is not PKCS#12.
    case malformedCertificate
    /// The key is not a private key in PEM.
    case malformedKey
    /// The key or the container is encrypted, and the settings have no passphrase.
    case missingPassphrase
    /// The passphrase does not open the key or the container.
    case wrongPassphrase
    /// The key or the container is encrypted with an algorithm that this OpenSSL does not offer, such as RC2 with 40 bits.
    case unsupportedEncryption
    /// The key has another type than the certificate's, such as RSA instead of an elliptic curve.
    case keyOfAnotherType
    /// The key has the certificate's type, but belongs to another certificate.
    case keyOfAnotherCertificate
    /// OpenSSL refuses the certificate or the key for another reason, given in its own words.
    case refused
}
