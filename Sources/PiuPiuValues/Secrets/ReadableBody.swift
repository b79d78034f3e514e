/// Tells which bodies can be searched for secrets; others are neither recorded nor shown.
package enum ReadableBody {
    /// Returns the codings that remain on a response's body.
    ///
    /// - Parameters:
    ///   - values: The values of `Content-Encoding` (RFC 9110 §8.4).
    ///   - isDecoded: Whether the transport removes the codings that it knows.
    /// - Returns: The codings, as in `Content-Encoding`; `nil` if there are none.
    package static func coding(_ values: [String], isDecoded: Bool) -> String? {
        let all = values.joined(separator: ", ")
        let names = names(in: all)
        if names.isEmpty || isDecoded && names.allSatisfy(isKnown) { return nil }
        return all
    }

    /// Returns whether secrets in a body can be found.
    ///
    /// - Parameters:
    ///   - data: The body, or its beginning.
    ///   - type: Its content type.
    ///   - coding: Its codings, as in `Content-Encoding`; `nil` for none.
    /// - Returns: `false` for a compressed body, even if it claims to be text.
    package static func isReadable(_ data: Data, type: String, coding: String?) -> Bool {
        guard names(in: coding ?? "").isEmpty else { return false }
        return isBinary(type) || !isCompressed(data)
    }

    /// Returns whether content of a type is not text.
    ///
    /// - Parameter type: The content type.
    /// - Returns: `false` for types that are not known.
    package static func isBinary(_ type: String) -> Bool {
        guard let type = MediaType(type) else { return false }
        if ["image", "audio", "video", "font", "model"].contains(type.type) { return !type.subtype.hasSuffix("+xml") }
        return type.type == "application"
            && ["octet-stream", "zip", "gzip", "pdf", "wasm", "x-protobuf", "protobuf", "cbor", "msgpack"]
                .contains(type.subtype)
    }

    /// Returns the codings in a value, without those that change nothing.
    private static func names(in value: String) -> [Substring] {
        value.split { $0 == "," || $0 == " " || $0 == "\t" }.filter { $0.lowercased() != "identity" }
    }

    private static func isKnown(_ name: Substring) -> Bool {
        #if os(Linux)
        return ContentCoding(name: String(name))?.isAvailable ?? false
        #else
        return ["gzip", "x-gzip", "deflate", "br"].contains(name.lowercased())
        #endif
    }

    /// Whether bytes start like gzip (RFC 1952 §2.3), zlib (RFC 1950 §2.2) or Zstandard (RFC 8878 §3.1.1), and not like text.
    private static func isCompressed(_ data: Data) -> Bool {
        let bytes = Array(data.prefix(4))
        switch (bytes.first, bytes.dropFirst().first) {
        case (0x1F, 0x8B), (0x78, 0x01), (0x78, 0x9C), (0x78, 0xDA): return true
        default: return bytes == [0x28, 0xB5, 0x2F, 0xFD]
        }
    }
}
