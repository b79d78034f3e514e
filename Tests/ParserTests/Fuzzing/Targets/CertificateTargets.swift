import PiuPiuAsync
import TestSupport

extension FuzzTarget {
    // MARK: CertificateReader

    static let certificate = FuzzTarget(
        "Certificate",
        bytes: CertificateReaderTests.samples + [[0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], []],
        tokens: [
            "\u{6}\u{3}U\u{4}\u{3}", "\u{6}\u{3}U\u{1D}\u{11}", "\u{30}\u{0}", "\u{30}\u{7F}",
            "\u{17}\u{D}210101000000Z",
            "\u{18}\u{F}20210101000000Z", "\u{1B}[31m", "Z", "\u{13}\u{1}", "\u{1E}\u{2}", "\u{202E}",
        ],
        limit: 4096
    ) { input, _ in
        guard let certificate = CertificateReader.certificate(input) else { return }
        try demand(certificate.names.count <= 8, "there are too many names")
        try demand(certificate.names.count == 8 || certificate.omittedNames == 0, "names are left out early")
        for text in certificate.names + [certificate.subject, certificate.issuer] {
            try demand(text.unicodeScalars.count <= 204, "a text is too long")
            try demand(isPrintable(text), "a text is not safe to print")
        }
        let failure = TLSFailure(.wrongHost, host: "localhost", certificate: certificate)
        try demand(failure.description.unicodeScalars.count < 1200, "a sentence is too long")
        let sentences = [TLSFailure.Kind.expired, .notYetValid].map { kind in
            TLSFailure(kind, certificate: certificate, depth: 1).description
        }
        try demand(sentences.allSatisfy(isPrintable), "a sentence is not safe to print")
        try demand(CertificateReader.certificate(input + [0]) == certificate, "what follows the certificate matters")
    }

    private static func isPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .nonspacingMark:
                false
            default: true
            }
        }
    }

    // MARK: PrintableText

    static let printableText = FuzzTarget(
        "PrintableText",
        seeds: ["a.test", "\u{1B}[31m\\u{1b}", "e\u{301}🎈\u{202E}x", "\\\\", ""],
        tokens: ["\\", "\\u{", "}", "\u{0}", "\r\n", "\u{2028}"],
        limit: 300
    ) { input, random in
        let text = String(decoding: input, as: UTF8.self)
        let escaped = PrintableText.escape(text, limit: .max)
        try demand(isPrintable(escaped), "it is not safe to print")
        let limit = random.below(50)
        let short = PrintableText.escape(text, limit: limit)
        try demand(short == escaped || short.unicodeScalars.count <= limit + 1, "it is too long")
        try demand(short == escaped || escaped.hasPrefix(short.dropLast()), "it is another text when it is shorter")
    }
}
