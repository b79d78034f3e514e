#if os(Linux)
import PiuPiuEngine

extension TLSFailure {
    /// Explains a report of the engine's.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - host: The host that the certificate has to be for.
    init(_ report: TLSReport, host: String) {
        self.init(report.kind, host: PrintableText.escape(host), alert: report.alert)
        identityFlaw = report.identityFlaw
        guard kind.isAboutPeersCertificate else { return }
        certificate = report.certificate.flatMap { CertificateReader.certificate($0) }
        // Names are those of the server's own certificate.
        if kind != .wrongHost { depth = report.depth }
    }

    /// Explains why a handshake failed.
    ///
    /// - Parameters:
    ///   - failure: What became of the connection.
    ///   - host: The host that the certificate has to be for.
    init(_ failure: ChannelFailure, host: String) {
        switch failure {
        case .tls(let report): self.init(report, host: host)
        case .cutOff, .system: self.init(.connectionLost, host: PrintableText.escape(host))
        }
    }
}

extension TLSReport {
    /// What went wrong.
    var kind: TLSFailure.Kind {
        if let kind = TLSNumbers.kind(ofVerification: verification) { return kind }
        switch check {
        // No certificate was seen when the host's own name is unusable.
        case .none, .name, .applicationProtocol, .library: break
        case .pin: return .pinMismatch
        case .status(let revoked): return revoked ? .statusRevoked : .statusMissing
        case .identity: return .clientIdentityUnusable
        case .authorities: return .authoritiesUnusable
        case .ciphers: return .noCommonCipher
        }
        if let alert { return kind(of: alert) }
        return reason.flatMap(TLSNumbers.kind(ofReason:)) ?? .words(text)
    }

    /// Whether an alert is about a certificate of ours.
    ///
    /// With TLS 1.3, such an alert comes after our side of the handshake is complete (RFC 8446 §4.4.2.4).
    var isAboutOurCertificate: Bool {
        guard let alert else { return false }
        return [.clientCertificateRequired, .clientCertificateRefused].contains(kind(of: alert))
    }

    private func kind(of alert: UInt8) -> TLSFailure.Kind {
        TLSNumbers.kind(ofAlert: alert, asksForCertificate: asksForCertificate, hasCertificate: hasCertificate)
    }
}
#endif
