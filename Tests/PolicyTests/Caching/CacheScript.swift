import Foundation
import PiuPiuAsync
import PiuPiuTesting
import TestSupport

/// A cache with a clock that a test moves.
struct TestTime: Sendable {
    private let seconds = Locked(1_700_000_000.0)

    var date: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }

    func advance(_ count: Double) { seconds.withLock { $0 += count } }
}

/// A case of a table: requests of a client, each with what the server would answer and what has to happen.
///
///     name
///       GET /path 200 > request field < response field = expectation ! field of the response !! field that is missing
///       +3 …                                             three seconds later
///
/// A value of `@5` is the date five seconds after the step, and `^5` that after the beginning. The server answers `304` to
/// conditions that its last answer for the path fulfils, and `x` in place of a status breaks the connection.
struct CacheScript {
    struct Step {
        var pause = 0.0
        var method = "GET"
        var path = "/"
        var status: Int? = 200
        var requestFields: [(String, String)] = []
        var responseFields: [(String, String)] = []
        var expectation = ""
        var expected: [(String, String)] = []
        var missing: [String] = []
    }

    let name: String
    let steps: [Step]

    /// Parses cases, which begin at lines that are not indented.
    static func parse(_ text: String) -> [CacheScript] {
        var scripts: [CacheScript] = []
        for line in text.split(separator: "\n") where !line.allSatisfy({ $0 == " " }) {
            if line.hasPrefix(" ") {
                let last = scripts.removeLast()
                scripts.append(CacheScript(name: last.name, steps: last.steps + [step(line)]))
            } else {
                scripts.append(CacheScript(name: String(line), steps: []))
            }
        }
        return scripts
    }

    private static func step(_ line: Substring) -> Step {
        var step = Step()
        var kind = "words"
        for word in line.split(separator: " ") {
            if ["<", ">", "=", "!", "!!"].contains(word) {
                kind = String(word)
                switch kind {
                case "<": step.responseFields.append(("", ""))
                case ">": step.requestFields.append(("", ""))
                case "!": step.expected.append(("", ""))
                default: break
                }
                continue
            }
            func append(_ fields: inout [(String, String)]) {
                var (name, value) = fields.removeLast()
                if name.isEmpty {
                    name = String(word.dropLast())
                } else {
                    value += (value.isEmpty ? "" : " ") + word.replacing("_", with: " ")
                }
                fields.append((name, value))
            }
            switch kind {
            case "<": append(&step.responseFields)
            case ">": append(&step.requestFields)
            case "!": append(&step.expected)
            case "!!": step.missing.append(String(word))
            case "=": step.expectation = String(word)
            default:
                if word.hasPrefix("+") {
                    step.pause = Double(word.dropFirst()) ?? 0
                } else if word.hasPrefix("/") {
                    step.path = String(word)
                } else if word == "x" {
                    step.status = nil
                } else if let status = Int(word) {
                    step.status = status
                } else {
                    step.method = String(word)
                }
            }
        }
        return step
    }

    // MARK: Running

    private struct Server: Sendable {
        var answer = (status: Int?(200), fields: [(String, String)]())
        var validators: [String: (tag: String?, date: String?)] = [:]
        var count = 0
        var seen: (tag: String?, date: String?)?
        var lastStatus = 0
    }

