import Foundation

extension Connection {
    /// Whether the body of the current request arrives while its script runs.
    var drainsBody: Bool {
        guard !ignoresBody, let decoder else { return false }
        return !decoder.isComplete
    }

    /// Parses as much of the input as possible, and returns whether anything changed.
    func parse() -> Bool {
        switch phase {
        case .head:
            guard input.count > 0 else { return false }
            return parseHead()
        case .body:
            return parseBody()
        case .script where isWebSocket:
            return parseFrames()
        case .script, .finishing:
            return drainsBody && input.count > 0 ? parseBody() : false
        case .stalled, .discarding, .closed:
            return false
        }
    }

    /// Prepares for the next request on this connection.
    func awaitRequest() {
        request = nil
        decoder = nil
        answer = nil
        phase = .head
    }

    /// Adds the current request to the server's list.
    func recordRequest(isBodyComplete: Bool) {
        guard var request else { return }
        if let decoder {
            request.body = Data(decoder.bytes)
            request.bodyLength = decoder.length
        }
        request.isBodyComplete = isBodyComplete
        self.request = request
        reactor.core.update { $0.record(request) }
    }

    private func parseHead() -> Bool {
        switch headParser.parse(&input, connection: serial) {
        case .needsMore:
            return false
        case .request(let request):
            begin(request)
        case .malformed:
            refuse(400, "bad request head")
        case .tooLarge:
            refuse(431, "request head too large")
        }
        return true
    }

    private func begin(_ request: RecordedRequest) {
        let answer = reactor.core.update { $0.routes.answer(method: request.method, path: request.path) }
        var startsAtHead = false
        if case .script(let steps) = answer, let first = steps.first {
            switch first.kind {
            case .ignoreBody: (startsAtHead, ignoresBody) = (true, true)
            case .drainBody: startsAtHead = true
            default: break
            }
        }
        self.request = request
        self.answer = answer
        guard let decoder = BodyDecoder(headers: request.headers, records: !startsAtHead) else {
            refuse(400, "bad content length")
            return
        }
        self.decoder = decoder
        if !decoder.isComplete, !ignoresBody, request.headers.contains(token: "100-continue", in: "Expect") {
            enqueue(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        if startsAtHead {
            recordRequest(isBodyComplete: decoder.isComplete)
            startAnswer()
        } else {
            phase = .body
        }
    }

    private func parseBody() -> Bool {
        switch decoder?.decode(&input) {
        case .needsMore:
            return false
        case .complete, nil:
            bodyHasEnded()
        case .malformed:
            bodyIsRefused(400, "bad request body")
        case .tooLarge:
            bodyIsRefused(413, "request body too large")
        }
        return true
    }

    private func bodyHasEnded() {
        switch phase {
        case .body:
            recordRequest(isBodyComplete: true)
            startAnswer()
        case .finishing:
            awaitRequest()
        default:
            break
        }
    }

    private func bodyIsRefused(_ status: Int, _ message: String) {
        if phase == .body {
            recordRequest(isBodyComplete: false)
            refuse(status, message)
        } else {
            // The script has already answered, or is about to.
            close()
        }
    }

    private func startAnswer() {
        switch answer {
        case .script(let steps):
            start(steps)
        case .dynamic(let respond):
            start(request.map(respond) ?? [])
        case nil:
            start([])
        }
    }

    private func refuse(_ status: Int, _ message: String) {
        request = nil
        decoder = nil
        ignoresBody = false
        input.removeAll()
        let response = ResponseTemplate.refusal(status, message, headers: ["Connection": "close"])
        start([Step(kind: .respond(response)), .close])
    }
}
