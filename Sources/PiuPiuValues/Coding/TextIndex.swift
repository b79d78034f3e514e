/// The indexes of the Encoding Standard (§5) for encodings of several bytes: characters by their pointers.
///
/// They are read from Foundation's converters, with corrections. An index is used only if its digest is that of the standard's,
/// so that a platform with other tables causes an error, and never a wrong text. A value of 0 means no character, and one above
/// U+10FFFF two characters.
enum TextIndex {
    /// The bytes of a two-byte character: its pointer counts the second bytes, in rows by the first bytes.
    struct Grid: Sendable {
        let first: [ClosedRange<UInt8>]
        let second: [ClosedRange<UInt8>]

        static let gb18030 = Grid(first: [0x81...0xFE], second: [0x40...0x7E, 0x80...0xFE])
        static let big5 = Grid(first: [0x81...0xFE], second: [0x40...0x7E, 0xA1...0xFE])
        static let eucKR = Grid(first: [0x81...0xFE], second: [0x41...0xFE])
        static let shiftJIS = Grid(first: [0x81...0x9F, 0xE0...0xFC], second: [0x40...0x7E, 0x80...0xFC])
        static let eucJP = Grid(first: [0xA1...0xFE], second: [0xA1...0xFE])
        static let iso2022 = Grid(first: [0x21...0x7E], second: [0x21...0x7E])

        /// Returns the pointer of two bytes; `nil` if one of them is out of range.
        func pointer(_ first: UInt8, _ second: UInt8) -> Int? {
            guard let row = Self.position(of: first, in: self.first),
                let column = Self.position(of: second, in: self.second)
            else { return nil }
            return row * self.second.reduce(0) { $0 + $1.count } + column
        }

        /// All pairs, in the order of their pointers.
        var pairs: [[UInt8]] { first.joined().flatMap { first in second.joined().map { [first, $0] } } }

        private static func position(of byte: UInt8, in ranges: [ClosedRange<UInt8>]) -> Int? {
            var before = 0
            for range in ranges {
                if range.contains(byte) { return before + Int(byte - range.lowerBound) }
                before += range.count
            }
            return nil
        }
    }

    /// Index jis0208, by the pointers of Shift_JIS, which has more rows than other encodings.
    static let jis0208 = index(
        [coreFoundation(0x0420), .shiftJIS],
        .shiftJIS,
        digest: 0xB991_4789_E354_C8F1
    )
    static let jis0212 = index(
        [coreFoundation(0x0821)],
        .iso2022,
        escapes: ([0x1B, 0x24, 0x28, 0x44], [0x1B, 0x28, 0x42]),
        corrections: "116～",
        digest: 0x8F51_C363_D851_8BBD
    )
    static let eucKR = index(
        [coreFoundation(0x0422), coreFoundation(0x0940)],
        .eucKR,
        digest: 0x6E57_AE5E_71BB_350A
    )
    static let big5 = index(
        [coreFoundation(0x0A06)],
        .big5,
        corrections: big5Corrections,
        digest: 0xC45C_9909_5303_1731
    )
    /// Index gb18030 of GB18030-2022; older tables differ in 18 characters.
    static let gb18030 = index(
        [coreFoundation(0x0632)],
        .gb18030,
        hasPrivateUse: true,
        corrections: "7182︐︒︑︓︔︕︖ 7201︗︘ 7208︙ 23775龴 23783龵 23788龶龷 23795龸 23812龹 23829龺 23845龻",
        digest: 0xDC39_08AE_7431_70F1
    )

    /// The four-byte characters of GB18030 up to U+FFFF, by their pointers: those without a two-byte form, in order.
    static let gb18030Ranges: [UInt32] = {
        guard let gb18030 else { return [] }
        var isTaken = [Bool](repeating: false, count: 0x10000)
        for character in gb18030 { isTaken[Int(character)] = true }
        // The order is that of the version of 2000, which had two-byte forms for some characters for private use.
        for character in [0x1E3F] + Array(0x9FB4...0x9FBB) + Array(0xFE10...0xFE19) { isTaken[character] = false }
        let older = [0xE5E5, 0xE7C7, 0xE81E, 0xE826, 0xE82B, 0xE82C, 0xE832, 0xE843, 0xE854, 0xE864]
        for character in Array(0xD800...0xDFFF) + Array(0xE78D...0xE796) + older { isTaken[character] = true }
        var table = (0x80...0xFFFF).filter { !isTaken[Int($0)] }.map { UInt32($0) }
        if let place = table.firstIndex(of: 0x1E3F) { table[place] = 0xE7C7 }
        return table
    }()

