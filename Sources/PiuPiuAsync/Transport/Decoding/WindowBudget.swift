#if os(Linux)
/// The memory that the streams of a process hold for what their codings may repeat.
///
/// Brotli goes back up to 16 MiB and zstd up to 8 MiB, where gzip goes back 32 KiB. A stream whose reader is slow holds
/// that for as long as it likes, so that streams do not ask for these codings. A server that uses one all the same is
/// answered out of this budget.
final class WindowBudget: Sendable {
    /// The budget of the process.
    static let shared = WindowBudget(capacity: 128 << 20)

    private let remaining: Locked<Int>

    /// Creates a budget.
    ///
    /// - Parameter capacity: How much may be taken, in bytes.
    init(capacity: Int) {
        remaining = Locked(capacity)
    }

    /// A part of the budget, which goes back when it is released.
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

    /// Takes a part of the budget.
    ///
    /// - Parameter size: How much, in bytes.
    /// - Returns: The part; `nil` if so much is not left.
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
    /// How far a body can go back, in bytes.
    ///
    /// - Parameter firstByte: What it begins with.
    /// - Returns: The size of its window where that is told, or else the largest; 0 where it is small.
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
