#if os(Linux)
/// The memory that all streams of a process may hold for the windows of their codings.
///
/// A brotli window has up to 16 MiB and a zstd window up to 8 MiB; a gzip window has 32 KiB. A stream holds its window while
/// its reader is slow, so streams do not request these codings. If a server uses one anyway, its window counts against this
/// budget.
final class WindowBudget: Sendable {
    /// The budget of the process.
    static let shared = WindowBudget(capacity: 128 << 20)

    private let remaining: Locked<Int>

    /// Creates a budget of a number of bytes.
    init(capacity: Int) {
        remaining = Locked(capacity)
    }

    /// A share of the budget, which is returned when the object is released.
    final class Share: Sendable {
        private let budget: WindowBudget
        private let size: Int

        fileprivate init(_ budget: WindowBudget, _ size: Int) {
            self.budget = budget
            self.size = size
        }

        deinit {
            budget.remaining.withLock { $0 += size }
        }
    }

    /// Takes a share of a number of bytes; returns `nil` if less than that is left.
    func take(_ size: Int) -> Share? {
        let isThere = remaining.withLock { remaining in
            guard remaining >= size else { return false }
            remaining -= size
            return true
        }
        return isThere ? Share(self, size) : nil
    }
}

extension ContentCoding {
    /// The size of a body's window, in bytes.
    ///
    /// - Parameter firstByte: The first byte of the body.
    /// - Returns: The size according to the byte, or the maximum size if the byte does not contain it; 0 if the window is
    ///   small.
    func windowSize(firstByte: UInt8) -> Int {
        switch self {
        case .gzip, .deflate: 0
        // RFC 9659 §3.
        case .zstd: 8 << 20
        // RFC 7932 §9.1.
        case .brotli:
            switch (firstByte & 1, firstByte >> 1 & 7, firstByte >> 4 & 7) {
            case (0, _, _): 1 << 16
            case (_, 0, 0): 1 << 17
            case (_, 0, let bits): 1 << (8 + Int(bits))
            case (_, let bits, _): 1 << (17 + Int(bits))
            }
        }
    }
}
#endif