    // MARK: Reading the tables

    /// Returns an encoding without a name in Foundation, by its number in Core Foundation.
    static func coreFoundation(_ number: UInt) -> String.Encoding { String.Encoding(rawValue: 0x8000_0000 | number) }

    /// Reads an index from the first of some encodings with a correct table; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - encodings: The encodings.
    ///   - grid: The bytes of its characters.
    ///   - escapes: The bytes around a character.
    ///   - hasPrivateUse: Whether characters for private use are a part of the index, and not additions of the platform.
    ///   - corrections: Pointers, each with the characters from there on.
    ///   - digest: The FNV-1a hash of the values.
    /// - Returns: The characters by their pointers.
    private static func index(
        _ encodings: [String.Encoding],
        _ grid: Grid,
        escapes: (before: [UInt8], after: [UInt8]) = ([], []),
        hasPrivateUse: Bool = false,
        corrections: String = "",
        digest: UInt64
    ) -> [UInt32]? {
        for encoding in encodings where encoding.isConvertible {
            var table = grid.pairs.map { pair -> UInt32 in
                let text = String(data: Data(escapes.before + pair + escapes.after), encoding: encoding)
                guard let scalars = text?.unicodeScalars, let scalar = scalars.first, scalars.count == 1 else {
                    return 0
                }
                return !hasPrivateUse && (0xE000...0xF8FF).contains(scalar.value) ? 0 : scalar.value
            }
            correct(&table, corrections)
            let found = table.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            if found == digest { return table }
        }
        return nil
    }

    private static func correct(_ table: inout [UInt32], _ corrections: String) {
        for entry in corrections.split(separator: " ") {
            let digits = entry.prefix { $0.isASCII }
            guard var pointer = Int(digits) else { continue }
            for scalar in entry.unicodeScalars.dropFirst(digits.count) where table.indices.contains(pointer) {
                if (0x300...0x36F).contains(scalar.value) {
                    table[pointer - 1] = table[pointer - 1] << 16 | scalar.value
                } else {
                    table[pointer] = scalar.value
                    pointer += 1
                }
            }
        }
    }

    /// Characters that later versions of HKSCS added to the encoding, and duplicates.
    private static let big5Corrections = """
        1008龗 1016龖 1099㇀㇁㇂㇃㇄ 1105㇅ 1108㇆㇇ 1112㇈ 1114㇉㇊㇋㇌ 1119㇍㇎ 1133Ê\u{304} 1135Ê\u{30C} 1164ê\u{304} 1166ê\u{30C} \
        1170⏚⏛ 1730龦 1772龧 1779龨 1812龩 1814龪 1816龫 1821龬 1844龭龮 1847龯 1866龲 1892龳 2082箸 2088簆 2103糎 2114緒 2123縝 \
        2148者 2151耨 2221菁 2239蒨 2244萏 2303覦覩 2354起 2400都 2413銹 2477靜 2498響 2605鼖 2673蔃 2746兙兛兝兞 2771鍮 2780瑹 2990浧 \
        3087禛 3259邗 3301靝 3436瀞 3451嬨 4136爁 4138矗 4141纇 4182駖 4206釔 4220惞 4230澶 4241輶 4258侻 4273營 4279鄄 4282鷰 4294菏 \
        4329尐秣 4349婧 4419輋 4422筑 4494拐 4624恢 4694痹 4708汊 4742鬮 4748鼗 4815僭 4828弌 4902蠏 4922拎 4982瑨 4992煢 4997牐 \
        5432␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟␡ 10942廴 10946无 10948癶 10950隶 10957〃仝 11204㇏ 11210龰 11212龱 19028倩 19035偽 \
        19088包 19096卄 19112卿 19162嘅 19240婷 19299幵 19305廐 19326彘 19355悤 19398撐 19439晴 19454杞 19553沜渝 19557港 19611煮 \
        19643猪 19672瑜 19697瓩 19748砉
        """
}
