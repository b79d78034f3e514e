/// A phase of a request that has a time limit.
///
/// Later versions may add phases: a `switch` over them needs a `default`.
public struct TimeoutPhase: RawRepresentable, Sendable, CaseIterable {
    private enum Storage: String, Sendable {
        case queue, connect, head, idle, total, attempt
    }

    private let storage: Storage

    /// Waiting for a free connection.
    public static let queue = TimeoutPhase(storage: .queue)
    /// Name lookup, TCP and TLS handshake.
    public static let connect = TimeoutPhase(storage: .connect)
    /// Waiting for the head of the response.
    public static let head = TimeoutPhase(storage: .head)
    /// Waiting for the next byte.
    public static let idle = TimeoutPhase(storage: .idle)
    /// The whole call.
    public static let total = TimeoutPhase(storage: .total)
    /// One attempt of a call that may make several; see ``RetryPolicy/attemptTimeout``.
    public static let attempt = TimeoutPhase(storage: .attempt)

    /// All phases.
    public static let allCases: [TimeoutPhase] = [.queue, .connect, .head, .idle, .total, .attempt]

    private init(storage: Storage) {
        self.storage = storage
    }

    /// Creates the phase with a name; `nil` if there is none.
    ///
    /// - Parameter rawValue: The name, such as `connect`.
    public init?(rawValue: String) {
        guard let storage = Storage(rawValue: rawValue) else { return nil }
        self.storage = storage
    }

    /// The name of the phase, such as `connect`.
    public var rawValue: String { storage.rawValue }
}

// Written out, because the default implementations of `RawRepresentable` would compare the names.
extension TimeoutPhase: Hashable {
    /// Compares two phases.
    ///
    /// - Parameters:
    ///   - lhs: A phase.
    ///   - rhs: Another phase.
    /// - Returns: `true` if both are the same.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.storage == rhs.storage
    }

    /// Feeds the phase to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage)
    }
}

extension TimeoutPhase: CustomStringConvertible {
    /// The name of the phase, such as `connect`.
    public var description: String { rawValue }
}