    /// Runs the case.
    ///
    /// - Parameter location: Where the cache keeps responses.
    /// - Returns: What was not as expected.
    func run(_ location: ResponseCache.Location = .memory(limit: 10_000_000)) async -> [String] {
        let time = TestTime()
        let start = time.date
        let cache = ResponseCache(location, date: { time.date })
        let server = Locked(Server())
        let transport = ScriptedTransport { request in
            let path = request.urlRequest.url?.path() ?? "/"
            let sent = (
                request.urlRequest.value(forHTTPHeaderField: "If-None-Match"),
                request.urlRequest.value(forHTTPHeaderField: "If-Modified-Since")
            )
            return try server.withLock { server throws -> TransportResponse in
                server.count += 1
                server.seen = sent
                guard var status = server.answer.status, let url = request.urlRequest.url else {
                    throw TransportError(.connectionLost, request: request.urlRequest)
                }
                var headers = HTTPHeaderFields()
                for (name, value) in server.answer.fields { headers.append(name: name, value: value) }
                let known = server.validators[path]
                if let tag = sent.0, tag == known?.tag { status = 304 }
                if sent.0 == nil, let date = sent.1, date == known?.date { status = 304 }
                if status != 304, request.urlRequest.httpMethod == "GET" {
                    server.validators[path] = (headers["ETag"], headers["Last-Modified"])
                }
                server.lastStatus = status
                let head = ResponseHead(url: url, statusCode: StatusCode(rawValue: status), headers: headers)
                let body = status == 304 ? nil : Data("answer \(server.count)".utf8)
                return TransportResponse(head: head, body: body, urlRequest: request.urlRequest)
            }
        }
        let chain = InterceptorChain([cache], transport: transport)
        var faults: [String] = []
        var bodies: [String: Data?] = [:]
        for (number, step) in steps.enumerated() {
            time.advance(step.pause)
            func value(_ text: String) -> String {
                guard let first = text.first, let offset = Double(text.dropFirst()) else { return text }
                switch first {
                case "@": return HTTPDateText.of(time.date.addingTimeInterval(offset))
                case "^": return HTTPDateText.of(start.addingTimeInterval(offset))
                default: return text
                }
            }
            let fields = step.responseFields.map { ($0.0, value($0.1)) }
            let before = server.withLock { server in
                server.answer = (step.status, fields)
                server.seen = nil
                return server.count
            }
            var request = URLRequest(url: Fixture.url("http://example.com\(step.path)"))
            request.httpMethod = step.method
            for (name, text) in step.requestFields { request.addValue(value(text), forHTTPHeaderField: name) }
            if !["GET", "HEAD"].contains(step.method) { request.httpBody = Data("abc".utf8) }
            var response: TransportResponse?
            do { response = try await chain(TransportRequest(request)) } catch is TransportError {} catch {
                faults.append("\(name) \(number): \(error)")
            }
            await cache.settle()
            let (count, seen, last) = server.withLock { ($0.count, $0.seen, $0.lastStatus) }
            let isOld = response != nil && bodies[step.path] == .some(response?.body)
            let isAsExpected =
                switch step.expectation {
                case "cached": count == before && isOld
                case "not_cached": count == before + 1 && (response == nil || last != 304)
                case "etag_validated": count == before + 1 && seen?.tag != nil && last == 304 && isOld
                case "lm_validated":
                    count == before + 1 && seen?.tag == nil && seen?.date != nil && last == 304 && isOld
                case "stale": isOld
                case "hit": count == before
                case "cached-anew": count == before && !isOld
                case "head": count == before && response != nil && response?.body == nil
                case "fails": response == nil
                case "504": count == before && response?.head.statusCode == .gatewayTimeout
                case "unconditional": seen.map { $0.tag == nil && $0.date == nil } ?? false
                default: true
                }
            let status = response?.head.cacheStatus?.fieldValue ?? "no response"
            if !isAsExpected { faults.append("\(name) \(number): not \(step.expectation), but \(status)") }
            for (name, text) in step.expected {
                let got = response?.head.headers[name]
                let isRight =
                    text.hasPrefix("min") ? Int(got ?? "") ?? -1 >= Int(text.dropFirst(3)) ?? .max : got == value(text)
                if !isRight {
                    faults.append("\(self.name) \(number): \(name) is \(got ?? "missing"), not \(value(text))")
                }
            }
            for name in step.missing where response?.head.headers.contains(name) ?? true {
                faults.append("\(self.name) \(number): \(name) is there")
            }
            if step.method == "GET", let response, !isOld { bodies[step.path] = response.body }
        }
        return faults
    }
}

/// Writes dates as HTTP does.
enum HTTPDateText {
    static func of(_ date: Date) -> String {
        let seconds = Int(date.timeIntervalSince1970.rounded())
        let text = RFC3339.string(from: Date(timeIntervalSince1970: Double(seconds))) ?? ""
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let day = days[((seconds / 86_400) % 7 + 7) % 7]
        let parts = text.split { "-T:Z.".contains($0) }
        return
            "\(day), \(parts[2]) \(months[(Int(parts[1]) ?? 1) - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }
}
