import PiuPiuAsync

extension TransportConformance.Case {
    /// Creates a case in which a server sends raw bytes, and the transport returns a certain response.
    static func raw(
        _ name: String,
        _ summary: String,
        _ source: String,
        gives body: String?,
        fields: [String: String] = [:],
        script: @escaping @Sendable () -> [Step]
    ) -> Self {
        .wire(name, summary, source) { bench in
            let response = try await bench.response(toScript: script())
            try expect("the body", response.text, is: body)
            for (name, value) in fields { try expect(name, response.head.headers[name], is: value) }
            try await bench.expectGoodTransport()
        }
    }

    /// Creates a case in which a server sends "HTTP/1.1 " and a text and closes, and the transport succeeds.
    static func raw(
        _ name: String,
        _ summary: String,
        _ source: String,
        _ message: String,
        gives body: String?,
        fields: [String: String] = [:]
    ) -> Self {
        raw(name, summary, source, [.send("HTTP/1.1 " + message), .close], gives: body, fields: fields)
    }

    /// Creates a case in which a server runs a script, and the transport returns a certain response.
    static func raw(
        _ name: String,
        _ summary: String,
        _ source: String,
        _ script: [Step],
        gives body: String?,
        fields: [String: String] = [:]
    ) -> Self {
        raw(name, summary, source, gives: body, fields: fields) { script }
    }

    /// Creates a case in which a server sends raw bytes, and the transport fails with a certain error.
    static func raw(
        _ name: String,
        _ summary: String,
        _ source: String,
        then configure: @escaping @Sendable (inout TransportRequest) -> Void = { _ in },
        fails code: TransportError.Code,
        script: @escaping @Sendable () -> [Step]
    ) -> Self {
        .wire(name, summary, source) { bench in
            try await expectError(code) {
                try await bench.response(toScript: script()) {
                    $0.options.maximumHead = 64 * 1024
                    configure(&$0)
                }
            }
            try await bench.expectGoodTransport()
        }
    }

    /// Creates a case in which a server sends "HTTP/1.1 " and a text and closes, and the transport fails.
    static func raw(
        _ name: String,
        _ summary: String,
        _ source: String,
        _ message: String,
        fails code: TransportError.Code
    ) -> Self {
        raw(name, summary, source, fails: code) { [.send("HTTP/1.1 " + message), .close] }
    }
}

extension ConformanceBench {
    /// Sends a request that the server answers with a script.
    func response(
        to method: String = "GET",
        toScript script: [Step],
        headers: [String: String] = [:],
        _ configure: (inout TransportRequest) -> Void = { _ in }
    ) async throws -> TransportResponse {
        let server = try server
        server.route("/raw", script)
        server.route("/good", .response(body: "good"))
        return try await transport.send(request("/raw", method, headers: headers, configure))
    }

    /// Checks that the transport still works.
    func expectGoodTransport() async throws {
        let response = try await transport.send(request("/good"))
        try expect("the body of the next response", response.text, is: "good")
    }
}

extension [Step] {
    /// Sends text byte by byte, each byte in its own segment as far as the system permits.
    static func dribble(_ text: String) -> [Step] {
        text.utf8.flatMap { [.send(Data([$0])), .sleep(.microseconds(200))] }
    }
}
