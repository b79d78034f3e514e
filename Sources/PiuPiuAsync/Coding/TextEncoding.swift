/// The encoding of a body's text, found as browsers find it.
///
/// The names are the labels of the WHATWG [Encoding Standard](https://encoding.spec.whatwg.org/#names-and-labels), as far
/// as Foundation knows the encoding on all platforms.
struct TextEncoding: Hashable, Sendable {
    /// Foundation's encoding.
    let encoding: String.Encoding

    static let utf8 = TextEncoding(encoding: .utf8)

    /// Finds an encoding by its label.
    ///
    /// It is `nil` for a label that is not known, or whose encoding the platform does not have, as Linux has no EUC-JP.
    ///
    /// - Parameter label: The label, in any case, such as `iso-8859-1`, which means `windows-1252` (§4.2).
    init?(label: some StringProtocol) {
        let name = label.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        guard let encoding = Self.encodings[name], encoding.isConvertible else { return nil }
        self.encoding = encoding
    }

    private init(encoding: String.Encoding) { self.encoding = encoding }

    /// Finds the encoding of a text: by its byte order mark, then by the label, and otherwise UTF-8.
    ///
    /// - Parameters:
    ///   - data: The text.
    ///   - label: The charset that the field `Content-Type` names.
    /// - Returns: The encoding, and the number of bytes of the mark.
    static func sniff(_ data: Data, label: String?) -> (encoding: TextEncoding, markLength: Int) {
        if data.starts(with: [0xEF, 0xBB, 0xBF]) { return (utf8, 3) }
        if data.starts(with: [0xFE, 0xFF]) { return (TextEncoding(encoding: .utf16BigEndian), 2) }
        if data.starts(with: [0xFF, 0xFE]) { return (TextEncoding(encoding: .utf16LittleEndian), 2) }
        return (label.flatMap { TextEncoding(label: $0) } ?? utf8, 0)
    }

    /// Decodes a text.
    ///
    /// - Parameters:
    ///   - data: The bytes, without a byte order mark.
    ///   - isRepaired: Whether what cannot be read becomes U+FFFD.
    /// - Returns: The text; `nil` if there is something in it that cannot be read, and it is not repaired.
    func text(of data: Data, isRepaired: Bool) -> String? {
        switch encoding {
        case .utf8: return isRepaired ? String(decoding: data, as: UTF8.self) : String(validating: data, as: UTF8.self)
        case .utf16LittleEndian: return Self.utf16(data, isRepaired) { UInt16($0) | UInt16($1) << 8 }
        case .utf16BigEndian: return Self.utf16(data, isRepaired) { UInt16($0) << 8 | UInt16($1) }
        default: break
        }
        if let text = encoding.text(of: data) { return text }
        // Foundation decodes all or nothing. The standard gives a meaning to every byte of windows-1252.
        guard isRepaired || encoding == .windowsCP1252 else { return nil }
        return data.split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { line in encoding.text(of: line) ?? repaired(line) }
            .joined(separator: "\n")
    }

    private static func utf16(_ data: Data, _ isRepaired: Bool, _ unit: (UInt8, UInt8) -> UInt16) -> String? {
        var units: [UInt16] = []
        units.reserveCapacity(data.count / 2)
        var index = data.startIndex
        while index + 1 < data.endIndex {
            units.append(unit(data[index], data[index + 1]))
            index += 2
        }
        guard isRepaired else {
            return index == data.endIndex ? String(validating: units, as: UTF16.self) : nil
        }
        return String(decoding: units, as: UTF16.self) + (index < data.endIndex ? "\u{FFFD}" : "")
    }

    /// Decodes a line character by character.
    private func repaired(_ line: Data) -> String {
        var text = ""
        var rest = line
        while let first = rest.first {
            // No character of these encodings has more bytes.
            let piece = (1...4).lazy.filter { $0 <= rest.count }.compactMap { count in
                encoding.text(of: Data(rest.prefix(count))).map { ($0, count) }
            }.first { !$0.0.isEmpty }
            if let (character, count) = piece {
                text += character
                rest = rest.dropFirst(count)
            } else {
                text.unicodeScalars.append(encoding == .windowsCP1252 ? Unicode.Scalar(first) : "\u{FFFD}")
                rest = rest.dropFirst()
            }
        }
        return text
    }

