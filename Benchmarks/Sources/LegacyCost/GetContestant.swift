import Foundation

/// A system of futures to be measured.
protocol GetContestant: Sendable {
    var name: String { get }
    /// Sends a GET with a handler for the response and one for the error, and returns the length of the body.
    func get() async throws -> Int
}

extension URL {
    /// The server, without the path.
    var server: URL { URL(string: "/", relativeTo: self)?.absoluteURL ?? self }
}
