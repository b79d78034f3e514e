/// How far a transfer has come.
///
/// All counts are bytes of bodies, heads not included. They never go backwards: where a request has to be sent again, the
/// counts stand still until the new attempt has overtaken the old one.
public struct TransferProgress: Sendable, Hashable {
    /// What a transfer is mainly about.
    public enum Direction: Sendable, Hashable {
        /// A download: what is received counts.
        case receiving
        /// An upload: what is sent counts.
        case sending
    }

    /// What the transfer is mainly about.
    public var direction: Direction
    /// How many bytes of the request's body were sent.
    public var bytesSent: Int64
    /// How many bytes the request's body has; `nil` where that is not known before it was sent.
    public var bytesToSend: Int64?
    /// How many bytes of the response's body arrived, after decompression.
    public var bytesReceived: Int64
    /// How many bytes the response's body has; `nil` before its head is there, where the server did not say, and where
    /// it is decompressed on its way.
    public var bytesToReceive: Int64?
    /// How many bytes moved in the main direction in a second, averaged over the last few seconds; `nil` at the start.
    public var bytesPerSecond: Double?
    /// How many of the bytes that were received are those of an earlier download, which this one continues.
    public var bytesKept: Int64 = 0

    /// Creates a progress.
    ///
    /// - Parameters:
    ///   - direction: What the transfer is mainly about.
    ///   - bytesSent: How many bytes of the request's body were sent.
    ///   - bytesToSend: How many bytes the request's body has.
    ///   - bytesReceived: How many bytes of the response's body arrived.
    ///   - bytesToReceive: How many bytes the response's body has.
    ///   - bytesPerSecond: How many bytes moved in the main direction in a second.
    public init(
        direction: Direction,
        bytesSent: Int64 = 0,
        bytesToSend: Int64? = nil,
        bytesReceived: Int64 = 0,
        bytesToReceive: Int64? = nil,
        bytesPerSecond: Double? = nil
    ) {
        self.direction = direction
        self.bytesSent = bytesSent
        self.bytesToSend = bytesToSend
        self.bytesReceived = bytesReceived
        self.bytesToReceive = bytesToReceive
        self.bytesPerSecond = bytesPerSecond
    }

    /// The part of the request's body that was sent, from 0 to 1; `nil` while its length is not known.
    public var fractionSent: Double? { Self.fraction(bytesSent, bytesToSend) }

    /// The part of the response's body that arrived, from 0 to 1; `nil` while its length is not known.
    public var fractionReceived: Double? { Self.fraction(bytesReceived, bytesToReceive) }

    /// The part of the whole that is done, from 0 to 1; `nil` while that is not known.
    ///
    /// The whole is what the transfer is about: the body of the response for a download, that of the request for an
    /// upload. The last progress of a transfer that succeeds is 1.
    public var fractionCompleted: Double? { direction == .sending ? fractionSent : fractionReceived }

    /// How long it will take if it goes on like this; `nil` while the length or the speed is not known.
    public var estimatedTimeRemaining: Duration? {
        let (part, whole) = direction == .sending ? (bytesSent, bytesToSend) : (bytesReceived, bytesToReceive)
        guard let whole, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        // As `Double`, which does not overflow, whatever somebody set.
        let rest = Double(whole) - Double(part)
        // More than thirty years cannot be told apart, nor held by all clocks.
        return .seconds(min(max(0, rest) / bytesPerSecond, 1e9))
    }

    private static func fraction(_ part: Int64, _ whole: Int64?) -> Double? {
        guard let whole else { return nil }
        guard whole > 0 else { return 1 }
        return min(1, max(0, Double(part) / Double(whole)))
    }
}

extension TransferProgress {
    /// Takes a change in, so that nothing goes backwards.
    ///
    /// Counts that go backwards, and totals that are forgotten or grow, are those of a new attempt; they are left out.
    ///
    /// - Parameter change: What changes.
    /// - Returns: Whether anything is different now.
    package mutating func advance(_ change: (inout TransferProgress) -> Void) -> Bool {
        var next = self
        change(&next)
        next.bytesSent = max(next.bytesSent, bytesSent)
        next.bytesReceived = max(next.bytesReceived, bytesReceived)
        // A total below the count would be wrong, and a larger one would make the fraction go backwards.
        next.bytesToSend = Self.total(next.bytesToSend, bytesToSend, next.bytesSent)
        next.bytesToReceive = Self.total(next.bytesToReceive, bytesToReceive, next.bytesReceived)
        guard next != self else { return false }
        self = next
        return true
    }

    private static func total(_ new: Int64?, _ old: Int64?, _ count: Int64) -> Int64? {
        guard let old else { return new.map { max($0, count) } }
        return max(min(old, new ?? old), count)
    }
}
