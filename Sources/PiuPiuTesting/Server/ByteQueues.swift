/// Received bytes that are not parsed yet.
struct InputBuffer {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }

    mutating func append(_ count: Int, of source: [UInt8]) {
        if start == bytes.count {
            removeAll()
        }
        source.withUnsafeBufferPointer { bytes.append(contentsOf: $0.prefix(count)) }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 17)
        start = 0
    }

    /// Takes bytes from the front; `count` must not be larger than the buffer.
    mutating func take(_ count: Int) -> [UInt8] {
        let taken = Array(bytes[start..<start + count])
        skip(count)
        return taken
    }

    /// Moves bytes from the front to the end of an array; `count` must not be larger than the buffer.
    mutating func move(_ count: Int, to target: inout [UInt8]) {
        bytes.withUnsafeBufferPointer { target.append(contentsOf: $0[start..<start + count]) }
        skip(count)
    }

    /// Drops bytes from the front; `count` must not be larger than the buffer.
    mutating func skip(_ count: Int) {
        start += count
        if start == bytes.count {
            removeAll()
        } else if start >= 1 << 16 {
            bytes.removeSubrange(..<start)
            start = 0
        }
    }

    /// The distance from the front to the first occurrence of a pattern that starts at or after an offset.
    func distance(to pattern: [UInt8], from offset: Int) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var index = start + max(0, offset)
            while index + pattern.count <= bytes.count {
                var matched = 0
                while matched < pattern.count, bytes[index + matched] == pattern[matched] {
                    matched += 1
                }
                if matched == pattern.count { return index - start }
                index += 1
            }
            return nil
        }
    }

    /// Whether the buffer begins with a pattern.
    func starts(with pattern: [UInt8]) -> Bool {
        count >= pattern.count && Array(bytes[start..<start + pattern.count]) == pattern
    }
}

/// Bytes to send once the socket accepts them.
struct OutputQueue {
    private var chunks: [[UInt8]] = []
    private var first = 0
    private var offset = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        chunks.append(bytes)
        count += bytes.count
    }

    mutating func removeAll() {
        self = OutputQueue()
    }

    /// Passes the first chunk to a closure, which returns the number of bytes written.
    mutating func write(with body: (_ chunk: [UInt8], _ offset: Int) -> Sockets.Outcome) -> Sockets.Outcome {
        guard first < chunks.count else { return .wouldBlock }
        let outcome = body(chunks[first], offset)
        guard case .bytes(let written) = outcome else { return outcome }
        offset += written
        count -= written
        if offset == chunks[first].count {
            chunks[first] = []
            first += 1
            offset = 0
        }
        if first == chunks.count {
            removeAll()
        } else if first >= 64 {
            chunks.removeSubrange(..<first)
            first = 0
        }
        return outcome
    }
}
