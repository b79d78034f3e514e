#if os(Linux)
import PiuPiuAsync

/// Parsing OpenSSL's numbers in a text of libcurl.
extension TLSEvidence {
    /// Returns OpenSSL's reason in a text of libcurl as SSL_R_…, such as 267 in `error:0A00010B:SSL routines::…`; `nil` if
    /// there is none.
    static func reason(inText text: String) -> Int? {
        // The word also comes before the number: "TLS connect error: error:0A00010B:SSL routines::…".
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

    /// Returns the alert in a text of libcurl, which is OpenSSL's reason less 1000; `nil` if there is none.
    static func alert(inText text: String) -> UInt8? {
        reason(inText: text).flatMap { UInt8(exactly: $0 - 1000) }
    }
}
#endif
