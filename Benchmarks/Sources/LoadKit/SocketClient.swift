import Foundation

/// A WebSocket client to be measured: what every one of them has to do for the same load.
package protocol SocketClient: Sendable {
    /// An open WebSocket, used by one task.
    associatedtype Socket: Sendable

    /// Only the limit of connections and the number of event loops are used.
    init(_ settings: ClientSettings) throws
    /// Opens a WebSocket, and closes it when the body returns.
    func withSocket<Result: Sendable>(
        _ address: Address,
        _ body: @escaping @Sendable (Socket) async throws -> Result
    ) async throws -> Result
    /// Opens a WebSocket that stays open without a task, or returns `nil` if the client has none such.
    func open(_ address: Address) async throws -> Socket?
    /// Sends a binary message, and again after each echo until the time is over, but once at least; returns the number
    /// of echoes. Throws if an echo has another length.
    func echo(_ message: [UInt8], on socket: Socket, until end: ContinuousClock.Instant) async throws -> Int
    /// Waits for a message, which doesn't come.
    func wait(_ socket: Socket) async throws
    /// The executors that the tasks of a load run on, in turn; empty for the global one.
    var executors: [any TaskExecutor] { get }
    /// Closes connections and threads.
    func shutdown() async throws
}

extension SocketClient {
    package var executors: [any TaskExecutor] { [] }
}
