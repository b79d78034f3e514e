/// The certificate and the key with which a client authenticates itself to servers.
///
/// Each identity has its own connections, so it never reaches a connection of another one. Descriptions show neither
/// keys nor passphrases.
public struct TLSIdentity: Sendable, Hashable {
    package enum Form: Sendable, Hashable { case pem, pkcs12 }

    package enum Part: Sendable, Hashable {
        case file(URL)
        case bytes(Data)
    }

    package let form: Form
    /// The certificate, followed by its intermediate certificates; in PKCS#12, it includes the key.
    package let certificate: Part
    /// The key; `nil` if the certificate's file contains it.
    package let key: Part?
    package let passphrase: String?

    /// An identity in PEM files (RFC 7468).
    ///
    /// Each new connection reads the files, so a renewed certificate takes effect at the next connection. Open connections keep
    /// the old one; after the transport's `reconfigure(_:)`, the next request uses a new connection. To exclude sessions of
    /// the old certificate, TLS sessions are never resumed.
    ///
    /// - Parameters:
    ///   - certificates: The file of the client's certificate, followed by those of intermediate authorities.
    ///   - key: The file of the key; `nil` if the key is in the same file.
    ///   - passphrase: The passphrase of the key; `nil` if the key is not encrypted.
    /// - Returns: The identity.
    public static func pem(certificates: URL, key: URL? = nil, passphrase: String? = nil) -> TLSIdentity {
        TLSIdentity(form: .pem, certificate: .file(certificates), key: key.map(Part.file), passphrase: passphrase)
    }

    /// An identity in memory, in PEM (RFC 7468).
    ///
    /// - Parameters:
    ///   - certificates: The client's certificate, followed by those of intermediate authorities.
    ///   - key: The key; `nil` if it is among `certificates`.
    ///   - passphrase: The passphrase of the key; `nil` if the key is not encrypted.
    /// - Returns: The identity.
    public static func pem(certificates: Data, key: Data? = nil, passphrase: String? = nil) -> TLSIdentity {
        TLSIdentity(form: .pem, certificate: .bytes(certificates), key: key.map(Part.bytes), passphrase: passphrase)
    }

    /// An identity in a PKCS#12 file (RFC 7292).
    ///
    /// OpenSSL 3 does not read files that are encrypted with RC2, the default of OpenSSL 1. Renewed files take effect as with
    /// ``pem(certificates:key:passphrase:)-(URL,_,_)``.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - passphrase: Its passphrase; `nil` for none.
    /// - Returns: The identity.
    public static func pkcs12(_ file: URL, passphrase: String? = nil) -> TLSIdentity {
        TLSIdentity(form: .pkcs12, certificate: .file(file), key: nil, passphrase: passphrase)
    }

    /// An identity in memory, in PKCS#12 (RFC 7292).
    ///
    /// - Parameters:
    ///   - bytes: The contents of the file.
    ///   - passphrase: Its passphrase; `nil` for none.
    /// - Returns: The identity.
    public static func pkcs12(_ bytes: Data, passphrase: String? = nil) -> TLSIdentity {
        TLSIdentity(form: .pkcs12, certificate: .bytes(bytes), key: nil, passphrase: passphrase)
    }
}

extension TLSIdentity: Redacted {
    /// The format and the file of the certificate.
    package var shown: KeyValuePairs<String, Any> {
        guard case .file(let url) = certificate else { return ["form": form] }
        return ["form": form, "file": url.path()]
    }
}