    // MARK: Labels

    /// Encodings for which Foundation has no name, by the number that Core Foundation gives them.
    private static func coreFoundation(_ number: UInt) -> String.Encoding {
        String.Encoding(rawValue: 0x8000_0000 | number)
    }

    private static let encodings: [String: String.Encoding] = {
        let labels: [(String.Encoding, String)] = [
            (.utf8, "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8"),
            (
                .windowsCP1252,
                """
                windows-1252 cp1252 x-cp1252 iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 iso-ir-100 latin1 l1 \
                csisolatin1 ibm819 cp819 us-ascii ascii ansi_x3.4-1968
                """
            ),
            (.isoLatin2, "iso-8859-2 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 iso-ir-101 latin2 l2 csisolatin2"),
            (coreFoundation(0x0203), "iso-8859-3 iso8859-3 iso88593 iso_8859-3 iso-ir-109 latin3 l3 csisolatin3"),
            (coreFoundation(0x0204), "iso-8859-4 iso8859-4 iso88594 iso_8859-4 iso-ir-110 latin4 l4 csisolatin4"),
            (coreFoundation(0x0205), "iso-8859-5 iso8859-5 iso88595 iso_8859-5 iso-ir-144 cyrillic csisolatincyrillic"),
            (coreFoundation(0x0206), "iso-8859-6 iso8859-6 iso88596 iso_8859-6 iso-ir-127 arabic csisolatinarabic"),
            (coreFoundation(0x0207), "iso-8859-7 iso8859-7 iso88597 iso_8859-7 iso-ir-126 greek csisolatingreek"),
            (coreFoundation(0x0208), "iso-8859-8 iso8859-8 iso88598 iso_8859-8 iso-ir-138 hebrew csisolatinhebrew"),
            (coreFoundation(0x020A), "iso-8859-10 iso8859-10 iso885910 iso-ir-157 latin6 l6 csisolatin6"),
            (coreFoundation(0x020D), "iso-8859-13 iso8859-13 iso885913"),
            (coreFoundation(0x020F), "iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9 csisolatin9"),
            (.windowsCP1250, "windows-1250 cp1250 x-cp1250"), (.windowsCP1251, "windows-1251 cp1251 x-cp1251"),
            (.windowsCP1253, "windows-1253 cp1253 x-cp1253"),
            (.windowsCP1254, "windows-1254 cp1254 x-cp1254 iso-8859-9 iso8859-9 iso88599 iso_8859-9 latin5 l5"),
            (coreFoundation(0x0505), "windows-1255 cp1255 x-cp1255"),
            (coreFoundation(0x0506), "windows-1256 cp1256 x-cp1256"),
            (coreFoundation(0x0507), "windows-1257 cp1257 x-cp1257"),
            (coreFoundation(0x0508), "windows-1258 cp1258 x-cp1258"),
            (coreFoundation(0x041D), "windows-874 dos-874 tis-620 iso-8859-11 iso8859-11 iso885911"),
            (coreFoundation(0x0A02), "koi8-r koi8 koi koi8_r cskoi8r"), (coreFoundation(0x0A08), "koi8-u koi8-ru"),
            (.macOSRoman, "macintosh mac x-mac-roman csmacintosh"),
            (.shiftJIS, "shift_jis shift-jis sjis ms_kanji ms932 csshiftjis windows-31j x-sjis"),
            (.japaneseEUC, "euc-jp x-euc-jp cseucpkdfmtjapanese"), (.iso2022JP, "iso-2022-jp csiso2022jp"),
            (coreFoundation(0x0940), "euc-kr cseuckr korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 windows-949"),
            (coreFoundation(0x0632), "gb18030 gbk gb2312 gb_2312 gb_2312-80 chinese csgb2312 x-gbk"),
            (coreFoundation(0x0A06), "big5 big5-hkscs cn-big5 csbig5 x-x-big5"),
            (.utf16LittleEndian, "utf-16le utf-16 unicode ucs-2 iso-10646-ucs-2 csunicode unicodefeff"),
            (.utf16BigEndian, "utf-16be unicodefffe"),
        ]
        return labels.reduce(into: [:]) { table, entry in
            for label in entry.1.split(separator: " ") { table[String(label)] = entry.0 }
        }
    }()
}
