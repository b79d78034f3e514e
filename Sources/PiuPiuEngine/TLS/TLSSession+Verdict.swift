#if os(Linux)
import CShims

/// Interpreting the results of calls into OpenSSL.
extension TLSSession {
    /// Why a call returned nothing.
    enum Verdict {
        case wantsRead
        case wantsWrite
        /// The server sent close_notify.
        case closed
        case failed(ChannelFailure)
    }

    /// SSL_R_CERTIFICATE_VERIFY_FAILED.
    private static let verifyFailed = 134
    /// SSL_R_UNEXPECTED_EOF_WHILE_READING.
    private static let unexpectedEnd = 294
    /// SSL_AD_REASON_OFFSET: the difference between the reason of an alert and the alert's number.
    private static let alertOffset = 1000

    /// Explains a result other than success, directly after the call that returned it.
    func verdict(_ result: Int32) -> Verdict {
        let error = Int(cs_SSL_get_error(ssl, result))
        switch error {
        case Int(CS_SSL_ERROR_WANT_READ): return .wantsRead
        case Int(CS_SSL_ERROR_WANT_WRITE):
            return link.pointee.write_error == 0 ? .wantsWrite : .failed(.system(link.pointee.write_error))
        // A configuration file can make OpenSSL treat any end as a clean one.
        case Int(CS_SSL_ERROR_ZERO_RETURN): return link.pointee.is_ended ? .failed(.cutOff) : .closed
        default: break
        }
        if let failureBelow { return .failed(failureBelow) }
        if link.pointee.read_error != 0 { return .failed(.system(link.pointee.read_error)) }
        // 1.1.1 reports the end of a connection as a system error, 3.x as a TLS error.
        let isCutOff = error == Int(CS_SSL_ERROR_SYSCALL) || OpenSSLError.first?.tlsReason == Self.unexpectedEnd
        if link.pointee.is_ended, isCutOff, link.pointee.verification == 0 { return .failed(.cutOff) }
        return .failed(.tls(report(.none, "TLS failed")))
    }

    /// Creates a report with all details that are known now, and with OpenSSL's words after the text.
    func report(_ check: TLSReport.Check, _ text: String) -> TLSReport {
        var report = TLSReport.failedCall(check, text)
        let link = link.pointee
        if link.verification != 0 {
            report.verification = Int(link.verification)
            report.depth = Int(link.depth)
        } else if report.reason == Self.verifyFailed {
            report.verification = cs_SSL_get_verify_result(ssl)
        }
        report.alert = UInt8(exactly: link.alert) ?? report.reason.flatMap { UInt8(exactly: $0 - Self.alertOffset) }
        report.asksForCertificate = link.asks_for_certificate
        report.hasCertificate = link.has_certificate
        let certificate = cs_SSL_get1_peer_certificate(ssl)
        defer { cs_X509_free(certificate) }
        report.sawCertificate = link.has_seen_certificate || certificate != nil
        report.certificate = (link.refused ?? certificate).flatMap(Self.encoding)
        return report
    }

    /// Returns a certificate in DER; `nil` if it is too large for an error.
    private static func encoding(_ certificate: OpaquePointer) -> [UInt8]? {
        let count = Int(cs_i2d_X509(certificate, nil))
        guard count > 0, count <= 64 << 10 else { return nil }
        var written = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var position = buffer.baseAddress
            written = Int(cs_i2d_X509(certificate, &position))
            filled = written == count ? count : 0
        }
        return written == count ? bytes : nil
    }
}
#endif
