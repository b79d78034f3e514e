#if os(Linux)
import CShims

/// The OCSP response that a server staples to its handshake (RFC 6066 §8, RFC 6960).
extension TLSSession {
    /// The tolerated difference between clocks, in seconds.
    private static let tolerance = 300

    /// Returns why the stapled response is not good; `nil` if it is.
    func stapledStatusFault() -> TLSReport.Check? {
        guard let basic = stapledResponse() else { return .status(revoked: false) }
        defer { cs_OCSP_BASICRESP_free(basic) }
        guard let chain = cs_SSL_get0_verified_chain(ssl), let store = cs_SSL_CTX_get_cert_store(context.pointer),
            cs_OCSP_basic_verify(basic, chain, store, 0) == 1
        else { return .status(revoked: false) }
        let certificates = TLSContext.certificates(chain)
        guard certificates.count > 1 else { return .status(revoked: false) }
        switch status(of: certificates[0], issuer: certificates[1], in: basic) {
        case Int32(CS_V_OCSP_CERTSTATUS_GOOD): return nil
        case Int32(CS_V_OCSP_CERTSTATUS_REVOKED): return .status(revoked: true)
        default: return .status(revoked: false)
        }
    }

    /// Returns the stapled response; `nil` if there is none, or it is not a successful response.
    private func stapledResponse() -> OpaquePointer? {
        // OpenSSL still owns the bytes.
        var bytes: UnsafePointer<UInt8>?
        let command = Int32(CS_SSL_CTRL_GET_TLSEXT_STATUS_REQ_OCSP_RESP)
        let count = withUnsafeMutablePointer(to: &bytes) { cs_SSL_ctrl(ssl, command, 0, $0) }
        guard count > 0, bytes != nil, let response = cs_d2i_OCSP_RESPONSE(nil, &bytes, count) else { return nil }
        defer { cs_OCSP_RESPONSE_free(response) }
        // OCSP_RESPONSE_STATUS_SUCCESSFUL
        guard cs_OCSP_response_status(response) == 0 else { return nil }
        return cs_OCSP_response_get1_basic(response)
    }

    /// Returns the status of a certificate, V_OCSP_CERTSTATUS_…; `nil` if the response is not about it, or out of date.
    private func status(of certificate: OpaquePointer, issuer: OpaquePointer, in basic: OpaquePointer) -> Int32? {
        // Responders identify certificates with either digest.
        for digest in [cs_EVP_sha1, cs_EVP_sha256] {
            guard let digest = digest(), let identifier = cs_OCSP_cert_to_id(digest, certificate, issuer) else {
                continue
            }
            defer { cs_OCSP_CERTID_free(identifier) }
            var status: Int32 = -1
            var (thisUpdate, nextUpdate): (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?)
            let isFound = cs_OCSP_resp_find_status(basic, identifier, &status, nil, nil, &thisUpdate, &nextUpdate) == 1
            guard isFound, let thisUpdate else { continue }
            return cs_OCSP_check_validity(thisUpdate, nextUpdate, Self.tolerance, -1) == 1 ? status : nil
        }
        return nil
    }
}
#endif
