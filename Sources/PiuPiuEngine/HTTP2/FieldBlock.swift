#if os(Linux)
import CShims

/// The fields of an HTTP/2 head, gathered before their compression.
///
/// Each event loop has one.
package final class FieldBlock {
    private struct Entry {
        let name: Range<Int>
        let value: Range<Int>
        let isSecret: Bool
    }

    /// The names and values; the bytes written between two calls of ``end(nameCount:isSecret:)`` form one field.
    package let bytes = OutputBuffer()
    // Exclusive access is checked in debug builds only: one thread uses a block, no change of these properties calls other
    // code, and the closure that reads the fields does not write them.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var start = 0
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var entries: [Entry] = []
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var fields: [cs_h2_field] = []

    package init() {}

    /// Removes all fields.
    package func removeAll() {
        bytes.removeAll()
        start = 0
        entries.removeAll(keepingCapacity: true)
    }

    /// Ends a field, whose name and value were written one after the other.
    ///
    /// - Parameters:
    ///   - nameCount: The length of the name.
    ///   - isSecret: Whether to keep the field out of the compression tables (RFC 7541 §7.1.3).
    func end(nameCount: Int, isSecret: Bool = false) {
        let middle = start + nameCount
        entries.append(Entry(name: start..<middle, value: middle..<bytes.count, isSecret: isSecret))
        start = bytes.count
    }

    /// Calls a closure with the fields in nghttp2's representation.
    func withFields<Result>(_ body: (UnsafeBufferPointer<cs_h2_field>) -> Result) -> Result {
        fields.removeAll(keepingCapacity: true)
        let base = bytes.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        for entry in entries {
            fields.append(
                cs_h2_field(
                    name: base?.advanced(by: entry.name.lowerBound),
                    value: base?.advanced(by: entry.value.lowerBound),
                    name_count: entry.name.count,
                    value_count: entry.value.count,
                    flags: entry.isSecret ? UInt8(CS_H2_NEVER_INDEXED) : 0
                )
            )
        }
        return fields.withUnsafeBufferPointer(body)
    }

    /// The fields as text, for tests.
    package var text: [String] {
        entries.map { entry in
            let bytes = bytes.bytes
            return String(decoding: bytes[entry.name], as: UTF8.self) + ": "
                + String(decoding: bytes[entry.value], as: UTF8.self)
        }
    }
}
#endif
