import PiuPiuWebSocket

/// How long it takes to read and to write frames.
enum FrameMeasurement {
    static func run() {
        let ascii = [UInt8](repeating: UInt8(ascii: "a"), count: 125)
        let mixed = Array(String(repeating: "größer €", count: 20).utf8.prefix(120)) + Array("abcde".utf8)
        let binary = (0..<16384).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        read("read 125-byte texts of ASCII", opcode: 0x81, payload: ascii, count: 500)
        read("read 125-byte texts, a third not ASCII", opcode: 0x81, payload: mixed, count: 500)
        read("read 125-byte texts in parts of 1000 bytes", opcode: 0x81, payload: ascii, count: 500, part: 1000)
        read("read 16 KiB of bytes", opcode: 0x82, payload: binary, count: 8)
        read("read 16 KiB of bytes in parts of 16 KiB", opcode: 0x82, payload: binary, count: 8, part: 16384)
        read("read 16 KiB of bytes in parts of 4 KiB", opcode: 0x82, payload: binary, count: 8, part: 4096)
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: 16384)
        read("read 16 KiB of text in parts of 4 KiB", opcode: 0x81, payload: text, count: 8, part: 4096)
        write("write and mask 125 bytes", payload: ascii, count: 500)
        write("write and mask 16 KiB", payload: binary, count: 8)
        mask("mask 16 KiB in place", payload: binary)
        compressed(
            Array(String(repeating: #"{"id": 4711, "name": "example", "price": 12.5}"#, count: 3).utf8.prefix(125))
        )
        compressed(
            Array(String(repeating: #"{"id": 4711, "name": "example", "price": 12.5}"#, count: 360).utf8.prefix(16384))
        )
    }

    /// Prints the shortest time of 30 runs, for one of the operations in each.
    private static func measure(_ name: String, count: Int, _ body: () -> Void) {
        body()
        let best = (0..<30).map { _ in ContinuousClock().measure(body) }.min() ?? .zero
        let nanoseconds = Double(best.components.attoseconds) / 1e9 / Double(count)
        print("\(name): \((nanoseconds * 10).rounded() / 10) ns")
    }

    private static func read(_ name: String, opcode: UInt8, payload: [UInt8], count: Int, part: Int = .max) {
        var one: [UInt8] = [opcode]
        one +=
            payload.count < 126
            ? [UInt8(payload.count)] : [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        one += payload
        let stream = (0..<count).flatMap { _ in one }
        var reader = FrameReader(maximumMessageSize: 1 << 20, inflater: nil)
        var sum = 0
        measure(name, count: count) {
            stream.withUnsafeBytes { memory in
                var start = 0
                while start < memory.count {
                    let size = min(part, memory.count - start)
                    var input = UnsafeRawBufferPointer(rebasing: memory[start..<start + size])
                    sum += messages(&reader, &input)
                    start += size
                }
            }
        }
        precondition(sum == count * 31)
    }

    private static func messages(_ reader: inout FrameReader, _ input: inout UnsafeRawBufferPointer) -> Int {
        var sum = 0
        while let event = try? reader.next(&input) {
            guard case .message = event else { break }
            sum += 1
        }
        return sum
    }

    private static func write(_ name: String, payload: [UInt8], count: Int) {
        let keys = MaskSource()
        var output: [UInt8] = []
        measure(name, count: count) {
            output.removeAll(keepingCapacity: true)
            for _ in 0..<count {
                payload.withUnsafeBytes {
                    FrameWriter.appendFrame($0, opcode: .binary, key: keys.next(), to: &output)
                }
            }
        }
    }

    private static func mask(_ name: String, payload: [UInt8]) {
        var bytes = payload
        measure(name, count: 100) {
            for index in 0..<100 {
                bytes.withUnsafeMutableBytes {
                    FrameWriter.mask(UnsafeRawBufferPointer($0), into: $0, key: 0x1234_5678, offset: index)
                }
            }
        }
    }

    private static func compressed(_ content: [UInt8]) {
        guard let deflater = MessageDeflater() else { return }
        var payload: [UInt8] = []
        measure("compress \(content.count) bytes", count: 20) {
            for _ in 0..<20 {
                payload.removeAll(keepingCapacity: true)
                content.withUnsafeBytes { try? deflater.compress($0, into: &payload) }
            }
        }
        guard let single = MessageDeflater(keepsContext: false) else { return }
        var first: [UInt8] = []
        content.withUnsafeBytes { try? single.compress($0, into: &first) }
        var stream: [UInt8] = [0xC2]
        stream += first.count < 126 ? [UInt8(first.count)] : [126, UInt8(first.count >> 8), UInt8(first.count & 0xFF)]
        stream += first
        var reader = FrameReader(maximumMessageSize: 1 << 20, inflater: MessageInflater())
        measure("decompress \(content.count) bytes from \(first.count)", count: 20) {
            for _ in 0..<20 {
                stream.withUnsafeBytes { memory in
                    var input = memory
                    _ = messages(&reader, &input)
                }
            }
        }
    }
}
