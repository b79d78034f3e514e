import PiuPiuAsync

/// A body as HAR has it: a text, or base64.
struct HARBody {
    let text: String?
    let encoding: String?

    init(text: String?, encoding: String?) {
        self.text = text
        self.encoding = encoding
    }

    /// A body of bytes: as text where the text gives the same bytes back, whoever reads it.
    init(_ data: Data, mimeType: String) {
        if mimeType.charset.map({ $0 == "utf-8" }) ?? true, let text = String(lossless: data) {
            self.init(text: text, encoding: nil)
        } else {
            self.init(text: data.base64EncodedString(), encoding: "base64")
        }
    }

    /// The bytes.
    ///
    /// HAR's texts are decoded; a browser's text of a page in ISO 8859-1 becomes those bytes again, which its content
    /// type promises. Other charsets become UTF-8.
    ///
    /// - Parameter mimeType: The content type.
    /// - Returns: The bytes; `nil` where there is no text, or one that is not what its encoding says.
    func data(mimeType: String) -> Data? {
        guard let text else { return nil }
        switch encoding?.lowercased() {
        case nil, "": return Self.latin(text, mimeType) ?? Data(text.utf8)
        case "base64": return Data(base64Encoded: text, options: .ignoreUnknownCharacters)
        default: return nil
        }
    }

    /// Whether the bytes are a text in UTF-8 that may have been in another charset.
    func isWrittenAsUTF8(mimeType: String) -> Bool {
        guard let text, encoding?.isEmpty ?? true else { return false }
        return Self.latin(text, mimeType) == nil && !text.utf8.allSatisfy { $0 < 0x80 }
    }

    private static func latin(_ text: String, _ mimeType: String) -> Data? {
        // What the web calls ISO 8859-1 is Windows' code page (WHATWG Encoding §4.2).
        let names = ["iso-8859-1", "latin1", "windows-1252"]
        guard let charset = mimeType.charset, names.contains(charset) else { return nil }
        return String.Encoding.windowsCP1252.data(of: text)
    }
}
