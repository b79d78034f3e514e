/// The progress of a transfer.
///
/// All counts are in bytes of bodies, without heads. They never decrease: if a request is sent again, the counts stand
/// still until the new attempt has overtaken the old one.
public struct TransferProgress: Sendable, Hashable {
    /// The main direction of a transfer.
    public enum Direction: Sendable, Hashable {
        /// A download, whose progress counts the received bytes.
        case receiving
        /// An upload, whose progress counts the sent bytes.
        case sending
    }

    /// The main direction of the transfer.
    public var direction: Direction
    /// The number of bytes of the request's body that were sent.
    public var bytesSent: Int64
    /// The length of the request's body; `nil` if it is unknown before the end of the body.
    public var bytesToSend: Int64?
    /// The number of bytes of the response's body that arrived, after decompression.
    public var bytesReceived: Int64
    /// The length of the response's body.
    ///
    /// `nil` before its head arrives, if the server did not send a length, or if the body is decompressed in transit.
    public var bytesToReceive: Int64?
    /// The bytes per second in the main direction, averaged over the last few seconds; `nil` at the start.
    public var bytesPerSecond: Double?
    /// The number of received bytes that come from an earlier download, which this one resumes.
    public var bytesKept: Int64 = 0
    /// The number of times that the transfer started over after a response had arrived: because a policy, such as a
    /// ``RetryPolicy``, sent the request again, or because a resumed download did not have the expected digest.
    ///
    /// The counts stand still until the new attempt has overtaken the previous one. Requests that were sent again before a
    /// response arrived, and redirects, do not count.
    public package(set) var restarts = 0

    /// Creates a progress.
    ///
    /// - Parameters:
    ///   - direction: The main direction of the transfer.
    ///   - bytesSent: The number of bytes of the request's body that were sent.
    ///   - bytesToSend: The length of the request's body.
    ///   - bytesReceived: The number of bytes of the response's body that arrived.
    ///   - bytesToReceive: The length of the response's body.
    ///   - bytesPerSecond: The bytes per second in the main direction.
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

    /// The fraction of the request's body that was sent, from 0 to 1; `nil` while its length is unknown.
    public var fractionSent: Double? { Self.fraction(bytesSent, bytesToSend) }

    /// The fraction of the response's body that arrived, from 0 to 1; `nil` while its length is unknown.
    public var fractionReceived: Double? { Self.fraction(bytesReceived, bytesToReceive) }

    /// The completed fraction of the transfer, from 0 to 1; `nil` while it is unknown.
    ///
    /// It refers to the response's body for a download, and to the request's body for an upload. The last progress of a
    /// successful transfer is 1.
    public var fractionCompleted: Double? { direction == .sending ? fractionSent : fractionReceived }

    /// The estimated time remaining at the current speed; `nil` while the length or the speed is unknown.
    public var estimatedTimeRemaining: Duration? {
        let (part, whole) = direction == .sending ? (bytesSent, bytesToSend) : (bytesReceived, bytesToReceive)
        guard let whole, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        // `Double` does not overflow, whatever values a caller has set.
        let rest = Double(whole) - Double(part)
        // Cap at about thirty years; more is not meaningful, and not every clock can hold it.
        return .seconds(min(max(0, rest) / bytesPerSecond, 1e9))
    }

    private static func fraction(_ part: Int64, _ whole: Int64?) -> Double? {
        guard let whole else { return nil }
        guard whole > 0 else { return 1 }
        return min(1, max(0, Double(part) / Double(whole)))
    }
}

extension TransferProgress: CustomStringConvertible {
    /// The progress in one line, such as `received 512000 of 1048576 bytes (48 %), 256000 bytes per second`.
    ///
    /// Print it, but do not parse it: the words may change.
    public var description: String {
        let isSending = direction == .sending
        let (count, total) = isSending ? (bytesSent, bytesToSend) : (bytesReceived, bytesToReceive)
        var text = ProgressText.line(
            isSending ? "sent" : "received",
            count,
            of: total,
            fraction: fractionCompleted,
            bytesPerSecond: bytesPerSecond
        )
        if bytesKept > 0 { text += ", \(ErrorText.bytes(bytesKept)) kept" }
        if restarts > 0 { text += ", started over \(restarts == 1 ? "once" : "\(restarts) times")" }
        return text
    }
}

/// The text of a progress.
package enum ProgressText {
    /// Returns a line, such as `received 512000 of 1048576 bytes (48 %), 256000 bytes per second`.
    package static func line(
        _ verb: String,
        _ count: Int64,
        of total: Int64?,
        fraction: Double?,
        bytesPerSecond: Double?
    ) -> String {
        var text = "\(verb) " + (total.map { "\(count) of \(ErrorText.bytes($0))" } ?? ErrorText.bytes(count))
        // Rounded down, so that 100 % means the end.
        if let fraction, fraction.isFinite { text += " (\(Int(100 * min(1, max(0, fraction)))) %)" }
        // Callers can set any number.
        if let bytesPerSecond, let speed = Int64(exactly: bytesPerSecond.rounded()) {
            text += ", \(ErrorText.bytes(speed)) per second"
        }
        return text
    }
}

extension TransferProgress {
    /// Applies a change without letting any count decrease; returns whether any value changed.
    ///
    /// Counts that decrease, and totals that become unknown or grow, belong to a new attempt and are ignored. Only a retry
    /// resets the length of the response, because the previous length was that of a failure.
    package mutating func advance(_ change: (inout TransferProgress) -> Void) -> Bool {
        var next = self
        change(&next)
        next.bytesSent = max(next.bytesSent, bytesSent)
        next.bytesReceived = max(next.bytesReceived, bytesReceived)
        // A total below the count would be wrong, and a larger total would make the fraction decrease.
        next.bytesToSend = Self.total(next.bytesToSend, bytesToSend, next.bytesSent)
        let bytesToReceive = next.restarts == restarts ? bytesToReceive : nil
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
