import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@Suite(.timeLimit(.generous)) struct PagesTests {
    /// Pages of three numbers with links to the next page.
    private static func mock(
        pages: Int = 3,
        link: @escaping @Sendable (Int) -> String = { "</list?page=\($0)>; rel=\"next\"" }
    ) -> MockURLRequestDispatcher {
        MockURLRequestDispatcher(
            transport: MockTransport { request in
                let page = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems?.first?.value
                let number = page.flatMap { Int($0) } ?? 1
                let headers: HTTPHeaderFields = number < pages ? ["Link": link(number + 1)] : [:]
                return MockAnswer(
                    .ok,
                    headers: headers,
                    body: "[\(number * 10), \(number * 10 + 1), \(number * 10 + 2)]"
                )
            }
        )
    }

    private static let request = URLRequest(
        "GET",
        Fixture.url("https://example.com/list"),
        headers: ["Authorization": "Bearer hunter2", "X-Test": "a"]
    )

    @Test func pagesFollowTheLinks() async throws {
        let dispatcher = Self.mock()
        var pages: [[Int]] = []
        for try await page in dispatcher.pages(for: Self.request, of: [Int].self) {
            #expect(page.statusCode == .ok)
            pages.append(page.data)
        }
        #expect(pages == [[10, 11, 12], [20, 21, 22], [30, 31, 32]])
        #expect(dispatcher.requests.map { $0.url.query() } == [nil, "page=2", "page=3"])
        #expect(dispatcher.requests.allSatisfy { $0["Authorization"] == "Bearer hunter2" && $0["X-Test"] == "a" })
    }

    @Test(arguments: ["<http://127.0.0.1:80v1/list>; rel=next", "<http://[::1/list>; rel=\"prev next\""])
    func aLinkThatIsNoURLIsNotTheEnd(link: String) async throws {
        var pages = Self.mock(link: { _ in link }).pages(for: Self.request, of: [Int].self).makeAsyncIterator()
        #expect(try await pages.next() != nil)
        await expect(PaginationError.Code.invalidNextPage) { try await pages.next() }
    }

    @Test func pagesAreDecodedByTheDecoderOfTheDispatcher() async throws {
        struct Entry: Decodable, Equatable {
            var someName: Int
        }
        let configuration = URLRequestDispatcher.Configuration()
        configuration.requestDefaults.decoder.keyDecodingStrategy = .convertFromSnakeCase
        let transport = MockTransport { _ in MockAnswer(.ok, body: "[{\"some_name\": 1}]") }
        let dispatcher = URLRequestDispatcher(configuration: configuration, transport: transport)
        var entries: [Entry] = []
        for try await entry in dispatcher.pages(for: Self.request, of: [Entry].self).items { entries.append(entry) }
        #expect(entries == [Entry(someName: 1)])
        await #expect(throws: UndecodableResponseError.self) {
            for try await _ in dispatcher.pages(for: Self.request, of: [Entry].self, decoder: JSONDecoder()) {}
        }
    }

    @Test func itemsFollowEachOther() async throws {
        var items: [Int] = []
        for try await item in Self.mock().pages(for: Self.request, of: [Int].self).items { items.append(item) }
        #expect(items == [10, 11, 12, 20, 21, 22, 30, 31, 32])
    }

    @Test func aPageIsRequestedWhenItIsAskedFor() async throws {
        let dispatcher = Self.mock(pages: .max)
        var pages = dispatcher.pages(for: Self.request, of: [Int].self).makeAsyncIterator()
        for count in 1...5 {
            #expect(try await pages.next() != nil)
            #expect(dispatcher.requests.count == count)
        }
        let other = Self.mock(pages: .max)
        for try await item in other.pages(for: Self.request, of: [Int].self).items where item == 12 { break }
        #expect(other.requests.count == 1)
        let third = Self.mock(pages: .max)
        for try await _ in third.pages(for: Self.request, of: [Int].self).prefix(2) {}
        #expect(third.requests.count == 2)
    }

    @Test func eachIterationBeginsAgain() async throws {
        let dispatcher = Self.mock()
        let pages = dispatcher.pages(for: Self.request, of: [Int].self)
        for _ in 0..<2 { for try await _ in pages {} }
        #expect(dispatcher.requests.count == 6)
    }

    private struct Inbox: Codable, Sendable {
        var messages: [String]
        var cursor: String?
    }

    @Test func cursorsLeadToTheNextPage() async throws {
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport { request in
                switch String(decoding: request.body, as: UTF8.self) {
                case "": try .json(Inbox(messages: ["a", "b"], cursor: "1"))
                case "1": try .json(Inbox(messages: [], cursor: "2"))
                default: try .json(Inbox(messages: ["c"], cursor: nil))
                }
            }
        )
        let request = URLRequest("POST", Fixture.url)
        let pages = dispatcher.pages(for: request, of: Inbox.self) { page in
            guard let cursor = page.data.cursor else { return nil }
            var next = request
            next.httpBody = Data(cursor.utf8)
            return next
        }
        var messages: [String] = []
        for try await message in pages.items(\.messages) { messages.append(message) }
        #expect(messages == ["a", "b", "c"])
        #expect(dispatcher.requests.count == 3)
    }

    // MARK: Ends

    /// Reads to the end, and counts the pages.
    private static func read(_ pages: Pages<[Int]>) async throws -> Int {
        var count = 0
        var iterator = pages.makeAsyncIterator()
        do {
            while try await iterator.next() != nil { count += 1 }
        } catch {
            // It is over after an error.
            #expect(try await iterator.next() == nil)
            throw error
        }
        return count
    }

    @Test(
        arguments: [
            ("</list?page=1>; rel=next", PaginationError.Code.repeatedPage, 2),
            ("<https://evil.example/>; rel=next", .foreignNextPage, 1),
            ("<//evil.example/>; rel=next", .foreignNextPage, 1),
            ("<http://example.com/list?page=2>; rel=next", .insecureNextPage, 1),
            ("<ftp://example.com/list>; rel=next", .invalidNextPage, 1),
        ]
    )
    func aPageThatMustNotBeRequestedIsAnError(link: String, code: PaginationError.Code, count: Int) async throws {
        let dispatcher = Self.mock(pages: .max) { _ in link }
        await expect(code) { try await Self.read(dispatcher.pages(for: Self.request, of: [Int].self)) }
        #expect(dispatcher.requests.count == count)
    }

    @Test func aServerThatNeverStopsIsStopped() async throws {
        let dispatcher = Self.mock(pages: .max)
        let options = PaginationOptions(maximumPages: 7)
        await expect(PaginationError.Code.tooManyPages) {
            try await Self.read(dispatcher.pages(for: Self.request, of: [Int].self, options: options))
        }
        #expect(dispatcher.requests.count == 7)
    }

    @Test func secretsAreNotSentElsewhere() async throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.sensitiveHeaders = ["X-Test"]
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport { request in
                let link: HTTPHeaderFields = ["Link": "<https://b.example/2>; rel=next"]
                return MockAnswer(.ok, headers: request.url.host() == "b.example" ? [:] : link, body: "[1]")
            },
            configuration: configuration
        )
        let options = PaginationOptions(allowsOtherOrigins: true)
        #expect(try await Self.read(dispatcher.pages(for: Self.request, of: [Int].self, options: options)) == 2)
        #expect(dispatcher.requests[1]["Authorization"] == nil && dispatcher.requests[1]["X-Test"] == nil)
    }

    @Test func aRedirectDoesNotMakeAnotherOriginOurs() async throws {
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport { request in
                request.url.host() == "b.example"
                    ? MockAnswer(.ok, headers: ["Link": "</2>; rel=next"], body: "[1]")
                    : MockAnswer(.found, headers: ["Location": "https://b.example/1"])
            }
        )
        await expect(PaginationError.Code.foreignNextPage) {
            try await Self.read(dispatcher.pages(for: Self.request, of: [Int].self))
        }
        #expect(dispatcher.requests.count == 2)
    }

    @Test func aPageOfAnotherOriginIsLikeARedirectToIt() async throws {
        let seen = Locked<[Bool]>([])
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport { request in
                request.path == "/list"
                    ? MockAnswer(.ok, headers: ["Link": "<https://b.example/2>; rel=next"], body: "[1]")
                    : MockAnswer(.ok, body: "[2]")
            },
            interceptors: [
                Intercepting { request, next in
                    seen.withLock { $0.append(request.isForeignRedirect) }
                    return try await next(request)
                }
            ]
        )
        var options = PaginationOptions()
        options.allowsOtherOrigins = true
        _ = try await Self.read(dispatcher.pages(for: Self.request, of: [Int].self, options: options))
        #expect(seen.withLock { $0 } == [false, true])
    }

    @Test func anUnacceptableResponseIsAnError() async throws {
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport(answers: [
                MockAnswer(.ok, headers: ["Link": "</2>; rel=next"], body: "[1]"), MockAnswer(.tooManyRequests),
            ])
        )
        await #expect(throws: UnacceptableResponseError.self) {
            try await Self.read(dispatcher.pages(for: Self.request, of: [Int].self))
        }
        #expect(dispatcher.requests.count == 2)
    }

    @Test func whatIsNoPageIsAnErrorThatNamesTheRequest() async throws {
        for body in ["{", "<html>", "{}"] {
            let dispatcher = MockURLRequestDispatcher(transport: MockTransport { _ in MockAnswer(.ok, body: body) })
            for pages in [
                dispatcher.pages(for: Self.request, of: [Int].self),
                dispatcher.pages(for: Self.request, of: [Int].self) { _ in nil },
                dispatcher.pages(for: Self.request, of: [Int].self, decoder: JSONDecoder()),
            ] {
                let error = try await failure { try await Self.read(pages) } as? UndecodableResponseError
                #expect(error?.underlyingError is DecodingError)
                #expect(error?.request?.url == Self.request.url && error?.body == Data(body.utf8))
            }
        }
    }

    @Test func aPageWithoutABodyIsAnError() async throws {
        let dispatcher = MockURLRequestDispatcher(transport: MockTransport { _ in MockAnswer(.ok) })
        await #expect(throws: ResponseError.unexpectedEmptyResponse) {
            try await Self.read(dispatcher.pages(for: Self.request, of: [Int].self))
        }
    }

    @Test func anErrorOfTheFunctionReachesTheCaller() async throws {
        struct Failure: Error {}
        let dispatcher = Self.mock()
        let pages = dispatcher.pages(for: Self.request, of: [Int].self) { _ in throw Failure() }
        await #expect(throws: Failure.self) { try await Self.read(pages) }
        #expect(dispatcher.requests.count == 1)
    }

    @Test func cancellingEndsTheRequest() async throws {
        for _ in 0..<50 {
            let dispatcher = MockURLRequestDispatcher(
                transport: MockTransport { request in
                    request.path == "/2" ? .hang : MockAnswer(.ok, headers: ["Link": "</2>; rel=next"], body: "[1]")
                }
            )
            let task = Task { try await Self.read(dispatcher.pages(for: Self.request, of: [Int].self)) }
            _ = try await dispatcher.requests(atLeast: 2)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func nothingIsRequestedAfterACancellation() async throws {
        let dispatcher = Self.mock()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await Self.read(dispatcher.pages(for: Self.request, of: [Int].self))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(dispatcher.requests.isEmpty)
    }

    @Test func anyDataDispatcherHasPages() async throws {
        final class Canned: DataDispatcher {
            func data(for request: URLRequest) async throws -> Response<Data?> {
                let headers: HTTPHeaderFields = request.url == Fixture.url ? ["Link": "</2>; rel=next"] : [:]
                let head = ResponseHead(url: Fixture.url, statusCode: .ok, headers: headers)
                return Response(data: Data("[1]".utf8), urlRequest: request, head: head)
            }
        }
        #expect(try await Self.read(Canned().pages(for: Fixture.request, of: [Int].self)) == 2)
    }

    @Test func descriptionsShowNoSecrets() {
        let request = URLRequest("GET", Fixture.url("https://u:hunter2@example.com/list?token=hunter2"))
        let pages = Self.mock().pages(for: request, of: [Int].self)
        for text in [
            Fixture.allTexts(of: pages), Fixture.allTexts(of: pages.makeAsyncIterator()),
            Fixture.allTexts(of: pages.items),
        ] {
            #expect(!text.contains("hunter2"))
        }
    }
}
