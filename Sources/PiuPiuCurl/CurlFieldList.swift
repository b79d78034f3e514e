#if os(Linux)
import CurlShim
import PiuPiuAsync

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
    ///   - lines: The lines, each ended by NUL.
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
}
#endif
