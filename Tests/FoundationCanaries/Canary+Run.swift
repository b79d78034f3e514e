#if os(Linux)
import PiuPiuTesting
import PiuPiuAsync

extension Canary {
    /// A hundred times `hello `, compressed with gzip.
    private static let gzip = Data(
        base64Encoded: "H4sIAAAAAAACA8tIzcnJV8gYJUdJqpIA8zGiDVgCAAA="
    )

    /// Shows the fault.
    ///
    /// - Returns: Whether it was seen. A fault that ends the process was not seen if this returns.
    func isSeen() throws -> Bool {
        let server = try LoopbackServer()
        return switch self {
        case .row02AnsweringARedirectAfterCancelTraps: try answerAfterCancel(server)
        case .row03RedirectCarriesSecretsAway: try redirectWithSecrets(server)
        case .row04RedirectLosesTheBody: try redirectWithBody(server)
        case .row05RedirectResolvesWrongly: try relativeRedirect(server)
        case .row07TrailerTraps: try trailer(server)
        case .row07EndInsideTheHeadTraps: try endInsideTheHead(server)
        case .row08UnauthorizedNeverEnds: try unauthorized(server)
        case .row11DispositionIsIgnored: try disposition(server)
        case .row12InformationalHeadIsAResponse: try informational(server)
        case .row15ResumingSendsAgain: try resume(server)
        case .row18CompressedLengthIsExpected: try compressedLength(server)
        case .row19HalfASecondIsNone: try halfASecond(server)
        case .row20ResourceTimeoutIsIgnored: try resourceTimeout(server)
        case .row21LineBreakInANameIsSent: try lineBreak(server)
        case .row23StaleConnectionHangs: try staleConnection(server, stream: false)
        case .row24StreamInPlaceOfDataTraps: try staleConnection(server, stream: true)
        case .row31FieldWithoutSpaceFails: try fieldWithoutSpace(server)
        case .row34RepeatedFieldsAreJoined: try repeatedFields(server)
        case .row38MetricsNeverCome: try metrics(server)
        case .row42LiteralAddressFails: try literalAddress(server)
        case .row43TaskAfterInvalidationTraps: try taskAfterInvalidation(server)
        case .row48ContentTypeIsInvented: try contentType(server)
        case .row51RedirectWithoutLocationLosesItsBody: try redirectWithoutLocation(server)
        case .row52AcceptEncodingOfOnesOwnIsDecoded: try ownAcceptEncoding(server)
        }
    }

    /// Runs one request to its end.
    private func run(
        _ request: URLRequest,
        _ probe: Probe = Probe(),
        _ configure: (URLSessionConfiguration) -> Void = { _ in }
    ) throws {
        let session = probe.session(configure)
        session.dataTask(with: request).resume()
        guard probe.waitForEnd() else { throw Surprise() }
        session.finishTasksAndInvalidate()
    }

    private func answerAfterCancel(_ server: LoopbackServer) throws -> Bool {
        server.route("/", .redirect(to: "/next"))
        let pending = Locked<Probe.RedirectAnswer?>(nil)
        let probe = Probe(onRedirect: { _, _, answer in pending.withLock { $0 = answer } })
        let task = probe.session().dataTask(with: server.url("/"))
        task.resume()
        guard probe.wait(for: { if case .redirect = $0 { true } else { false } }) else { throw Surprise() }
        var answer: Probe.RedirectAnswer?
        while answer == nil { answer = pending.withLock { $0 } }
        task.cancel()
        guard probe.waitForEnd() else { throw Surprise() }
        answer?(nil)
        // The trap comes on another thread.
        Thread.sleep(forTimeInterval: 1)
        return false
    }

    private func redirectWithSecrets(_ server: LoopbackServer) throws -> Bool {
        let other = try LoopbackServer()
        other.route("/next", .response(body: "ok"))
        server.route("/", .redirect(to: other.url("/next").absoluteString))
        var request = URLRequest(url: server.url("/"))
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        try run(request)
        return other.requests.first?.header("Authorization") != nil
    }

