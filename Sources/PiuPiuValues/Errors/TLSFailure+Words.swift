extension TLSFailure.Kind {
    /// Returns the kind that a library's message describes, if there is no other information; ``other`` for unknown words.
    ///
    /// The words are those of different versions of libcurl and OpenSSL.
    package static func words(_ text: String) -> TLSFailure.Kind {
        let text = text.lowercased()
        return table.first { text.contains($0.words) }?.kind ?? .other
    }

    private static let table: [(words: String, kind: TLSFailure.Kind)] = [
        ("certificate has expired", .expired), ("not yet valid", .notYetValid),
        ("no alternative certificate subject name", .wrongHost), ("does not match target host", .wrongHost),
        ("hostname mismatch", .wrongHost), ("in certificate chain", .unknownAuthority),
        ("self-signed certificate", .selfSigned), ("self signed certificate", .selfSigned),
        ("unable to get local issuer", .unknownAuthority), ("unable to get issuer", .unknownAuthority),
        ("unable to verify the first", .unknownAuthority), ("invalid ca certificate", .invalidChain),
        ("certificate revoked", .revoked), ("certificate purpose", .wrongPurpose), ("unsuitable", .wrongPurpose),
        ("key too small", .weak), ("key too weak", .weak), ("md too weak", .weak), ("digest algorithm too weak", .weak),
        ("certificate required", .clientCertificateRequired), ("pinned public key", .pinMismatch),
        ("wrong version number", .notTLS), ("protocol version", .protocolVersion),
        ("unsupported protocol", .protocolVersion), ("handshake failure", .noCommonCipher),
        ("unexpected eof", .connectionLost), ("ssl_error_syscall", .connectionLost), ("reset by peer", .connectionLost),
        ("broken pipe", .connectionLost), ("ssl_error_zero_return", .connectionLost),
        // Not an error: the server has closed TLS properly.
        ("error:00000000", .connectionLost),
    ]
}
