/// A block of a PEM text (RFC 7468).
package struct PEMBlock {
    /// The label, such as `CERTIFICATE`.
    package let label: String
    /// The bytes; `nil` if they are not Base64.
    let bytes: Data?
    /// Whether the bytes are encrypted, in the PKCS#8 or the RFC 1421 format.
    package let isEncrypted: Bool

    /// Whether this is a certificate, according to the label and the first byte.
    var isCertificate: Bool {
        ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"].contains(label) && isSequence
    }
    /// Whether this is a private key.
    package var isKey: Bool { label.hasSuffix("PRIVATE KEY") && (isEncrypted ? bytes?.isEmpty == false : isSequence) }
    /// Whether this is a revocation list.
    package var isRevocationList: Bool { label == "X509 CRL" && isSequence }

    /// Whether the bytes start like an ASN.1 SEQUENCE.
    private var isSequence: Bool { bytes?.first == 0x30 }

    /// Finds the complete blocks of a text, and ignores everything between them.
    package static func blocks(in data: Data) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var label: Substring?
        var body = ""
        var isEncrypted = false
        let text = String(decoding: data, as: UTF8.self)
        for line in text.split(whereSeparator: \.isNewline) {
            let line = Substring(line.trimmingCharacters(in: .whitespaces))
            if let begun = name(of: line, after: "-----BEGIN ") {
                (label, body, isEncrypted) = (begun, "", begun.hasPrefix("ENCRYPTED "))
            } else if let ended = name(of: line, after: "-----END ") {
                if let begun = label, begun == ended {
                    blocks.append(
                        PEMBlock(label: String(begun), bytes: Data(base64Encoded: body), isEncrypted: isEncrypted)
                    )
                }
                label = nil
            } else if line.contains(":") {
                // A header line, which exists only in RFC 1421.
                if line.hasPrefix("Proc-Type:"), line.hasSuffix("ENCRYPTED") { isEncrypted = true }
            } else if label != nil {
                body += line
            }
        }
        return blocks
    }

    private static func name(of line: Substring, after prefix: String) -> Substring? {
        guard line.hasPrefix(prefix), line.hasSuffix("-----"), line.count > prefix.count + 5 else { return nil }
        return line.dropFirst(prefix.count).dropLast(5)
    }
}
