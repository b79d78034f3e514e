import PiuPiuAsync
import Testing

@testable import PiuPiuObservability

@Suite struct ConventionsTests {
    @Test func addressesAreSplit() throws {
        func peer(_ text: String?) -> String? {
            let connection = ObservedConnection(isReused: false, remoteAddress: text)
            return HTTPConventions.peer(connection).map { "\($0.address) \($0.port)" }
        }
        #expect(peer("127.0.0.1:80") == "127.0.0.1 80")
        #expect(peer("[::1]:443") == "::1 443")
        #expect(peer(nil) == nil)
        for text in ["", ":", ":80", "[]:80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x"] {
            #expect(peer(text) == nil, "\(text)")
        }
        #expect(HTTPConventions.peer(nil) == nil)
    }

    @Test func versionsAreWithoutTheName() {
        func version(_ text: String?) -> String? {
            HTTPConventions.protocolVersion(ObservedConnection(isReused: false, httpVersion: text))
        }
        #expect(["HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"].map(version) == ["1.0", "1.1", "2", "3"])
        #expect(["SPDY", "", nil].map(version) == [nil, nil, nil])
    }

    private static let endings: [(ObservedOutcome, Int?, ExchangeEnding)] = [
        (.response(.ok), 200, .success),
        (.response(.found), 302, .success),
        (.response(.notFound), 404, .errorStatus(404)),
        (.response(.other(599)), 599, .errorStatus(599)),
        (.failure(TransportError(.truncatedBody)), 200, .failure("truncatedBody")),
        (.failure(TransportError(.timeout(.idle))), 500, .failure("timeout(idle)")),
        (.failure(TransportError(.cannotConnect)), nil, .failure("cannotConnect")),
        (.cancelled, nil, .cancelled("cancelled")),
        (.cancelled, 200, .cancelled("cancelled")),
        (.cancelled, 302, .success),
        (.cancelled, 503, .errorStatus(503)),
    ]

    @Test(arguments: endings)
    func endingsFollowTheConventions(outcome: ObservedOutcome, status: Int?, ending: ExchangeEnding) {
        let summary = ExchangeSummary(outcome: outcome, statusCode: status.map(StatusCode.init(rawValue:)))
        #expect(ExchangeEnding(summary) == ending)
    }
}
