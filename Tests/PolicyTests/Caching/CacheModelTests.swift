import Foundation
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// What a server says about a response, as numbers and not as text.
private struct Answer: Sendable {
    var status = 200
    var version = 0
    var maxAge: Int?
    var isNoStore = false
    var isNoCache = false
    var mustRevalidate = false
    var whileRevalidate = 0
    var ifError = 0
    var age = 0
    var hasTag = false
    var isVaried = false

    var headers: HTTPHeaderFields {
        var directives: [String] = []
        if let maxAge { directives.append("max-age=\(maxAge)") }
        if isNoStore { directives.append("no-store") }
        if isNoCache { directives.append("no-cache") }
        if mustRevalidate { directives.append("must-revalidate") }
        if whileRevalidate > 0 { directives.append("stale-while-revalidate=\(whileRevalidate)") }
        if ifError > 0 { directives.append("stale-if-error=\(ifError)") }
        var headers: HTTPHeaderFields = [:]
        if !directives.isEmpty { headers["Cache-Control"] = directives.joined(separator: ", ") }
        if age > 0 { headers["Age"] = "\(age)" }
        if hasTag { headers["ETag"] = "\"\(version)\"" }
        if isVaried { headers["Vary"] = "Foo" }
        headers["X-Version"] = "\(version)"
        return headers
    }

    static func random(_ random: inout SeededRandom, version: Int, isVaried: Bool) -> Answer {
        var answer = Answer(version: version, isVaried: isVaried)
        answer.maxAge = random.picks(85) ? random.element(of: [0, 1, 3, 10, 30]) : nil
        answer.isNoStore = random.picks(4)
        answer.isNoCache = random.picks(6)
        answer.mustRevalidate = random.picks(10)
        answer.whileRevalidate = random.picks(20) ? random.element(of: [2, 8]) : 0
        answer.ifError = random.picks(25) ? random.element(of: [3, 20]) : 0
        answer.age = random.picks(10) ? random.element(of: [1, 5, 40]) : 0
        answer.hasTag = random.picks(60)
        if random.picks(10) { answer.status = random.element(of: [404, 403, 500, 503, 410]) }
        return answer
    }
}

/// What a client asks.
private struct Question {
    var method = "GET"
    var url = 0
    var user = 0
    var foo = 0
    var directive = ""
}

/// The slow and obvious model: a list of all that is stored.
private struct Model {
    struct Entry {
        let url: Int
        let user: Int
        let foo: Int
        var answer: Answer
        var since: Double
    }

    enum Outcome: Equatable {
        /// From what is stored, without asking.
        case stored(version: Int)
        /// As before, and the server is asked afterwards.
        case storedThenAsked(version: Int)
        /// The server is asked, with a tag or without.
        case asked(tag: Int?)
        case unavailable
    }

    var entries: [Entry] = []

    func index(_ question: Question, isVaried: Bool) -> Int? {
        entries.firstIndex {
            $0.url == question.url && $0.user == question.user && (!isVaried || $0.foo == question.foo)
        }
    }

    func remaining(_ entry: Entry, _ now: Double) -> Double {
        Double(entry.answer.maxAge ?? 0) - Double(entry.answer.age) - (now - entry.since)
    }

    /// What happens to a GET or a HEAD.
    func outcome(_ question: Question, isVaried: Bool, now: Double) -> Outcome {
        let onlyCached = question.directive == "only-if-cached"
        guard let index = index(question, isVaried: isVaried) else {
            return onlyCached ? .unavailable : .asked(tag: nil)
        }
        let entry = entries[index]
        let answer = entry.answer
        let tag = answer.hasTag && question.method == "GET" ? answer.version : nil
        let remaining = remaining(entry, now)
        let age = Double(answer.age) + now - entry.since
        if answer.isNoCache { return onlyCached ? .unavailable : .asked(tag: tag) }
        let isRefused =
            switch question.directive {
            case "no-cache", "max-age=0": true
            case "max-age=4": age > 4
            case "min-fresh=4": remaining < 4
            default: false
            }
        if isRefused { return .asked(tag: tag) }
        if remaining > 0 { return .stored(version: answer.version) }
        if answer.mustRevalidate { return onlyCached ? .unavailable : .asked(tag: tag) }
        if question.directive == "max-stale=5", -remaining <= 5 { return .stored(version: answer.version) }
        if onlyCached { return .unavailable }
        if answer.whileRevalidate > 0, -remaining <= Double(answer.whileRevalidate) {
            return .storedThenAsked(version: answer.version)
        }
        return .asked(tag: tag)
    }

    /// Whether what is stored is returned because the server failed.
    func isReturnedOnFailure(_ question: Question, isVaried: Bool, now: Double) -> Bool {
        guard let index = index(question, isVaried: isVaried), question.directive != "no-cache" else { return false }
        let entry = entries[index]
        return !entry.answer.isNoCache && !entry.answer.mustRevalidate && entry.answer.ifError > 0
            && -remaining(entry, now) <= Double(entry.answer.ifError)
    }

