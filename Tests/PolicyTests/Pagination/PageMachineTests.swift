import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

struct PageMachineTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var first = "https://a.example/1"
        /// The next pages that the server names.
        let targets: [String]
        var options = PaginationOptions()
        /// The URLs that are requested after the first, and the error that ends it.
        let requested: [String]
        var error: PaginationError.Code?
    }

    private static let foreign = PaginationOptions(allowsOtherOrigins: true)

    static let rows: [Row] = [
        Row(testDescription: "one page", targets: [], requested: []),
        Row(
            testDescription: "pages of one origin",
            targets: ["https://a.example/2", "https://A.example:443/3"],
            requested: ["https://a.example/2", "https://A.example:443/3"]
        ),
        Row(
            testDescription: "another host",
            targets: ["https://a.example/2", "https://b.example/3"],
            requested: ["https://a.example/2"],
            error: .foreignNextPage
        ),
        Row(
            testDescription: "another port",
            targets: ["https://a.example:444/2"],
            requested: [],
            error: .foreignNextPage
        ),
        Row(
            testDescription: "from http to https",
            first: "http://a.example/1",
            targets: ["https://a.example/2"],
            requested: [],
            error: .foreignNextPage
        ),
        Row(
            testDescription: "from https to http",
            targets: ["http://a.example/2"],
            requested: [],
            error: .insecureNextPage
        ),
        Row(
            testDescription: "from https to http, allowed elsewhere",
            targets: ["https://b.example/2", "http://b.example/3"],
            options: foreign,
            requested: ["https://b.example/2"],
            error: .insecureNextPage
        ),
        Row(
            testDescription: "allowed elsewhere",
            first: "http://a.example/1",
            targets: ["http://b.example/2", "https://a.example/3"],
            options: foreign,
            requested: ["http://b.example/2", "https://a.example/3"]
        ),
        Row(testDescription: "no http", targets: ["ftp://a.example/2"], requested: [], error: .invalidNextPage),
        Row(testDescription: "a script", targets: ["javascript:alert(1)"], requested: [], error: .invalidNextPage),
        Row(
            testDescription: "a file",
            targets: ["file:///etc/passwd"],
            options: foreign,
            requested: [],
            error: .invalidNextPage
        ),
        Row(testDescription: "the same page", targets: ["https://a.example/1"], requested: [], error: .repeatedPage),
        Row(
            testDescription: "the same page, a part",
            targets: ["https://a.example/1#x"],
            requested: [],
            error: .repeatedPage
        ),
        Row(
            testDescription: "a circle",
            targets: ["https://a.example/2", "https://a.example/3", "https://a.example/2"],
            requested: ["https://a.example/2", "https://a.example/3"],
            error: .repeatedPage
        ),
        Row(
            testDescription: "as many pages as allowed",
            targets: ["https://a.example/2"],
            options: PaginationOptions(maximumPages: 2),
            requested: ["https://a.example/2"]
        ),
        Row(
            testDescription: "more pages than allowed",
            targets: ["https://a.example/2", "https://a.example/3"],
            options: PaginationOptions(maximumPages: 2),
            requested: ["https://a.example/2"],
            error: .tooManyPages
        ),
        Row(
            testDescription: "no page allowed",
            targets: ["https://a.example/2"],
            options: PaginationOptions(maximumPages: .min),
            requested: [],
            error: .tooManyPages
        ),
    ]

    @Test(arguments: rows) func pagesFollowByTheRules(row: Row) {
        var machine = PageMachine(URLRequest(url: Fixture.url(row.first)), row.options, sensitiveHeaders: [])
        #expect(machine.begin().url?.absoluteString == row.first)
        var requested: [String] = []
        var code: PaginationError.Code?
        for target in row.targets where code == nil {
            do {
                let next = try machine.next(machine.request(for: Fixture.url(target)))
                requested.append(next?.url?.absoluteString ?? "")
            } catch {
                code = error.code
                #expect(error.pageCount == requested.count + 1)
            }
        }
        #expect(requested == row.requested)
        #expect(code == row.error)
        #expect(machine.pageCount == requested.count + 1)
    }

    @Test func noRequestIsTheEnd() throws {
        var machine = PageMachine(Fixture.request, PaginationOptions(), sensitiveHeaders: [])
        _ = machine.begin()
        #expect(try machine.next(nil) == nil)
    }

    @Test func aRequestWithoutAURLIsRefused() async {
        var machine = PageMachine(Fixture.request, PaginationOptions(), sensitiveHeaders: [])
        _ = machine.begin()
        var request = Fixture.request
        request.url = nil
        await expect(PaginationError.Code.invalidNextPage) { try machine.next(request) }
    }

    @Test(arguments: ["method", "field", "body"]) func aRequestThatDiffersElsewhereIsAnotherPage(part: String)
        async throws
    {
        var machine = PageMachine(Fixture.request, PaginationOptions(), sensitiveHeaders: [])
        var request = machine.begin()
        switch part {
        case "method": request.httpMethod = "POST"
        case "field": request.setValue("2", forHTTPHeaderField: "X-Cursor")
        default: request.httpBody = Data("2".utf8)
        }
        #expect(try machine.next(request) == request)
        await expect(PaginationError.Code.repeatedPage) { try machine.next(request) }
    }

    // MARK: Secrets

    private static let secrets = ["Authorization": "Bearer hunter2", "X-Key": "hunter3", "Host": "a.example"]

    private static func machine(_ url: String) -> (PageMachine, URLRequest) {
        var request = URLRequest("GET", Fixture.url(url), headers: secrets)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        var machine = PageMachine(request, foreign, sensitiveHeaders: ["x-key"])
        return (machine, machine.begin())
    }

    @Test func fieldsAreKeptOnTheSameOrigin() throws {
        var (machine, first) = Self.machine("https://user:password@a.example/1")
        let next = try machine.next(machine.request(for: Fixture.url("https://a.example/2")))
        #expect(next?.allHTTPHeaderFields == first.allHTTPHeaderFields)
        // User information is part of the URL, and the server does not repeat it.
        #expect(next?.url?.absoluteString == "https://user:password@a.example/2")
    }

    @Test func secretsStayWithTheOrigin() throws {
        var (machine, first) = Self.machine("https://user:password@a.example/1")
        for target in ["https://x:y@b.example/2", "https://b.example/3", "https://a.example/4"] {
            let next = try machine.next(machine.request(for: Fixture.url(target)))
            // They do not come back either: it is the server in between that named the page.
            #expect(next?.allHTTPHeaderFields == ["Accept": "application/json"])
            #expect(next?.url?.user == nil && next?.url?.password == nil)
        }
        // A request that was made from the first one has them again, and they are removed again.
        for (target, count) in [("https://c.example/5", 1), ("https://a.example/6", 4)] {
            var request = first
            request.url = Fixture.url(target)
            #expect(try machine.next(request)?.allHTTPHeaderFields?.count == count)
        }
    }

    @Test func secretsStayWithTheOriginOnItsLaterPagesToo() throws {
        var (machine, first) = Self.machine("https://user:password@a.example/1")
        for (target, count) in [("b.example/2", 1), ("b.example/3", 1), ("a.example/4", 4), ("b.example/5", 1)] {
            var request = first
            request.url = Fixture.url("https://user:password@\(target)")
            let next = try #require(try machine.next(request))
            #expect(next.allHTTPHeaderFields?.count == count, "\(target)")
        }
    }

    @Test func aSecretForTheOtherOriginIsSent() throws {
        var (machine, first) = Self.machine("https://a.example/1")
        var request = first
        request.url = Fixture.url("https://b.example/2")
        request.setValue("Bearer for b", forHTTPHeaderField: "Authorization")
        let next = try machine.next(request)
        #expect(next?.allHTTPHeaderFields == ["Accept": "application/json", "Authorization": "Bearer for b"])
    }

    @Test func errorsShowNoSecrets() {
        var (machine, _) = Self.machine("https://a.example/1")
        do {
            _ = try machine.next(machine.request(for: Fixture.url("http://user:hunter4@b.example/2?token=hunter2#x")))
            Issue.record("there is no error")
        } catch {
            #expect(error.nextPage == "http://b.example/2")
            #expect(!Fixture.allTexts(of: error).contains("hunter"))
            #expect(error.localizedDescription == "\(error)")
        }
    }
}
