#if os(Linux)
import PiuPiuEngine

extension TLSFailure {
    /// Creates the explanation of an engine's report; the host is the one that the certificate must match.
    init(_ report: TLSReport, host: String) {
        self.init(report.kind, host: PrintableText.escape(host), alert: report.alert)
        identityFlaw = report.identityFlaw
        guard kind.isAboutPeersCertificate else { return }
        certificate = report.certificate.flatMap { CertificateReader.certificate($0) }
        // Host names are checked in the server's own certificate only, so the depth says nothing about them.
        if kind != .wrongHost { depth = report.depth }
    }

    /// Creates the explanation of a failed handshake; the host is the one that the certificate must match.
    init(_ failure: ChannelFailure, host: String) {
        switch failure {
        case .tls(let report): self.init(report, host: host)
        case .cutOff, .system: self.init(.connectionLost, host: PrintableText.escape(host))
        }
    }
}

extension TLSReport {
    /// The kind of problem.
    var kind: TLSFailure.Kind {
        if let kind = TLSNumbers.kind(ofVerification: verification) { return kind }
        switch check {
        // There was no certificate yet if the host's own name is unusable.
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

    /// Whether an alert is about this client's certificate.
    ///
    /// With TLS 1.3, such an alert arrives after the client's side of the handshake is complete (RFC 8446 §4.4.2.4).
    var isAboutOurCertificate: Bool {
        guard let alert else { return false }
        return [.clientCertificateRequired, .clientCertificateRefused].contains(kind(of: alert))
    }

    private func kind(of alert: UInt8) -> TLSFailure.Kind {
        TLSNumbers.kind(ofAlert: alert, asksForCertificate: asksForCertificate, hasCertificate: hasCertificate)
    }
}
#endif
