/// The encoding of a body's text, determined and decoded as in browsers.
///
/// The names are the labels of the WHATWG [Encoding Standard](https://encoding.spec.whatwg.org/#names-and-labels), and the
/// characters those of its indexes.
package struct TextEncoding: Hashable, Sendable {
    private enum Scheme: Hashable {
        case utf8
        case utf16(isBigEndian: Bool)
        /// A single-byte encoding, with the name of its table.
        case singleByte(Substring)
        case multiByte(MultiByteText.Scheme)
        /// Known, but not offered.
        case none
    }

    /// Foundation's name for it, for errors.
    package let encoding: String.Encoding
    private let scheme: Scheme

    static let utf8 = TextEncoding(encoding: .utf8, scheme: .utf8)

    /// Finds an encoding by its label, in any case, such as `iso-8859-1`, which means `windows-1252` (§4.2).
    ///
    /// The result is `nil` for a label that the standard does not define.
    init?(label: some StringProtocol) {
        let name = label.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        guard let found = Self.encodings[name] else { return nil }
        self = found
    }

    private init(encoding: String.Encoding, scheme: Scheme) {
        self.encoding = encoding
        self.scheme = scheme
    }

    /// Whether texts in this encoding can be decoded.
    ///
    /// It is `false` for encodings that the standard replaces, for `x-user-defined`, and for those whose characters on the
    /// platform differ from the standard's.
    package var isOffered: Bool {
        switch scheme {
        case .none: false
        case .multiByte(let scheme): scheme.isOffered
        default: true
        }
    }

    /// Determines the encoding of a text: by its byte order mark, or else by a label, or else UTF-8; also returns the length of
    /// the mark.
    package static func sniff(_ data: Data, label: String?) -> (encoding: TextEncoding, markLength: Int) {
        if data.starts(with: [0xEF, 0xBB, 0xBF]) { return (utf8, 3) }
        if data.starts(with: [0xFE, 0xFF]) { return (utf16(isBigEndian: true), 2) }
        if data.starts(with: [0xFF, 0xFE]) { return (utf16(isBigEndian: false), 2) }
        return (label.flatMap { TextEncoding(label: $0) } ?? utf8, 0)
    }

    private static func utf16(isBigEndian: Bool) -> TextEncoding {
        TextEncoding(
            encoding: isBigEndian ? .utf16BigEndian : .utf16LittleEndian,
            scheme: .utf16(isBigEndian: isBigEndian)
        )
    }

    /// Decodes a text without a byte order mark.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - isRepaired: Whether invalid parts become U+FFFD.
    /// - Returns: The text; `nil` if a part is invalid and not repaired, or if the encoding is not offered.
    package func text(of data: Data, isRepaired: Bool) -> String? {
        switch scheme {
        case .utf8: isRepaired ? String(decoding: data, as: UTF8.self) : String(validating: data, as: UTF8.self)
        case .utf16(isBigEndian: false): Self.utf16(data, isRepaired) { UInt16($0) | UInt16($1) << 8 }
        case .utf16(isBigEndian: true): Self.utf16(data, isRepaired) { UInt16($0) << 8 | UInt16($1) }
        case .singleByte(let name): Self.text(of: data, Self.singleByteTables[name] ?? [], isRepaired: isRepaired)
        case .multiByte(let scheme): MultiByteText.text(of: data, scheme, isRepaired: isRepaired)
        case .none: nil
        }
    }

    private static func text(of data: Data, _ table: [Unicode.Scalar], isRepaired: Bool) -> String? {
        var text = String.UnicodeScalarView()
        for byte in data {
            let place = Int(byte) - 0x80
            let scalar: Unicode.Scalar =
                place < 0 ? Unicode.Scalar(byte) : place < table.count ? table[place] : "\u{FFFD}"
            guard isRepaired || scalar != "\u{FFFD}" else { return nil }
            text.append(scalar)
        }
        return String(text)
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

    // MARK: Labels

    private static let encodings: [String: TextEncoding] = {
        let singleByte: [(String.Encoding, String)] = [
            (TextIndex.coreFoundation(0x041B), "ibm866 866 cp866 csibm866"),
            (.isoLatin2, "iso-8859-2 csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2"),
            (
                TextIndex.coreFoundation(0x0203),
                """
                iso-8859-3 csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
                """
            ),
            (
                TextIndex.coreFoundation(0x0204),
                """
                iso-8859-4 csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
                """
            ),
            (
                TextIndex.coreFoundation(0x0205),
                """
                iso-8859-5 csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
                """
            ),
            (
                TextIndex.coreFoundation(0x0206),
                """
                iso-8859-6 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e \
                iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
                """
            ),
            (
                TextIndex.coreFoundation(0x0207),
                """
                iso-8859-7 csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 \
                iso_8859-7:1987 sun_eu_greek
                """
            ),
            (
                TextIndex.coreFoundation(0x0208),
                """
                iso-8859-8 csiso88598e csiso88598i csisolatinhebrew hebrew iso-8859-8-e iso-8859-8-i iso-ir-138 \
                iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 logical visual
                """
            ),
            (TextIndex.coreFoundation(0x020A), "iso-8859-10 csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6"),
            (TextIndex.coreFoundation(0x020D), "iso-8859-13 iso8859-13 iso885913"),
            (TextIndex.coreFoundation(0x020E), "iso-8859-14 iso8859-14 iso885914"),
            (TextIndex.coreFoundation(0x020F), "iso-8859-15 csisolatin9 iso8859-15 iso885915 iso_8859-15 l9"),
            (TextIndex.coreFoundation(0x0210), "iso-8859-16"),
            (TextIndex.coreFoundation(0x0A02), "koi8-r cskoi8r koi koi8 koi8_r"),
            (TextIndex.coreFoundation(0x0A08), "koi8-u koi8-ru"),
            (.macOSRoman, "macintosh csmacintosh mac x-mac-roman"),
            (TextIndex.coreFoundation(0x041D), "windows-874 dos-874 iso-8859-11 iso8859-11 iso885911 tis-620"),
            (.windowsCP1250, "windows-1250 cp1250 x-cp1250"),
            (.windowsCP1251, "windows-1251 cp1251 x-cp1251"),
            (
                .windowsCP1252,
                """
                windows-1252 ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 \
                iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252
                """
            ),
            (.windowsCP1253, "windows-1253 cp1253 x-cp1253"),
            (
                .windowsCP1254,
                """
                windows-1254 cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 \
                iso_8859-9:1989 l5 latin5 x-cp1254
                """
            ),
            (TextIndex.coreFoundation(0x0505), "windows-1255 cp1255 x-cp1255"),
            (TextIndex.coreFoundation(0x0506), "windows-1256 cp1256 x-cp1256"),
            (TextIndex.coreFoundation(0x0507), "windows-1257 cp1257 x-cp1257"),
            (TextIndex.coreFoundation(0x0508), "windows-1258 cp1258 x-cp1258"),
            (TextIndex.coreFoundation(0x0007), "x-mac-cyrillic"),
        ]
        let others: [(String.Encoding, Scheme, String)] = [
            (.utf8, .utf8, "utf-8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8"),
            (
                .utf16LittleEndian,
                .utf16(isBigEndian: false),
                """
                utf-16le csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16
                """
            ),
            (.utf16BigEndian, .utf16(isBigEndian: true), "utf-16be unicodefffe"),
            (
                TextIndex.coreFoundation(0x0632),
                .multiByte(.gb18030),
                """
                gb18030 chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk
                """
            ),
            (TextIndex.coreFoundation(0x0A06), .multiByte(.big5), "big5 big5-hkscs cn-big5 csbig5 x-x-big5"),
            (.japaneseEUC, .multiByte(.eucJP), "euc-jp cseucpkdfmtjapanese x-euc-jp"),
            (.iso2022JP, .multiByte(.iso2022JP), "iso-2022-jp csiso2022jp"),
            (
                .shiftJIS,
                .multiByte(.shiftJIS),
                """
                shift_jis csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis
                """
            ),
            (
                TextIndex.coreFoundation(0x0940),
                .multiByte(.eucKR),
                """
                euc-kr cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 \
                windows-949
                """
            ),
            (
                .utf8,
                .none,
                """
                replacement csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr x-user-defined
                """
            ),
        ]
        var table: [String: TextEncoding] = [:]
        func add(_ encoding: String.Encoding, _ labels: [Substring], _ scheme: Scheme) {
            for label in labels { table[String(label)] = TextEncoding(encoding: encoding, scheme: scheme) }
        }
        for (encoding, text) in singleByte {
            let labels = text.split(separator: " ")
            add(encoding, labels, .singleByte(labels[0]))
        }
        for (encoding, scheme, labels) in others { add(encoding, labels.split(separator: " "), scheme) }
        return table
    }()
}
