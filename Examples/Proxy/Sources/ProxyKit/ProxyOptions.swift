public import ArgumentParser
import Foundation
import NIOCore

/// The command line of the proxy.
public struct ProxyOptions: ParsableArguments, Sendable {
    @Option(help: "The server to forward to, such as http://127.0.0.1:8000; by default, the variable UPSTREAM.")
    var upstream: String?

    /// The address to listen on.
    @Option(help: "The address to listen on.")
    public var host = "127.0.0.1"

    /// The port to listen on.
    @Option(help: "The port to listen on; 0 for any. The port is printed.")
    public var port = 8080

    /// How many threads serve clients.
    @Option(help: "How many threads serve clients.")
    public var threads = System.coreCount

    /// Whether requests are forwarded on the threads that serve clients, rather than on threads of their own.
    @Flag(inversion: .prefixedNo, help: "Forward requests on the threads that serve clients.")
    public var eventLoops = true

    /// The number of connections to the upstream.
    @Option(help: "How many connections to the upstream there are at most.")
    public var connections = 256

    /// The largest body of a request, in bytes.
    @Option(help: "The largest body of a request, in bytes.")
    public var bodyLimit = 1 << 30

    /// The limit for connecting, waiting for the head, and waiting for the next byte, in seconds.
    @Option(help: "How many seconds the upstream may take to respond, and between two bytes.")
    public var timeout = 60.0

    /// How often a request is sent again at most.
    @Option(help: "How often a request without a body is sent again, if its method allows that.")
    public var retries = 2

    /// How long requests may continue after the proxy was asked to stop, in seconds.
    @Option(help: "How many seconds requests may take to end after SIGTERM.")
    public var grace = 30.0

    /// Creates options from a command line.
    public init() {}

    /// The server to forward to.
    ///
    /// - Returns: The server.
    /// - Throws: `ValidationError` if there is none.
    public func makeUpstream() throws -> Upstream {
        guard let url = upstream ?? ProcessInfo.processInfo.environment["UPSTREAM"] else {
            throw ValidationError("Name a server with --upstream.")
        }
        guard let upstream = Upstream(url) else {
            throw ValidationError("The upstream must be an http or https URL without user, query and fragment.")
        }
        return upstream
    }

    /// Refuses values that make no sense.
    ///
    /// - Throws: `ValidationError`.
    public func validate() throws {
        _ = try makeUpstream()
        guard (0...65_535).contains(port) else { throw ValidationError("The port is a number from 0 to 65535.") }
        guard (1...1024).contains(threads) else { throw ValidationError("There are 1 to 1024 threads.") }
        guard (1...65_536).contains(connections) else { throw ValidationError("There are 1 to 65536 connections.") }
        guard bodyLimit >= 0, retries >= 0 else { throw ValidationError("Limits are not negative.") }
        guard (0.001...86_400).contains(timeout), (0...86_400).contains(grace) else {
            throw ValidationError("Times are at most a day; the timeout is more than zero.")
        }
    }
}
