import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

// What these tests need of the API that may change, and what they share.

extension TransportConfiguration {
    /// Whether HTTP/2 is spoken if the server offers it, whatever the default is.
    package var speaksHTTP2: Bool {
        get { http2 != .never }
        set { http2 = newValue ? .always : .never }
    }
}

/// Whether HTTP/2 can be tested.
package enum HTTP2Support {
    /// Whether the transport speaks it, and a scripted server can.
    package static var isAvailable: Bool { isDefault && HTTP2Script.isAvailable }

    /// Whether the transport speaks it.
    package static let isDefault: Bool = {
        #if os(Linux)
        SocketTransport.capabilities.http2.isAvailable
        #else
        true
        #endif
    }()
}

extension TransportError {
    /// Whether the server has certainly not processed the request.
    package var mayBeSentAgain: Bool { isSafeToRetry }
}

extension URLRequestDispatcher {
    /// A dispatcher that trusts the authority of a test and, if asked to, speaks HTTP/2.
    package static func trusting(
        _ authority: URL?,
        http2: Bool = false,
        _ configure: (inout Configuration) -> Void = { _ in }
    ) -> URLRequestDispatcher {
        .forTests {
            $0.transport.certificateAuthorityFile = authority
            $0.transport.speaksHTTP2 = http2
            configure(&$0)
        }
    }

    /// Sends a request and takes the body in one of the ways there are.
    ///
    /// A download that fails must leave nothing behind.
    package func receive(_ request: URLRequest, by delivery: Delivery) async throws -> Received {
        switch delivery {
        case .data:
            let response = try await data(for: request)
            return Received(statusCode: response.head?.statusCode.rawValue ?? 0, body: response.data ?? Data())
        case .stream:
            let response = try await stream(for: request)
            let body = try await response.data.collect(upTo: 64 << 20)
            return Received(statusCode: response.head?.statusCode.rawValue ?? 0, body: body)
        case .download:
            let folder = try DownloadFolder()
            let file = folder["file"]
            do {
                var options = DownloadOptions()
                options.failureStatusCodes = 1000..<1001
                options.acceptsCompression = true
                let response = try await download(for: request, to: file, options: options).response()
                return Received(
                    statusCode: response.head?.statusCode.rawValue ?? 0,
                    body: folder.data("file") ?? Data()
                )
            } catch {
                #expect(folder.listing == [], "a failed download left something behind")
                throw error
            }
        }
    }

    /// Sends a request that fails, and returns the error.
    package func failureToReceive(_ url: URL, by delivery: Delivery = .data) async throws -> any Error {
        try await failure { try await receive(URLRequest(url: url), by: delivery) }
    }
}

/// How a body is taken.
package enum Delivery: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case data, stream, download

    package var testDescription: String { rawValue }
}

/// What a response was.
package struct Received: Equatable, Sendable, CustomStringConvertible {
    package var statusCode: Int
    package var body: Data

    package init(statusCode: Int = 200, body: Data) {
        self.statusCode = statusCode
        self.body = body
    }

    package init(_ statusCode: Int, _ text: String) {
        self.init(statusCode: statusCode, body: Data(text.utf8))
    }

    package init(_ text: String) {
        self.init(200, text)
    }

    package var description: String {
        "\(statusCode), \(body.count) bytes, \(String(decoding: body.prefix(40), as: UTF8.self))"
    }
}

/// What is between a client and a scripted server.
package enum Wire: String, Sendable, CustomTestStringConvertible {
    case plain, tls12, tls13

    /// Those that there can be on this machine.
    package static var available: [Wire] { TLSRelay.isAvailable ? [.plain, .tls12, .tls13] : [.plain] }

    package var testDescription: String { rawValue }
}

/// A scripted server behind a wire.
package struct WiredServer {
    package let script: LoopbackServer
    package let relay: TLSRelay?

    package init(_ wire: Wire, _ configure: (inout TLSRelay.Settings) -> Void = { _ in }) throws {
        let script = try LoopbackServer()
        self.script = script
        relay =
            try wire == .plain
            ? nil
            : TLSRelay(to: script.port) {
                $0.version = wire == .tls12 ? .tls12 : .tls13
                $0.protocols = ["http/1.1"]
                configure(&$0)
            }
    }

    package func url(_ path: String) -> URL { relay?.url(path) ?? script.url(path) }

    /// A dispatcher that trusts the server and speaks HTTP/1.1.
    package func dispatcher(
        _ configure: (inout URLRequestDispatcher.Configuration) -> Void = { _ in }
    ) -> URLRequestDispatcher {
        .trusting(relay?.authority, configure)
    }

    /// Waits until everything that the script has sent so far is on its way to the client, or the client has closed the
    /// connection.
    package func waitUntilSent() async {
        await waitUntilSent(script.bytesSent)
    }

    private func waitUntilSent(_ total: Int) async {
        guard let relay else { return }
        while relay.bytesSent < total, script.openConnections > 0, !Task.isCancelled { await Task.yield() }
    }

    /// Opens a gate, and waits until what the script sends behind it is on its way to the client.
    ///
    /// The client may close the connection as soon as it sees the first byte.
    package func release(_ gate: String, sending text: String) async {
        let total = script.bytesSent + text.utf8.count
        script.release(gate)
        while script.bytesSent < total, !Task.isCancelled { await Task.yield() }
        await waitUntilSent(total)
    }
}

extension TransportError.Code {
    /// The code of an error; `nil` if it is another error.
    package static func of(_ error: any Error) -> TransportError.Code? { (error as? TransportError)?.code }
}
