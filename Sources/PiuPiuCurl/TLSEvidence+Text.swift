#if os(Linux)
import PiuPiuAsync

/// The numbers that a text of libcurl quotes from OpenSSL.
extension TLSEvidence {
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
