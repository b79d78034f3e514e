#if os(Linux)
import CShims

/// An error of OpenSSL's error queue, which belongs to the current thread.
struct OpenSSLError {
    private let code: UInt

    /// The first error of the queue, which is the cause of the others; `nil` if the queue is empty.
    static var first: OpenSSLError? { OpenSSLError(cs_ERR_peek_error()) }

    /// The newest error of the queue; `nil` if the queue is empty.
    static var last: OpenSSLError? { OpenSSLError(cs_ERR_peek_last_error()) }

    private init?(_ code: UInt) {
        guard code != 0 else { return nil }
        self.code = code
    }

    /// The reason, SSL_R_… of `openssl/sslerr.h`; `nil` if another part of OpenSSL raised the error.
    var tlsReason: Int? {
        cs_error_library(code) == Int32(CS_ERR_LIB_SSL) ? Int(cs_error_reason(code)) : nil
    }

    /// Whether a PEM text has no more blocks of the requested kind.
    var isEndOfPEM: Bool {
        cs_error_library(code) == Int32(CS_ERR_LIB_PEM) && cs_error_reason(code) == Int32(CS_PEM_R_NO_START_LINE)
    }

    /// Whether a private key does not belong to the certificate, X509_R_KEY_TYPE_MISMATCH or X509_R_KEY_VALUES_MISMATCH.
    var isKeyMismatch: Bool {
        cs_error_library(code) == Int32(CS_ERR_LIB_X509) && [115, 116].contains(cs_error_reason(code))
    }

    /// Whether there is no certificate of the key's type, SSL_R_NO_CERTIFICATE_ASSIGNED.
    var isMissingCertificate: Bool { tlsReason == 177 }

    /// Whether OpenSSL or its loaded providers lack the algorithm of an encrypted key.
    ///
    /// 3.x reports ERR_R_UNSUPPORTED of `openssl/err.h`, and every version has EVP_R_UNSUPPORTED_ALGORITHM,
    /// PEM_R_UNSUPPORTED_CIPHER and PEM_R_UNSUPPORTED_ENCRYPTION.
    var isUnsupportedAlgorithm: Bool {
        switch cs_error_library(code) {
        case Int32(CS_ERR_LIB_EVP): [0x8010C, 156].contains(cs_error_reason(code))
        case Int32(CS_ERR_LIB_PEM): [113, 114].contains(cs_error_reason(code))
        default: false
        }
    }

    /// The error in OpenSSL's words, which contain no data of the connection.
    var text: String {
        let capacity = 256
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            buffer.initialize(repeating: 0)
            cs_ERR_error_string_n(code, start, capacity)
            return String(cString: start)
        }
    }
}
#endif
