#if os(Linux)
import CurlShim
import PiuPiuAsync
import PiuPiuEngine

/// Field lines as libcurl's list, in memory that is reused for the next request.
///
/// libcurl keeps the list's address, not a copy, so the memory must live as long as the handle.
struct CurlFieldList {
    private var text: UnsafeMutablePointer<CChar>
    private var textCapacity = 64
    private var nodes: UnsafeMutablePointer<PPList>
    private var nodesCapacity = 2

    init() {
        text = .allocate(capacity: textCapacity)
        nodes = .allocate(capacity: nodesCapacity)
    }

    /// Frees the memory.
    func deallocate() {
        text.deallocate()
        nodes.deallocate()
    }

    /// Replaces the lines.
    ///
    /// - Parameters:
    ///   - lines: The lines, each ended by NUL; see ``lines(of:for:)``.
    ///   - last: A line to append, which is not copied.
    /// - Returns: The list; `nil` if there is no line.
    mutating func write(
        _ lines: [UInt8],
        last: UnsafeMutablePointer<CChar>? = nil
    ) -> UnsafeMutablePointer<PPList>? {
        guard !lines.isEmpty || last != nil else { return nil }
        if lines.count > textCapacity {
            text.deallocate()
            textCapacity = lines.count * 2
            text = .allocate(capacity: textCapacity)
        }
        lines.withUnsafeBytes { source in
            UnsafeMutableRawBufferPointer(start: text, count: textCapacity).copyMemory(from: source)
        }
        let count = lines.reduce(0) { $0 + ($1 == 0 ? 1 : 0) }
        if count + 1 > nodesCapacity {
            nodes.deallocate()
            nodesCapacity = (count + 1) * 2
            nodes = .allocate(capacity: nodesCapacity)
        }
        var position = 0
        for index in 0..<count {
            let next = index + 1 < count || last != nil ? nodes + (index + 1) : nil
            (nodes + index).initialize(to: PPList(data: text + position, next: next))
            while text[position] != 0 { position += 1 }
            position += 1
        }
        if let last { (nodes + count).initialize(to: PPList(data: last, next: nil)) }
        return nodes
    }

    /// Writes fields, each ended by NUL, in libcurl's notation: "Name: value", "Name;" for an empty value, "Name:" to remove a
    /// field.
    static func lines(of fields: FieldList, for kind: PreparedRequest.Kind = .withoutContent) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(fields.lines.count + 32)
        fields.forEachLine { line in
            lines.append(contentsOf: line)
            // A value may also end in a colon.
            if line.firstOffset(of: 0x3A) == line.count - 1 { lines[lines.count - 1] = UInt8(ascii: ";") }
            lines.append(0)
        }
        switch kind {
        case .withoutContent, .head: return lines
        case .withContent, .withStream: break
        }
        // By default, libcurl labels any content as a form and waits a second for a 100 response before a long body.
        if !fields.contains("content-type") { lines.append(contentsOf: "Content-Type:\0".utf8) }
        if !fields.contains("expect") { lines.append(contentsOf: "Expect:\0".utf8) }
        return lines
    }
}
#endif
