/// Decides whether a server has been silent for so long that no more requests should wait for it; a pure value.
///
/// All times are in nanoseconds of the same clock. A server is silent from the last byte that it sent, or from the beginning of
/// the stream that waits for it, whichever is later. Streams that are given up one after another belong to one silence.
///
/// | A stream that waits is given up | The silence | Then |
/// |---|---|---|
/// | because its time ran out | longer than ``shortPatience`` | the server is in doubt, and is asked for a sign of life |
/// | because its owner cancelled it | longer than ``patience`` | the same |
/// | any | shorter | the next stream that is given up soon continues this silence |
///
/// Any byte from the server ends the silence and the doubt.
struct ServerSilence {
    /// How long a server may be silent before streams are given up, and between two of them, without doubt.
    static let patience: Int64 = 1_000_000_000
    /// How long a server may be silent if a stream's time ran out; many networks need longer for an answer.
    static let shortPatience: Int64 = 100_000_000

    private var lastReceivedAt: Int64
    /// The time in which streams waited without an answer.
    private var silence: (since: Int64, until: Int64)?
    /// Whether no more requests should wait for the server.
    private(set) var isDoubtful = false

    /// Creates the state of a connection that opens at `now`.
    init(now: Int64) { lastReceivedAt = now }

    /// Records that bytes arrived, and returns whether that ends the doubt.
    mutating func received(now: Int64) -> Bool {
        lastReceivedAt = now
        silence = nil
        defer { isDoubtful = false }
        return isDoubtful
    }

    /// Records that a stream that waits for the server is given up.
    ///
    /// - Parameters:
    ///   - begunAt: When the stream began.
    ///   - isLate: Whether its time ran out.
    ///   - now: The current time.
    /// - Returns: Whether to ask the server for a sign of life.
    mutating func gaveUp(begunAt: Int64, isLate: Bool, now: Int64) -> Bool {
        var since = max(begunAt, lastReceivedAt)
        if let silence, since - silence.until <= Self.patience { since = min(since, silence.since) }
        silence = (since, now)
        guard !isDoubtful, now - since > (isLate ? Self.shortPatience : Self.patience) else { return false }
        isDoubtful = true
        return true
    }
}
