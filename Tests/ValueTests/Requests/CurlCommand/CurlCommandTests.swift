import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuExchange

@Suite(.timeLimit(.generous)) struct CurlCommandTests {
    private var request = URLRequest(url: Fixture.url("https://api.example.com/a/../b"), method: .get)

    private func command(_ request: URLRequest) throws -> String {
        try request.curlCommand(showingSecrets: true)
    }

    /// The lines of a command, without what continues and indents them.
    private func lines(_ text: String) -> [String] {
        text.replacing(" \\\n  ", with: "\n").split(separator: "\n").map(String.init)
    }

    @Test func aRequestIsShownOnLinesThatContinueEachOther() throws {
        var request = URLRequest(url: Fixture.url("https://api.example.com/posts?q=1"), method: .put)
        request.setValue("it's", forHTTPHeaderField: "X-Text")
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(#"{"a":1}"#.utf8)

        #expect(
            try command(request) == #"""
                curl -q --globoff --path-as-is \
                  --request 'PUT' \
                  --url 'https://api.example.com/posts?q=1' \
                  --header 'Accept-Encoding: identity' \
                  --header 'Content-Type: application/json' \
                  --header 'Expect:' \
                  --header 'User-Agent: PiuPiu/2.0' \
                  --header 'X-Text: it'\''s' \
                  --data-raw '{"a":1}'
                """#
        )
    }

    @Test func methodsThatCurlUsesAnywayAreNotNamed() throws {
        var request = request
        for (method, option) in ["GET": nil, "POST": nil, "HEAD": "--head", "get": "--request 'get'"] {
            request.httpMethod = method
            let shown = lines(try command(request)).filter { $0.hasPrefix("--request ") || $0 == "--head" }
            // Foundation may write a method in upper case.
            guard request.httpMethod == method else { continue }
            #expect(shown == (option.map { [$0] } ?? []))
        }
    }

    @Test func fieldsThatCurlWouldAddAreTurnedOff() throws {
        var request = request
        request.httpMethod = "POST"
        let shown = lines(try request.curlCommand(userAgent: nil))
        #expect(shown.contains("--header 'User-Agent:'"))
        #expect(shown.contains("--header 'Content-Type:'") && shown.contains("--header 'Expect:'"))
        #expect(shown.contains("--data-raw ''"))
    }

    @Test func emptyFieldsAreSent() throws {
        var request = request
        request.setValue(" ", forHTTPHeaderField: "X-Empty")
        request.setValue("", forHTTPHeaderField: "User-Agent")
        let shown = lines(try command(request))
        #expect(shown.contains("--header 'X-Empty;'") && shown.contains("--header 'User-Agent;'"))
        #expect(shown.filter { $0.lowercased().contains("user-agent") }.count == 1)
    }

    @Test func theResponseIsDecodedUnlessTheCallerAsksForACoding() throws {
        var request = request
        #expect(lines(try command(request)).contains("--compressed"))
        request.setValue("br", forHTTPHeaderField: "Accept-Encoding")
        #expect(!lines(try command(request)).contains("--compressed"))
    }

    @Test func bodiesAreGivenInTheWayThatKeepsThem() throws {
        var request = request
        request.httpMethod = "POST"
        func shown(_ body: Data) throws -> [String] {
            request.httpBody = body
            let lines = lines(try command(request))
            return [lines.first { $0.contains("curl -q") } ?? "", lines.last ?? ""]
        }
        let curl = "curl -q --globoff --path-as-is"
        #expect(try shown(Data("@a b".utf8)) == [curl, "--data-raw '@a b'"])
        #expect(try shown(Data("a\nb\n".utf8)) == [#"printf 'a\nb\n' | "# + curl, "--data-binary @-"])
        #expect(try shown(Data([0, 0xFF])) == [#"printf '\000\377' | "# + curl, "--data-binary @-"])
        let long = String(repeating: "a", count: CurlCommandContent.maximumArgument)
        #expect(try shown(Data(long.utf8)) == [curl, "--data-raw '\(long)'"])
        #expect(try shown(Data((long + "a").utf8)) == ["printf '\(long)a' | \(curl)", "--data-binary @-"])
    }

    @Test func aBodyThatIsTooLongComesFromStandardInput() throws {
        var request = request
        request.httpMethod = "POST"
        request.httpBody = Data(repeating: 0x61, count: CurlCommandContent.maximumBody + 1)
        let text = try command(request)
        let comment = "# The body of 1048577 bytes is too long for a command and comes from standard input.\n"
        #expect(text.hasPrefix(comment + "curl -q") && text.hasSuffix("--data-binary @-") && text.count < 1000)
    }

    @Test func whatCannotBeSentThrowsWhatSendingThrows() throws {
        var request = request
        request.setValue("a\u{1B}[2J", forHTTPHeaderField: "X-Control")
        #expect(refusal(of: request) == .invalidRequest)
        request = URLRequest(url: Fixture.url("ftp://example.com"))
        #expect(refusal(of: request) == .unsupportedScheme)
        request = self.request
        request.url = nil
        #expect(refusal(of: request) == .invalidURL)
        request = self.request
        request.setValue(String(repeating: "a", count: CurlCommand.maximumHead), forHTTPHeaderField: "X-Long")
        #expect(refusal(of: request) == .unsupported)
    }

    private func refusal(of request: URLRequest) -> TransportError.Code? {
        do {
            _ = try command(request)
            return nil
        } catch {
            return (error as? TransportError)?.code
        }
    }

    // MARK: Secrets

    private func requestWithSecrets() -> URLRequest {
        let secret = SecretSearch.secret
        var request = URLRequest(url: Fixture.url("https://user:\(secret)@example.com/a?token=\(secret)#\(secret)"))
        request.httpMethod = "POST"
        for name in ["Cookie", "x-api-key", "X-Mine", "Proxy-Authorization"] {
            request.setValue(secret, forHTTPHeaderField: name)
        }
        request.setValue("http://a:\(secret)@example.com/", forHTTPHeaderField: "Referer")
        request.httpBody = Data("password=\(secret)".utf8)
        return request
    }

    @Test func secretsAreHidden() throws {
        let text = try requestWithSecrets().curlCommand(sensitiveHeaders: ["x-mine"])
        #expect(!SecretSearch.isFound(in: text), "\(text)")
        let shown = lines(text)
        for name in ["Authorization", "Cookie", "X-Mine"] { #expect(shown.contains("--header '\(name): <redacted>'")) }
        #expect(shown.contains("--proxy-header 'Proxy-Authorization: <redacted>'"))
        #expect(shown.contains("--url 'https://example.com/a?<redacted>'"))
        #expect(shown.contains("--data-raw '<redacted>'"))

        var request = requestWithSecrets()
        request.setValue("Bearer \(SecretSearch.secret)", forHTTPHeaderField: "Authorization")
        let other = try request.curlCommand(sensitiveHeaders: ["X-Mine"])
        #expect(!SecretSearch.isFound(in: other), "\(other)")
    }

    @Test func secretsAreShownIfTheyAreAskedFor() throws {
        let text = try requestWithSecrets().curlCommand(showingSecrets: true)
        let basic = Data("user:\(SecretSearch.secret)".utf8).base64EncodedString()
        #expect(text.contains("Basic \(basic)") && !text.contains("<redacted>"))
        // Cookie, key, a field of the caller, proxy, referrer, query and body.
        #expect(text.ranges(of: SecretSearch.secret).count == 7, "\(text)")
    }

    @Test func errorsHideSecrets() throws {
        var request = requestWithSecrets()
        request.setValue("\(SecretSearch.secret)\u{1B}", forHTTPHeaderField: "X-Mine")
        do {
            _ = try request.curlCommand(showingSecrets: true, sensitiveHeaders: ["X-Mine"])
            Issue.record("a control character in a field")
        } catch {
            for showing in SecretSearch.showings(of: error) { #expect(!showing.tells, "\(showing.way)") }
        }
    }
}
