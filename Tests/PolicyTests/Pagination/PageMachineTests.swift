import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

struct PageMachineTests {
    private static let foreign = PaginationOptions(allowsOtherOrigins: true)

    static let rows = RuleScript.rules(
        """
        one page
        pages of one origin
            https://a.example/2, https://A.example:443/3 -> https://a.example/2, https://A.example:443/3
        another host
            https://a.example/2, https://b.example/3 -> https://a.example/2, foreignNextPage
        another port
            https://a.example:444/2 -> foreignNextPage
        from http to https
            [first http://a.example/1] https://a.example/2 -> foreignNextPage
        from https to http
            http://a.example/2 -> insecureNextPage
        from https to http, allowed elsewhere
            [elsewhere true] https://b.example/2, http://b.example/3 -> https://b.example/2, insecureNextPage
        allowed elsewhere
            [first http://a.example/1, elsewhere true] http://b.example/2, https://a.example/3
            -> http://b.example/2, https://a.example/3
        no http
            ftp://a.example/2 -> invalidNextPage
        a script
            javascript:alert(1) -> invalidNextPage
        a file
            [elsewhere true] file:///etc/passwd -> invalidNextPage
        the same page
            https://a.example/1 -> repeatedPage
        the same page, a part
            https://a.example/1#x -> repeatedPage
        a circle
            https://a.example/2, https://a.example/3, https://a.example/2
            -> https://a.example/2, https://a.example/3, repeatedPage
        as many pages as allowed
            [pages 2] https://a.example/2 -> https://a.example/2
        more pages than allowed
            [pages 2] https://a.example/2, https://a.example/3 -> https://a.example/2, tooManyPages
        no page allowed
            [pages -9223372036854775808] https://a.example/2 -> tooManyPages
        """
    )

    /// The effects are the URLs that are requested after the first, and the error that ends it.
    @Test(arguments: rows) func pagesFollowByTheRules(_ row: RuleScript) {
        let first = row.setting("first", "https://a.example/1")
        var options = PaginationOptions(allowsOtherOrigins: row.setting("elsewhere", false))
        options.maximumPages = row.setting("pages", options.maximumPages)
        var machine = PageMachine(URLRequest(url: Fixture.url(first)), options, sensitiveHeaders: [])
        #expect(machine.begin().url?.absoluteString == first)
        var requested: [String] = []
        var code: PaginationError.Code?
        for target in row.steps where code == nil {
            do {
                let next = try machine.next(machine.request(for: Fixture.url(target[0])))
                requested.append(next?.url?.absoluteString ?? "")
            } catch {
                code = error.code
                #expect(error.pageCount == requested.count + 1)
            }
        }
        #expect((requested + (code.map { ["\($0)"] } ?? [])).joined(separator: ", ") == row.effects)
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
