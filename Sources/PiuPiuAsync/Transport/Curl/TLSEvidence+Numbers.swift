#if os(Linux)
/// OpenSSL's numbers, which are the same in all its versions since 1.1.1, except where noted.
extension TLSEvidence {
    /// Returns what a result of the verification means.
    ///
    /// - Parameter error: X509_V_ERR_… of `openssl/x509_vfy.h`.
    /// - Returns: The kind; `nil` if there was no error, or if it says nothing.
    static func kind(ofVerification error: Int) -> TLSFailure.Kind? {
        switch error {
        case 9: .notYetValid
        case 10: .expired
        case 18: .selfSigned
        // 19: the chain is whole, but its root is not trusted here.
        case 2, 19, 20, 21, 27, 28: .unknownAuthority
        case 23: .revoked
        case 3, 5, 8, 11, 12, 15, 16, 33, 35, 36, 44, 54: .revocationUnknown
        case 26: .wrongPurpose
        case 62, 63, 64: .wrongHost
        case 66, 67, 68: .weak
        case 73, 75: .statusMissing
        // 24 is an invalid authority before OpenSSL 3, and 79 since.
        case 4, 6, 7, 13, 14, 22, 24, 25, 29, 30, 31, 32, 34, 37...43, 45...49, 51...53, 55, 69...72, 76...94:
            .invalidChain
        case 0, 1: nil
        default: .other
        }
    }

    /// Returns what OpenSSL's own reason for giving up means.
    ///
    /// - Parameter reason: SSL_R_… of `openssl/sslerr.h`.
    /// - Returns: The kind; `nil` if the reason is another one.
    static func kind(ofReason reason: Int) -> TLSFailure.Kind? {
        switch reason {
        // wrong version number, unknown protocol, packet length too long, http request, https proxy request
        case 267, 252, 198, 156, 155: .notTLS
        // unsupported protocol, no protocols available, version too low or high, inappropriate fallback, bad version
        case 258, 191, 396, 166, 373, 116, 292: .protocolVersion
        // no ciphers available, no cipher match, no shared cipher, unknown or wrong cipher returned, no suitable key share,
        // groups or signature algorithm, no shared signature algorithms
        case 181, 185, 193, 248, 261, 101, 295, 118, 376: .noCommonCipher
        // a key of DH, an authority or the server is too small, an authority's digest is too weak, wrong signature type,
        // unsafe renegotiation
        case 394, 397, 399, 398, 370, 338: .weak
        // unexpected eof while reading
        case 294: .connectionLost
        default: nil
        }
    }

    /// Returns the number of the reason that OpenSSL gives in a text, such as 267 in `error:0A00010B:SSL routines::…`.
    ///
    /// - Parameter text: libcurl's text.
    /// - Returns: SSL_R_…; `nil` if there is none.
    static func reason(inText text: String) -> Int? {
        // The word stands before the number, too: "TLS connect error: error:0A00010B:SSL routines::…".
        for rest in text.components(separatedBy: "error:").dropFirst() {
            let digits = rest.utf8.prefix(8)
            let isNumber = digits.count == 8 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
            guard isNumber, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else { continue }
            // ERR_LIB_SSL is 20. OpenSSL 3 has 23 bits for the reason; its predecessor has 12, and 12 for a function.
            if code >> 23 == 20 { return Int(code & 0x7F_FFFF) }
            if code >> 24 == 20 { return Int(code & 0xFFF) }
        }
        return nil
    }

    /// Returns the alert that a text tells of: OpenSSL's reason is 1000 more.
    ///
    /// - Parameter text: libcurl's text.
    /// - Returns: The alert; `nil` if there is none.
    static func alert(inText text: String) -> UInt8? {
        reason(inText: text).flatMap { UInt8(exactly: $0 - 1000) }
    }
}
#endif
