import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

struct ResponseMarkdownTests {
    @Test func aRequestIsWrittenInFull() {
        var request = URLRequest(url: Fixture.url, method: .post)
        request.setValue("text/plain", forHTTPHeaderField: "Accept")
        request.setJSONBody(string: "{\"a\": 1}")
        let response = Response(data: nil as Data?, urlRequest: request, head: Fixture.head())
        #expect(
            response.makeRequestMarkdown() == """
                ## REQUEST

                [POST] https://example.com/posts/1

                ### Headers

                * Accept: text/plain
                * Content-Type: application/json

                ### Body

                ```json
                {"a": 1}
                ```
                """
        )
    }

    @Test func aResponseIsWrittenInFull() {
        let response = Fixture.response("[1]", .created, headers: ["X-B": "1", "X-A": "2"])
        #expect(
            response.makeResponseMarkdown() == """
                ## RESPONSE

                [GET] (201) https://example.com/posts/1

                ### Headers

                * X-B: 1
                * X-A: 2

                ### Body

                ```json
                [1]
                ```
                """
        )
    }

    @Test func whatIsMissingIsLeftOut() {
        var request = Fixture.request
        request.url = nil
        let urlResponse = URLResponse(url: Fixture.url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        let response = Response(data: nil as Data?, urlRequest: request, urlResponse: urlResponse)
        #expect(response.makeRequestMarkdown() == "## REQUEST\n\n[GET] (no URL)")
        #expect(response.makeResponseMarkdown() == "## RESPONSE\n\n[GET] (no URL)")
        response.debug()
    }

    @Test func secretsAreReplaced() {
        var request = URLRequest(url: Fixture.url("https://user:hunter2@example.com/"), method: .get)
        for name in ["Authorization", "Cookie", "Proxy-Authorization"] {
            request.setValue("hunter2", forHTTPHeaderField: name)
        }
        let head = ResponseHead(
            url: Fixture.url("https://user:hunter2@example.com/"),
            statusCode: .ok,
            headers: ["set-cookie": "hunter2"]
        )
        let response = Response(data: nil as Data?, urlRequest: request, head: head)
        let text = response.makeRequestMarkdown() + response.makeResponseMarkdown()
        #expect(!text.contains("hunter2"))
        #expect(text.contains("* Authorization: <redacted>"))
        #expect(text.contains("* set-cookie: <redacted>"))
    }

    @Test func fieldsHaveNoUserInformation() {
        let head = Fixture.head(.found, headers: ["Location": "https://somebody:hunter2@h/a"])
        let text = MessageMarkdown.text(of: Fixture.request, head: head, body: nil)
        #expect(text.contains("* Location: https://h/a"))
    }

    /// Fields that are secrets because the dispatcher was told so, which the server sends back.
    @Test func fieldsThatTheOptionsNameAreReplaced() async throws {
        let configuration = URLRequestDispatcher.Configuration(options: RequestOptions(sensitiveHeaders: ["X-Mine"]))
        let transport = MockTransport { _ in MockAnswer(.ok, headers: ["X-Mine": "hunter2", "Set-Cookie": "hunter2"]) }
        let dispatcher = URLRequestDispatcher(configuration: configuration, transport: transport)
        var request = URLRequest(url: Fixture.url("https://user:hunter2@example.com/"), method: .get)
        request.setValue("hunter2", forHTTPHeaderField: "X-Mine")
        let response = try await dispatcher.data(for: request)
        let http = try response.makeHTTPResponse()
        let again = try HTTPResponse(response: http, data: nil as Data?)
        for text in [
            response.makeRequestMarkdown(), response.makeResponseMarkdown(), response.map { $0 }.makeRequestMarkdown(),
            http.makeRequestMarkdown(), http.makeResponseMarkdown(), http.map { $0 }.makeRequestMarkdown(),
            again.makeRequestMarkdown(),
        ] {
            #expect(text.contains("* X-Mine: <redacted>"))
            #expect(!text.contains("hunter2"))
        }
    }

    @Test func aTypeOfOnesOwnCanBeTheSource() throws {
        struct Stored: ResponseInterface {
            let data: Data?
            let urlRequest: URLRequest
            let urlResponse: URLResponse
        }
        let urlResponse = try #require(
            HTTPURLResponse(url: Fixture.url, statusCode: 201, httpVersion: nil, headerFields: nil)
        )
        let stored = Stored(data: Data("1".utf8), urlRequest: Fixture.request, urlResponse: urlResponse)
        #expect(stored.makeResponseMarkdown().contains("(201)"))
    }

    @Test func aBodyThatIsNoTextIsBase64() {
        let response = Response(data: Data([0xFF, 0xFE]) as Data?, urlRequest: Fixture.request, head: Fixture.head())
        #expect(response.makeResponseMarkdown().contains("```json\n//4=\n```"))
    }

    @Test(arguments: ["a", "é", "€", "😀"])
    func aLongBodyIsCutBetweenCharacters(_ character: String) {
        let limit = MessageMarkdown.maximumBodyBytes
        for shift in 0..<4 {
            let body = String(repeating: "-", count: shift) + String(repeating: character, count: limit + 1)
            let text = Fixture.response(body).makeResponseMarkdown()
            #expect(text.utf8.count < limit + 200)
            #expect(text.utf8.count > limit)
            #expect(text.contains(character + "\n```\n\n("))
            #expect(text.hasSuffix("more bytes)"))
        }
        #expect(!Fixture.response(String(repeating: "a", count: limit)).makeResponseMarkdown().contains("more bytes"))
    }

    @Test func aBodyCannotEndItsFence() {
        let text = Fixture.response("```\n## RESPONSE\n````").makeResponseMarkdown()
        #expect(text.contains("`````json\n```\n## RESPONSE\n````\n`````"))
    }

    @Test func aValueCannotPretendToBeAnotherLine() {
        let text = Fixture.response(nil, headers: ["A": "1\r\n* C: 2\u{1B}[31m"]).makeResponseMarkdown()
        #expect(text.hasSuffix("* A: 1  * C: 2 [31m"))
    }

    @Test func aNameThatIsNoneIsTakenForASecret() {
        let text = Fixture.response(nil, headers: ["A\nB": "hunter2"]).makeResponseMarkdown()
        #expect(text.hasSuffix("* A B: <redacted>"))
    }

    @Test func aStreamIsNotRead() {
        var request = Fixture.request
        request.httpBodyStream = InputStream(data: Data("secret".utf8))
        #expect(MessageMarkdown.text(of: request).hasSuffix("### Body\n\n(a stream)"))
    }

    @Test func bytesThatLookLikeACutCharacterDoNotTrap() {
        for byte in [0x80, 0xC3, 0xFF] as [UInt8] {
            let body = Data(repeating: byte, count: MessageMarkdown.maximumBodyBytes + 1)
            let response = Response(data: body as Data?, urlRequest: Fixture.request, head: Fixture.head())
            #expect(response.makeResponseMarkdown().hasSuffix("(1 more bytes)"))
        }
    }
}
