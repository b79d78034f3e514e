import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

#if os(Linux)
extension URLRequestDispatcher {
    /// A dispatcher for tests that finds its proxies in some way.
    ///
    /// Each request has the planted secret in a cookie, which ``proxyError(sourceLocation:_:)`` looks for in the error.
    static func through(
        _ proxy: TransportConfiguration.Proxy,
        _ configure: (inout Configuration) -> Void = { _ in }
    ) -> URLRequestDispatcher {
        forTests {
            $0.transport.proxy = proxy
            $0.additionalHeaders = ["Cookie": "session=\(SecretSearch.secret)"]
            configure(&$0)
        }
    }
}
#endif

extension ProxyServer {
    /// A proxy on loopback, with the planted password if there is a user.
    static func local(
        _ port: Int,
        user: String? = nil,
        headers: HTTPHeaderFields = [:],
        _ kind: Kind = .http
    ) throws -> ProxyServer {
        try ProxyServer(
            kind,
            host: "127.0.0.1",
            port: port,
            user: user,
            password: user == nil ? "" : SecretSearch.secret,
            connectHeaders: headers
        )
    }
}

/// Expects a request to fail because of its proxy, and no text to have the planted password.
@discardableResult
func proxyError(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ operation: () async throws -> some Any
) async throws -> TransportError {
    let thrown = try await failure(of: operation)
    let error = try #require(thrown as? TransportError, "\(thrown)", sourceLocation: sourceLocation)
    #expect(error.code == .proxy, "\(String(reflecting: error))", sourceLocation: sourceLocation)
    expectNoSecret(in: error, sourceLocation: sourceLocation)
    return error
}

/// The value of `Proxy-Authorization` for a user with the planted password.
func basic(_ user: String) -> String {
    "Basic " + Data("\(user):\(SecretSearch.secret)".utf8).base64EncodedString()
}

/// The values of `Proxy-Authorization` in a request; `none` if there is no such field.
func credentials(_ request: RecordedRequest) -> String {
    let values = request.headers.filter { $0.name.isEqualIgnoringASCIICase(to: "Proxy-Authorization") }.map(\.value)
    return values.isEmpty ? "none" : values.joined(separator: " and ")
}

/// Lines that scripts and functions write down.
final class Notes: Sendable {
    private let state = Locked<[String]>([])

    var lines: [String] { state.withLock { $0 } }

    func add(_ line: String) { state.withLock { $0.append(line) } }
}