    private func redirectWithBody(_ server: LoopbackServer) throws -> Bool {
        server.route("/", .redirect(to: server.url("/next").absoluteString, status: 307))
        server.route("/next", .response(body: "ok"))
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "PUT"
        request.httpBody = Data("body".utf8)
        try run(request)
        guard let second = server.requests(for: "/next").first else { throw Surprise() }
        return second.body.isEmpty
    }

    private func relativeRedirect(_ server: LoopbackServer) throws -> Bool {
        server.route("/folder/a", .redirect(to: "b"))
        server.route("/folder/b", .response(body: "ok"))
        try run(URLRequest(url: server.url("/folder/a")))
        return server.requests(for: "/folder/b").isEmpty
    }

    private func trailer(_ server: LoopbackServer) throws -> Bool {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        server.route("/", .send(head + "3\r\nabc\r\n0\r\nX-Trailer: value\r\n\r\n"))
        try run(URLRequest(url: server.url("/")))
        return false
    }

    private func endInsideTheHead(_ server: LoopbackServer) throws -> Bool {
        server.route("/", .send("HTTP/1.1 200 OK\r\nX-Field: "), .close)
        try run(URLRequest(url: server.url("/")))
        return false
    }

    private func unauthorized(_ server: LoopbackServer) throws -> Bool {
        server.route("/", .response(status: 401, headers: ["WWW-Authenticate": #"Basic realm="r""#], body: "no"))
        let probe = Probe()
        probe.session().dataTask(with: server.url("/")).resume()
        guard probe.wait(for: { if case .challenge = $0 { true } else { false } }) else { throw Surprise() }
        return !probe.waitForEnd(1)
    }

    private func disposition(_ server: LoopbackServer) throws -> Bool {
        server.route("/", .response(body: "body"))
        let probe = Probe(disposition: .cancel)
        try run(URLRequest(url: server.url("/")), probe)
        return probe.body == Data("body".utf8)
    }

    private func informational(_ server: LoopbackServer) throws -> Bool {
        server.route("/", .send("HTTP/1.1 103 Early Hints\r\n\r\n"), .response(body: "ok"))
        let probe = Probe()
        try run(URLRequest(url: server.url("/")), probe)
        return probe.statusCodes == [103, 200]
    }

    private func resume(_ server: LoopbackServer) throws -> Bool {
        server.route("/", .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"), .hold("rest"), .send("def"))
        let probe = Probe()
        let task = probe.session().dataTask(with: server.url("/"))
        task.resume()
        guard probe.wait(for: { if case .data = $0 { true } else { false } }) else { throw Surprise() }
        task.suspend()
        task.resume()
        server.release("rest")
        guard probe.waitForEnd() else { throw Surprise() }
        return server.requests.count == 2 && probe.body == Data("abcabcdef".utf8)
    }

    private func compressedLength(_ server: LoopbackServer) throws -> Bool {
        guard let body = Self.gzip else { throw Surprise() }
        server.route("/", .response(headers: ["Content-Encoding": "gzip"], body: body))
        let probe = Probe()
        try run(URLRequest(url: server.url("/")), probe)
        guard case .response(200, let expected) = probe.events.first, probe.body.count > body.count else {
            throw Surprise()
        }
        return expected == Int64(body.count)
    }

    private func halfASecond(_ server: LoopbackServer) throws -> Bool {
        server.route("/", .sleep(.milliseconds(250)), .response(body: "ok"))
        var request = URLRequest(url: server.url("/"))
        request.timeoutInterval = 0.5
        let probe = Probe()
        try run(request, probe)
        return probe.failure?.code == .timedOut
    }

    private func resourceTimeout(_ server: LoopbackServer) throws -> Bool {
        server.route("/", .sleep(.milliseconds(1500)), .response(body: "ok"))
        let probe = Probe()
        try run(URLRequest(url: server.url("/")), probe) { $0.timeoutIntervalForResource = 1 }
        return probe.failure == nil && probe.statusCodes == [200]
    }

    private func lineBreak(_ server: LoopbackServer) throws -> Bool {
        server.route("/", .response(body: "ok"))
        var request = URLRequest(url: server.url("/"))
        request.setValue("1", forHTTPHeaderField: "X-Name: 0\r\nX-Injected")
        try run(request)
        return server.requests.first?.header("X-Injected") != nil
    }

    private func staleConnection(_ server: LoopbackServer, stream: Bool) throws -> Bool {
        // The second request arrives on a connection that is closed in its face.
        server.sequence("/", [[.response(body: "ok")], [.reset], [.response(body: "again")]])
        let probe = Probe(newBody: { stream ? InputStream(data: Data("body".utf8)) : nil })
        let session = probe.session()
        session.dataTask(with: server.url("/")).resume()
        guard probe.waitForEnd() else { throw Surprise() }
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        session.dataTask(with: request).resume()
        guard probe.wait(for: { if case .newBody = $0 { true } else { false } }) else { throw Surprise() }
        Thread.sleep(forTimeInterval: 1)
        return probe.events.count { if case .end = $0 { true } else { false } } == 1
    }

    private func fieldWithoutSpace(_ server: LoopbackServer) throws -> Bool {
        server.route("/", .send("HTTP/1.1 200 OK\r\nX-Field:value\r\nContent-Length: 2\r\n\r\nok"))
        let probe = Probe()
        try run(URLRequest(url: server.url("/")), probe)
        return probe.failure != nil
    }

    private func repeatedFields(_ server: LoopbackServer) throws -> Bool {
        server.route("/", .response(headers: ["Set-Cookie": "a=1", "Set-Cookie": "b=2"], body: "ok"))
        let probe = Probe()
        let task = probe.session().dataTask(with: server.url("/"))
        task.resume()
        guard probe.waitForEnd(), let response = task.response as? HTTPURLResponse else { throw Surprise() }
        return response.value(forHTTPHeaderField: "Set-Cookie") == "a=1, b=2"
    }

    private func metrics(_ server: LoopbackServer) throws -> Bool {
        server.route("/", .response(body: "ok"))
        let probe = Probe()
        try run(URLRequest(url: server.url("/")), probe)
        return !probe.wait(0.5) { if case .metrics = $0 { true } else { false } }
    }

    private func literalAddress(_ server: LoopbackServer) throws -> Bool {
        // No server needs to listen: the address is refused before.
        guard let url = URL(string: "http://[::1]:\(server.port)/") else { throw Surprise() }
        let probe = Probe()
        try run(URLRequest(url: url), probe)
        return probe.failure?.code == .badURL
    }

    private func taskAfterInvalidation(_ server: LoopbackServer) throws -> Bool {
        let session = Probe().session()
        session.invalidateAndCancel()
        Thread.sleep(forTimeInterval: 0.1)
        _ = session.dataTask(with: server.url("/"))
        return false
    }

    private func contentType(_ server: LoopbackServer) throws -> Bool {
        server.route("/", .response(body: "ok"))
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        try run(request)
        return server.requests.first?.header("Content-Type") != nil
    }

    private func redirectWithoutLocation(_ server: LoopbackServer) throws -> Bool {
        server.route("/", .response(status: 302, body: "body"))
        let probe = Probe()
        try run(URLRequest(url: server.url("/")), probe)
        return probe.failure == nil && probe.statusCodes.isEmpty && probe.body.isEmpty
    }

    private func ownAcceptEncoding(_ server: LoopbackServer) throws -> Bool {
        guard let body = Self.gzip else { throw Surprise() }
        server.route("/", .response(headers: ["Content-Encoding": "gzip"], body: body))
        var request = URLRequest(url: server.url("/"))
        request.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
        let probe = Probe()
        try run(request, probe)
        return probe.body != body
    }
}

/// What a canary counts on did not happen, fault or not.
private struct Surprise: Error {}
#endif
