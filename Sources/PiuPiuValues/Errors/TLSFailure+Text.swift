extension TLSFailure: CustomStringConvertible {
    /// The failure, as a sentence.
    public var description: String {
        switch kind {
        case .expired: "\(owner) expired\(certificate?.validUntil.map { " on \(Self.text($0))" } ?? "")"
        case .notYetValid:
            certificate?.validFrom.map { "\(owner) is not valid before \(Self.text($0))" }
                ?? "\(owner) is not valid yet"
        case .wrongHost: "The \(peer)'s certificate is for \(names), not for \(host ?? "the \(peer)'s name")"
        case .unknownAuthority: "The \(peer)'s certificate leads to an authority that is not trusted here\(issuer)"
        case .selfSigned: "The \(peer) signed its certificate itself\(subject)"
        case .invalidChain: "The \(peer)'s certificates do not form a valid chain\(culprit)"
        case .wrongPurpose: "\(owner) may not be used for a server\(subject)"
        case .revoked: "\(owner) was revoked"
        case .revocationUnknown:
            "The list of revoked certificates says nothing about the \(peer)'s certificate\(issuer)"
        case .statusMissing: "The \(peer) did not prove that its certificate is not revoked"
        case .statusRevoked: "\(owner) was revoked by its authority"
        case .weak: "The \(peer) uses a key, a signature or a protocol feature that is too weak\(culprit)"
        case .pinMismatch: "The \(peer)'s key is not the pinned one"
        case .protocolVersion: "The \(peer) supports no version of TLS that is allowed here"
        case .noCommonCipher: "The \(peer) and this client have no cipher suite in common"
        case .clientCertificateRequired: "The \(peer) requires a client certificate"
        case .clientCertificateRefused: "The \(peer) refused the client certificate\(alertText)"
        case .clientIdentityUnusable:
            "The client certificate or its key cannot be used" + (identityFlaw.map { ": " + $0.cause } ?? "")
        case .authoritiesUnusable: "The authorities to trust, or the list of revoked certificates, cannot be read"
        case .alert: "The \(peer) ended the TLS handshake\(alertText)"
        case .notTLS: "The \(peer) does not speak TLS on this port"
        case .connectionLost: "The \(peer) closed the connection during the TLS handshake"
        default: "The TLS handshake with the \(peer) failed"
        }
    }

    /// The remedy, as one or two sentences.
    public var recoverySuggestion: String {
        switch kind {
        case .expired where isAuthority:
            "Have the \(peer) send a current certificate of its authority, or update the authorities that this machine "
                + "trusts. Check this machine's clock, too."
        case .expired: "Renew the certificate on the \(peer), or check this machine's clock."
        case .notYetValid: "Check this machine's clock, or wait until the certificate is valid."
        case .wrongHost:
            "Use one of the certificate's names in the URL, or install a certificate for the name in use on the \(peer). "
                + "Check, too, that the name leads to the right machine."
        case .unknownAuthority:
            "Have the \(peer) send all certificates between its own and the authority's. If the authority is private, name "
                + "its certificate in TransportConfiguration.certificateAuthorityFile."
        case .selfSigned:
            "Install a certificate of an authority on the \(peer). If the certificate is known to be the right one, name it in "
                + "TransportConfiguration.certificateAuthorityFile."
        case .invalidChain:
            "Have the authority issue a certificate again, by a certificate that may sign others (CA:TRUE, keyCertSign), "
                + "and install the whole chain on the \(peer)."
        case .wrongPurpose:
            "Install a certificate on the \(peer) whose extended key usage contains serverAuth."
        case .revoked, .statusRevoked:
            "Install a new certificate on the \(peer). Do not trust the old one: its key may be in other hands."
        case .revocationUnknown:
            "Update the list of revoked certificates, and add the lists of all authorities in the chain."
        case .statusMissing: "Turn on OCSP stapling on the \(peer), or do not require it."
        case .weak:
            "Install a certificate with an RSA key of at least 2048 bits, or an elliptic one, and an SHA-256 signature, and "
                + "update the \(peer)'s TLS software."
        case .pinMismatch:
            "If the \(peer)'s key was changed on purpose, pin the new one. Otherwise someone may be reading the connection."
        case .protocolVersion: "Enable TLS 1.2 or 1.3 on the \(peer), or allow the version that it supports."
        case .noCommonCipher: "Enable a modern cipher suite on the \(peer), or allow one that it supports."
        case .clientCertificateRequired: "Configure a client certificate that the \(peer) accepts."
        case .clientCertificateRefused:
            "Check that the client certificate is current, is meant for clients, and was signed by an authority that the "
                + "\(peer) accepts; send the certificates between, too."
        case .clientIdentityUnusable:
            identityFlaw?.remedy
                ?? "Check the file, its format and its passphrase, and that the key belongs to the certificate."
        case .authoritiesUnusable: "Check that the file exists, is readable, and contains certificates or lists in PEM."
        case .alert where alert == 112: "Check the host's name: the \(peer) has no certificate for it."
        case .alert: "The \(peer)'s log says why; the number of the alert is \(alert.map { "\($0)" } ?? "unknown")."
        case .notTLS: "Check the port, or use http:// in the URL if the \(peer) is meant to be used without TLS."
        case .connectionLost:
            "Check the port and the \(peer)'s log; a firewall, or a \(peer) that expects another protocol, closes connections "
                + "like this."
        default: "The library's text says more; the \(peer)'s log may, too."
        }
    }

    // MARK: Parts

    private var peer: String { isProxy ? "proxy" : "server" }

    private var isAuthority: Bool { (depth ?? 0) > 0 }

    /// The owner of the refused certificate, as the beginning of a sentence.
    private var owner: String {
        guard isAuthority else { return "The \(peer)'s certificate" }
        return "An authority's certificate in the \(peer)'s chain\(subject)"
    }

    private var subject: String { Self.quoted(certificate?.subject) }

    private var issuer: String { Self.quoted(certificate?.issuer) }

    private var culprit: String { isAuthority ? ": it has the certificate\(subject)" : subject }

    private static func quoted(_ name: String?) -> String { name.flatMap { $0.isEmpty ? nil : " (\($0))" } ?? "" }

    private var names: String {
        guard let certificate, let last = certificate.names.last else { return "other names" }
        guard certificate.omittedNames == 0 else {
            return certificate.names.joined(separator: ", ") + " and \(certificate.omittedNames) more"
        }
        guard certificate.names.count > 1 else { return last }
        return certificate.names.dropLast().joined(separator: ", ") + " and " + last
    }

    private static func text(_ date: Date) -> String {
        guard let text = RFC3339.string(from: date) else { return "an unknown date" }
        return text.dropLast().split(separator: "T").joined(separator: " ") + " UTC"
    }

    private var alertText: String {
        guard let alert else { return "" }
        return " (" + (Self.alertNames[alert] ?? "alert \(alert)") + ")"
    }

    /// The names of alerts (RFC 8446 §6, RFC 5246 §7.2).
    private static let alertNames: [UInt8: String] = [
        10: "unexpected_message", 20: "bad_record_mac", 22: "record_overflow", 40: "handshake_failure",
        41: "no_certificate", 42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked",
        45: "certificate_expired", 46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca",
        49: "access_denied", 50: "decode_error", 51: "decrypt_error", 70: "protocol_version",
        71: "insufficient_security", 80: "internal_error", 86: "inappropriate_fallback", 90: "user_canceled",
        109: "missing_extension", 110: "unsupported_extension", 112: "unrecognized_name",
        113: "bad_certificate_status_response", 115: "unknown_psk_identity", 116: "certificate_required",
        120: "no_application_protocol",
    ]
}
