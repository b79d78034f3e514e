import TestSupport

/// Damages the heads among frames: what their fields say, and how they are packed.
enum HeadMutator {
    static func mutate(_ frames: inout [PlannedFrame], _ random: inout SeededRandom) -> String {
        let heads = frames.indices.filter { frames[$0].kind == HTTP2Frame.Kind.headers.rawValue }
        guard !heads.isEmpty else { return "nothing" }
        let index = random.element(of: heads)
        let isFirst = random.picks(50)
        let addition: [UInt8]
        let name: String
        if random.picks(40) {
            (addition, name) = (random.element(of: packed), "hpack")
        } else {
            let field = random.element(of: fields)
            addition = HPACKEncoder.encode([field])
            name = "field(\(field.name))"
        }
        // In front of the pseudo-header fields, or behind all fields.
        if isFirst {
            frames[index].payload = addition + frames[index].payload
        } else {
            frames[index].payload += addition
        }
        return name
    }

    private static let fields: [HTTP2Field] =
        [
            ("Upper", "x"), ("x-\r\ny", "z"), ("x", "a\r\nInjected: 1"), ("x", "a\nb"), ("x", "a\u{0}b"), ("x", " a "),
            ("", "x"),
            (":path", "/"), (":status", "200"), (":status", "500"), (":status", "101"), (":status", "20"),
            (":status", "0200"),
            ("content-length", "5"), ("content-length", "0"), ("content-length", "-1"),
            ("content-length", "99999999999999999999"),
            ("content-length", "5, 5"), ("transfer-encoding", "chunked"), ("connection", "close"), ("te", "gzip"),
            ("content-encoding", "gzip"), ("content-encoding", "unknown"), ("location", "/n/1"), ("set-cookie", "a=b"),
            ("x y", "z"), ("x:", "y"), ("é", "ü"), ("upgrade", "h2c"), ("retry-after", "0"),
        ].map { HTTP2Field($0.0, $0.1) }

    /// Representations (RFC 7541 §6) that are odd or wrong.
    private static let packed: [[UInt8]] = [
        // Index 0, an indexed field, 62 before anything was remembered, a huge index, one without end.
        [0x80], [0x88], [0xBE], [0xFF, 0x80, 0x80, 0x80, 0x01], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        // A size of the table: 0, 4096, and beyond the limit.
        [0x20], [0x3F, 0xE1, 0x1F], [0x3F, 0xE1, 0xFF, 0x03],
        // A literal that is remembered, one that never may be, and one without its value.
        [0x40, 1, 0x78, 1, 0x79], [0x10, 1, 0x78, 1, 0x79], [0x00, 1, 0x78], [0x00, 0x7F],
        // Huffman codes: "a", padding of zeros, eight bits of padding, the end of the text.
        [0x00, 1, 0x78, 0x81, 0x1F], [0x00, 1, 0x78, 0x81, 0x18], [0x00, 1, 0x78, 0x82, 0x1F, 0xFF],
        [0x00, 1, 0x78, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
    ]
}
