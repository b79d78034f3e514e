import PiuPiuAsync

/// A body in one of HAR's forms: text, or base64.
struct HARBody {
    let text: String?
    let encoding: String?

    init(text: String?, encoding: String?) {
        self.text = text
        self.encoding = encoding
    }

    /// Creates a body from bytes: as text if every reader gets the same bytes back from it, otherwise in base64.
    init(_ data: Data, mimeType: String) {
        if mimeType.charset.map({ $0 == "utf-8" }) ?? true, let text = String(lossless: data) {
            self.init(text: text, encoding: nil)
        } else {
            self.init(text: data.base64EncodedString(), encoding: "base64")
        }
    }

    /// Returns the bytes; `nil` if there is no text, or if the text does not match its encoding.
    ///
    /// Text is decoded. Text that a browser wrote for an ISO 8859-1 page becomes ISO 8859-1 bytes again, according to its
    /// content type. Text in other charsets becomes UTF-8.
    func data(mimeType: String) -> Data? {
        guard let text else { return nil }
        switch encoding?.lowercased() {
        case nil, "": return Self.latin(text, mimeType) ?? Data(text.utf8)
        case "base64": return Data(base64Encoded: text, options: .ignoreUnknownCharacters)
        default: return nil
        }
    }

    /// Whether the bytes are UTF-8 text that may originally have been in another charset.
    func isWrittenAsUTF8(mimeType: String) -> Bool {
        guard let text, encoding?.isEmpty ?? true else { return false }
        return Self.latin(text, mimeType) == nil && !text.utf8.allSatisfy { $0 < 0x80 }
    }

    private static func latin(_ text: String, _ mimeType: String) -> Data? {
        // On the web, the label ISO 8859-1 means windows-1252 (WHATWG Encoding §4.2).
        let names = ["iso-8859-1", "latin1", "windows-1252"]
        guard let charset = mimeType.charset, names.contains(charset) else { return nil }
        return String.Encoding.windowsCP1252.data(of: text)
    }
}
