/// A header field of HTTP/2.
public struct HTTP2Field: Sendable, Hashable {
    /// The name, in lower case.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// Reads the heads of a connection of HTTP/2 (RFC 7541).
package struct HPACKDecoder {
    /// A head that does not follow the rules.
    package struct Malformed: Error {}

    private var recent: [HTTP2Field] = []
    private var size = 0
    private var limit = 4096

    /// Creates a decoder for a connection.
    package init() {}

    /// Reads a head.
    ///
    /// - Parameter block: Its bytes.
    /// - Returns: The fields.
    /// - Throws: ``Malformed``.
    package mutating func decode(_ block: [UInt8]) throws -> [HTTP2Field] {
        var input = block[...]
        var fields: [HTTP2Field] = []
        while let first = input.first {
            if first & 0x80 != 0 {
                fields.append(try field(at: try Self.integer(&input, bits: 7)))
            } else if first & 0xC0 == 0x40 {
                let field = try literal(&input, bits: 6)
                fields.append(field)
                insert(field)
            } else if first & 0xE0 == 0x20 {
                limit = try Self.integer(&input, bits: 5)
                evict()
            } else {
                fields.append(try literal(&input, bits: 4))
            }
        }
        return fields
    }

    private mutating func literal(_ input: inout ArraySlice<UInt8>, bits: Int) throws -> HTTP2Field {
        let index = try Self.integer(&input, bits: bits)
        let name = try index == 0 ? Self.string(&input) : field(at: index).name
        return HTTP2Field(name, try Self.string(&input))
    }

    private func field(at index: Int) throws -> HTTP2Field {
        let known = HPACKTables.fields
        if known.indices.contains(index - 1) { return known[index - 1] }
        guard recent.indices.contains(index - 1 - known.count) else { throw Malformed() }
        return recent[index - 1 - known.count]
    }

    private mutating func insert(_ field: HTTP2Field) {
        recent.insert(field, at: 0)
        size += Self.size(of: field)
        evict()
    }

    private mutating func evict() {
        while size > limit, let field = recent.popLast() { size -= Self.size(of: field) }
    }

    private static func size(of field: HTTP2Field) -> Int { field.name.utf8.count + field.value.utf8.count + 32 }

    private static func integer(_ input: inout ArraySlice<UInt8>, bits: Int) throws -> Int {
        guard let first = input.popFirst() else { throw Malformed() }
        let largest = 1 << bits - 1
        var value = Int(first) & largest
        guard value == largest else { return value }
        var shift = 0
        while let byte = input.popFirst(), shift < 35 {
            value += Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
        throw Malformed()
    }

    private static func string(_ input: inout ArraySlice<UInt8>) throws -> String {
        let isHuffman = (input.first ?? 0) & 0x80 != 0
        let length = try integer(&input, bits: 7)
        guard length <= input.count else { throw Malformed() }
        let bytes = input.prefix(length)
        input = input.dropFirst(length)
        return String(decoding: isHuffman ? unpack(bytes) : Array(bytes), as: UTF8.self)
    }

    private static func unpack(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var unpacked: [UInt8] = []
        var code = HPACKTables.Code(length: 0, value: 0)
        for byte in bytes {
            for bit in (0..<8).reversed() {
                code.value = code.value << 1 | Int(byte >> bit) & 1
                code.length += 1
                guard let symbol = HPACKTables.symbols[code] else { continue }
                unpacked.append(UInt8(truncatingIfNeeded: symbol))
                code = HPACKTables.Code(length: 0, value: 0)
            }
        }
        return unpacked
    }
}

/// Writes heads without compressing them.
package enum HPACKEncoder {
    /// Writes a head.
    ///
    /// - Parameter fields: The fields.
    /// - Returns: Its bytes.
    package static func encode(_ fields: [HTTP2Field]) -> [UInt8] {
        // Each is a literal that is not to be remembered.
        fields.flatMap { [0] + string($0.name) + string($0.value) }
    }

    private static func string(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return integer(bytes.count) + bytes
    }

    private static func integer(_ value: Int) -> [UInt8] {
        guard value >= 127 else { return [UInt8(value)] }
        var bytes: [UInt8] = [127]
        var rest = value - 127
        while rest >= 128 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
