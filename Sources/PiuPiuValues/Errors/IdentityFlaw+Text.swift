extension IdentityFlaw {
    /// The cause, as the end of a sentence.
    var cause: String {
        switch self {
        case .unreadableCertificate: "the certificate's file cannot be read"
        case .unreadableKey: "the key's file cannot be read"
        case .malformedCertificate: "the certificate is neither PEM nor PKCS#12, or it is damaged"
        case .malformedKey: "the key is not a private key in PEM, or it is damaged"
        case .missingPassphrase: "it is encrypted, and there is no passphrase"
        case .wrongPassphrase: "the passphrase does not open it"
        case .unsupportedEncryption: "this OpenSSL does not support the algorithm that it is encrypted with"
        case .keyOfAnotherType: "the key is of another type than the certificate's key"
        case .keyOfAnotherCertificate: "the key belongs to another certificate"
        case .refused: "OpenSSL refuses it"
        }
    }

    /// The remedy, as one or two sentences.
    var remedy: String {
        switch self {
        case .unreadableCertificate, .unreadableKey:
            "Check that the file exists, and that this process may read it."
        case .malformedCertificate, .malformedKey:
            "Check the file with `openssl x509`, `openssl pkey` or `openssl pkcs12`, and that its format is the one of the "
                + "TLSIdentity: .pem or .pkcs12."
        case .missingPassphrase: "Pass the passphrase to the TLSIdentity."
        case .wrongPassphrase: "Check the passphrase of the TLSIdentity. A damaged file looks the same."
        case .unsupportedEncryption:
            "OpenSSL 3 has RC2 and other old algorithms in its legacy provider only. Encrypt the file anew: `openssl pkcs12 "
                + "-legacy -in old.p12 -nodes -out all.pem`, then `openssl pkcs12 -export -in all.pem -out new.p12`."
        case .keyOfAnotherType, .keyOfAnotherCertificate:
            "Use the key that the certificate was requested with: `openssl x509 -noout -pubkey` and `openssl pkey -pubout` "
                + "print the same for the two."
        case .refused: "OpenSSL's own text says more, such as that a key is too small for its security level."
        }
    }
}