    /// Takes the whole response to a GET.
    mutating func take(_ answer: Answer, _ question: Question, now: Double) {
        let place = index(question, isVaried: answer.isVaried)
        let isUsual = [200, 404, 410].contains(answer.status)
        let isUseful =
            (answer.maxAge ?? 0) > 0 || answer.hasTag || answer.whileRevalidate > 0 || answer.ifError > 0
        if !answer.isNoStore, isUsual || answer.maxAge != nil, isUseful {
            if let place { entries.remove(at: place) }
            let foo = answer.isVaried ? question.foo : -1
            entries.append(Entry(url: question.url, user: question.user, foo: foo, answer: answer, since: now))
        } else if let place, answer.status < 500 {
            entries.remove(at: place)
        }
    }

    /// Takes a 304.
    mutating func freshen(_ answer: Answer, _ question: Question, now: Double) {
        guard let place = index(question, isVaried: answer.isVaried) else { return }
        var merged = answer
        let stored = entries[place].answer
        merged.status = stored.status
        // Fields that the 304 does not have stay.
        if answer.headers["Cache-Control"] == nil {
            merged.maxAge = stored.maxAge
            merged.isNoStore = stored.isNoStore
            merged.isNoCache = stored.isNoCache
            merged.mustRevalidate = stored.mustRevalidate
            merged.whileRevalidate = stored.whileRevalidate
            merged.ifError = stored.ifError
        }
        merged.hasTag = true
        if merged.isNoStore || (merged.status == 403 || merged.status >= 500) && merged.maxAge == nil {
            entries.remove(at: place)
        } else {
            entries[place].answer = merged
            entries[place].since = now
        }
    }
}

