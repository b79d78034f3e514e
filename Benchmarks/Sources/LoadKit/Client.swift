import Foundation

/// A client to be measured: what every one of them has to do for the same loop.
package protocol Client: Sendable {
    // What all clients are given alike.
    init(_ settings: ClientSettings) throws
    /// Sends GET, reads the whole body, and returns its length; throws if the status is not 200.
    func get(_ address: Address) async throws -> Int
    /// The same with POST of the settings' body.
    func post(_ address: Address) async throws -> Int
    /// Sends GET, decodes an array of ``Record`` and gives how many there are.
    func decode(_ address: Address) async throws -> Int
    /// Sends GET and gives the body as text.
    func text(_ address: Address) async throws -> String
    /// The executors that the tasks of a load run on, in turn; empty for the global one.
    var executors: [any TaskExecutor] { get }
    /// Closes connections and threads.
    func shutdown() async throws
}

extension Client {
    package var executors: [any TaskExecutor] { [] }
}

/// A client that can move large bodies without holding them.
package protocol TransferClient: Client {
    /// Saves the body in a file.
    func download(_ address: Address, to path: String) async throws
    /// Sends a file with PUT; throws if the status is not of 2xx.
    func upload(_ path: String, to address: Address) async throws
    /// Reads the body as it arrives, with a pause after each chunk if one is asked for, and returns its length.
    func read(_ address: Address, pause: Duration) async throws -> Int
}

/// A URL in the two forms that clients take.
package struct Address: Sendable {
    package let text: String
    package let url: URL

    package init(_ text: String) throws {
        guard let url = URL(string: text) else { throw LoadError("no URL: \(text)") }
        self.text = text
        self.url = url
    }
}

package struct ClientSettings: Sendable {
    /// How many connections may be open.
    package var connections = 1
    /// How many threads serve the network, if that can be set.
    package var loops = 1
    /// Whether HTTP/2 is offered over TLS.
    package var allowsHTTP2 = false
    /// The certificates to trust (PEM).
    package var certificateFile: String?
    /// What ``Client/post(_:)`` sends.
    package var body: [UInt8] = []
}

/// An element of the JSON that is decoded.
package struct Record: Codable, Sendable {
    package var id: Int
    package var title: String
    package var tags: [String]
    package var score: Double
    package var isOpen: Bool
}

package struct LoadError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    /// Throws unless a status says success.
    package static func check(status: Int?, _ accepted: ClosedRange<Int> = 200...200) throws {
        guard let status, accepted.contains(status) else {
            throw LoadError("status \(status.map { String($0) } ?? "missing")")
        }
    }
}
