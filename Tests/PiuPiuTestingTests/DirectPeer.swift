import PiuPiuAsync
import PiuPiuTesting
import TestSupport

/// A peer without a network: its transport hands requests over in memory.
final class DirectPeer: ConformancePeer {
    private struct State {
        var answers: [String: [PeerStep]] = [:]
        var requests: [String: [PeerRequest]] = [:]
        var gates: [String: Gate] = [:]
        var exchanges = 0
    }

    private let state = Locked(State())

    func url(_ pathAndQuery: String) -> URL { URL(string: "http://peer.test" + pathAndQuery) ?? URL(filePath: "/") }
    func answer(_ path: String, with steps: [PeerStep]) { state.withLock { $0.answers[path] = steps } }
    func requests(for path: String) -> [PeerRequest] { state.withLock { $0.requests[path] ?? [] } }

    func waitUntilWaiting(at gate: String, count: Int) async -> Bool {
        await self.gate(gate).arrival(of: count)
        return true
    }

    func open(_ gate: String) { self.gate(gate).open() }

    func waitUntilClosed() async -> Bool {
        while state.withLock({ $0.exchanges }) > 0 {
            if Task.isCancelled { return false }
            await Task.yield()
        }
        return true
    }

    func close() {}

    private func gate(_ name: String) -> Gate {
        state.withLock { state in
            let gate = state.gates[name] ?? Gate()
            state.gates[name] = gate
            return gate
        }
    }

    /// A transport to this peer, which collects bodies.
    func transport() -> ScriptedTransport {
        ScriptedTransport { try await self.respond(to: $0) }
    }

    private func respond(to request: TransportRequest) async throws -> TransportResponse {
        let urlRequest = request.urlRequest
        let url = urlRequest.url ?? url("/")
        let path = url.path(percentEncoded: true)
        let method = urlRequest.httpMethod ?? "GET"
        let arrived = PeerRequest(
            method: method,
            target: url.query(percentEncoded: true).map { "\(path)?\($0)" } ?? path,
            headers: HTTPHeaderFields(
                (urlRequest.allHTTPHeaderFields ?? [:]).map { HTTPHeaderField(name: $0.key, value: $0.value) }
            ),
            body: urlRequest.httpBody ?? Data()
        )
        let steps = state.withLock { state in
            state.requests[path, default: []].append(arrived)
            state.exchanges += 1
            return state.answers[path] ?? .response(404)
        }
        defer { state.withLock { $0.exchanges -= 1 } }
        var head = ResponseHead(url: url, statusCode: .ok)
        var body = Data()
        for step in steps {
            switch step {
            case .head(let status, var fields, let announcesLength):
                if announcesLength, fields["Content-Length"] == nil { fields["Content-Length"] = "\(steps.bodyLength)" }
                head = ResponseHead(url: url, statusCode: StatusCode(rawValue: status), headers: fields)
            case .body(let piece): body += piece
            case .repeated(let piece, let count): for _ in 0..<count { body += piece }
            case .wait(let name): try await gate(name).wait()
            case .pause(let duration): try await Task.sleep(for: duration)
            case .hang: try await Gate().wait()
            }
        }
        let hasBody = method != "HEAD" && ![204, 304].contains(head.statusCode.rawValue) && !body.isEmpty
        return TransportResponse(head: head, body: hasBody ? body : nil, urlRequest: urlRequest)
    }
}