@Suite(.timeLimit(.generous)) struct CacheModelTests {
    /// The server of a run: what it would answer next, and what it was asked.
    private struct Server: Sendable {
        var answer = Answer()
        var fails = false
        var asked: [(tag: String?, method: String)] = []
    }

    @Test(arguments: [1, 2]) func theCacheIsAListOfResponses(seed: UInt64) async throws {
        try await run(seed: seed, steps: rounds(50_000), .memory(limit: 1 << 30))
    }

    /// The same with files; fewer steps, because each takes several.
    @Test func theFolderIsAListOfResponses() async throws {
        let folder = try DownloadFolder()
        try await run(seed: 3, steps: rounds(10_000), .folder(folder["cache"], limit: 1 << 30))
    }

    private func run(seed: UInt64, steps: Int, _ location: ResponseCache.Location) async throws {
        var random = SeededRandom(seed: seed)
        let time = TestTime()
        let cache = ResponseCache(location, date: { time.date })
        let server = Locked(Server())
        let transport = ModelTransport { request in
            let tag = request.urlRequest.value(forHTTPHeaderField: "If-None-Match")
            let method = request.urlRequest.httpMethod ?? "GET"
            let (answer, fails) = server.withLock { server in
                server.asked.append((tag, method))
                return (server.answer, server.fails)
            }
            guard !fails, let url = request.urlRequest.url else { throw TransportError(.connectionLost) }
            let isSame = tag == "\"\(answer.version)\"" && answer.status < 300
            let status = isSame ? 304 : answer.status
            var headers = answer.headers
            if isSame { headers["X-Version"] = nil }
            let head = ResponseHead(url: url, statusCode: StatusCode(rawValue: status), headers: headers)
            let body = status == 304 || method == "HEAD" ? nil : Data("\(answer.version)".utf8)
            return TransportResponse(head: head, body: body, urlRequest: request.urlRequest)
        }
        let chain = InterceptorChain([cache], transport: transport)
        var model = Model()
        var versions = [Int](repeating: 0, count: 6)
        for step in 0..<steps {
            time.advance(random.picks(60) ? 0 : Double(random.below(12)))
            let now = time.date.timeIntervalSince1970
            var question = Question(url: random.below(6), user: random.below(2), foo: random.below(2))
            let isVaried = question.url > 2
            question.method = random.picks(88) ? "GET" : random.element(of: ["HEAD", "POST", "DELETE", "OPTIONS"])
            if random.picks(30) {
                let directives = ["no-cache", "max-age=0", "max-age=4", "min-fresh=4", "max-stale=5", "only-if-cached"]
                question.directive = random.element(of: directives)
            }
            // A version that is used again would have the body of another response.
            if random.picks(30) { versions[question.url] += 6 }
            let version = versions[question.url] + question.url
            var answer = Answer.random(&random, version: version, isVaried: isVaried)
            if question.method == "HEAD" { answer.status = 200 }
            let fails = random.picks(8)
            server.withLock { $0 = Server(answer: answer, fails: fails) }
            var request = URLRequest(url: Fixture.url("http://example.com/\(question.url)"))
            request.httpMethod = question.method
            request.setValue("user \(question.user)", forHTTPHeaderField: "Authorization")
            request.setValue("\(question.foo)", forHTTPHeaderField: "Foo")
            if !question.directive.isEmpty { request.setValue(question.directive, forHTTPHeaderField: "Cache-Control") }
            var response: TransportResponse?
            do { response = try await chain(TransportRequest(request)) } catch is TransportError {}
            await cache.settle()
            let asked = server.withLock { $0.asked }
            let fault = check(&model, question, answer, fails, isVaried, now, response, asked)
            #expect(fault == nil, "seed \(seed), step \(step): \(question) \(answer)")
            if fault != nil { return }
        }
    }

    private func check(
        _ model: inout Model,
        _ question: Question,
        _ answer: Answer,
        _ fails: Bool,
        _ isVaried: Bool,
        _ now: Double,
        _ response: TransportResponse?,
        _ asked: [(tag: String?, method: String)]
    ) -> String? {
        let body = response?.body.map { String(decoding: $0, as: UTF8.self) }
        guard question.method == "GET" || question.method == "HEAD" else {
            if question.method != "OPTIONS", fails || answer.status < 400 {
                model.entries.removeAll { $0.url == question.url }
            }
            return asked.count == 1 ? nil : "asked \(asked.count) times"
        }
        let outcome = model.outcome(question, isVaried: isVaried, now: now)
        switch outcome {
        case .unavailable:
            return response?.head.statusCode.rawValue == 504 && asked.isEmpty ? nil : "not 504"
        case .stored(let version), .storedThenAsked(let version):
            let isRight = question.method == "HEAD" ? body == nil : body == "\(version)"
            guard isRight else { return "body \(body ?? "none"), not \(version)" }
            guard outcome == .storedThenAsked(version: version) else { return asked.isEmpty ? nil : "asked" }
            guard asked.count == 1 else { return "asked \(asked.count) times in the background" }
            var get = question
            (get.method, get.directive) = ("GET", "")
            settle(&model, get, answer, fails, isVaried, now, tag: asked[0].tag)
            return nil
        case .asked(let tag):
            guard asked.count == 1 else { return "asked \(asked.count) times" }
            guard asked[0].tag == tag.map({ "\"\($0)\"" }) else { return "asked with \(asked[0].tag ?? "no tag")" }
            if fails || [500, 503].contains(answer.status),
                model.isReturnedOnFailure(question, isVaried: isVaried, now: now),
                let index = model.index(question, isVaried: isVaried)
            {
                let version = model.entries[index].answer.version
                return question.method == "HEAD" || body == "\(version)" ? nil : "not returned on a failure"
            }
            guard fails == (response == nil) else { return "failure \(fails)" }
            if fails { return nil }
            if question.method == "HEAD" {
                takeHead(&model, question, answer, isVaried, now)
                return nil
            }
            guard body == "\(answer.version)" else { return "body \(body ?? "none"), not the new one" }
            settle(&model, question, answer, fails, isVaried, now, tag: asked[0].tag)
            return nil
        }
    }

    /// Takes what the server answered to a GET.
    private func settle(
        _ model: inout Model,
        _ question: Question,
        _ answer: Answer,
        _ fails: Bool,
        _ isVaried: Bool,
        _ now: Double,
        tag: String?
    ) {
        if fails { return }
        if [500, 503].contains(answer.status), model.isReturnedOnFailure(question, isVaried: isVaried, now: now) {
            return
        }
        if tag == "\"\(answer.version)\"", answer.status < 300 {
            model.freshen(answer, question, now: now)
        } else {
            model.take(answer, question, now: now)
        }
    }

    /// Takes the answer to a HEAD.
    private func takeHead(_ model: inout Model, _ question: Question, _ answer: Answer, _ isVaried: Bool, _ now: Double)
    {
        guard let index = model.index(question, isVaried: isVaried), model.entries[index].answer.status == 200 else {
            return
        }
        let stored = model.entries[index].answer
        // Another tag, or one where there was none, is about something else.
        if answer.hasTag, !stored.hasTag || stored.version != answer.version {
            model.entries.remove(at: index)
            return
        }
        var tagged = answer
        tagged.version = stored.version
        model.freshen(tagged, question, now: now)
        guard let place = model.index(question, isVaried: isVaried) else { return }
        model.entries[place].answer.hasTag = stored.hasTag
        let merged = model.entries[place].answer
        let isUseful = (merged.maxAge ?? 0) > 0 || merged.hasTag || merged.whileRevalidate > 0 || merged.ifError > 0
        if !isUseful { model.entries.remove(at: place) }
    }
}

/// A transport without tasks of its own, for many requests.
struct ModelTransport: HTTPTransport {
    let answer: @Sendable (TransportRequest) throws -> TransportResponse

    init(_ answer: @escaping @Sendable (TransportRequest) throws -> TransportResponse) { self.answer = answer }

    func send(_ request: TransportRequest) async throws -> TransportResponse { try answer(request) }
    func shutdown() async {}
    func invalidateAndCancel() {}
}
