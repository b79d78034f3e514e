import PiuPiuFutures
import TestSupport
import Testing

struct PathPatternTests {
    private static let post: [PathComponent] = [.constant("posts"), .wildcard(type: .integer)]
    private static let comment: [PathComponent] = post + ["comments", .wildcard(type: .string)]

    private func url(_ text: String) throws -> URL {
        try #require(URL(string: text))
    }

    @Test func valuesStandForEachComponent() throws {
        let url = try url("https://example.com/posts/123/comments/new?posts=9#top")
        let values = try #require(url.pathValues(matching: Self.comment))
        #expect(values == [.string("posts"), .integer(123), .string("comments"), .string("new")])
        #expect(values.string == "posts/123/comments/new")
        #expect("\(values)" == "[posts, 123, comments, new]")
        #expect(url.pathMatches(pattern: Self.comment))
        #expect(url.integerValue(atIndex: 1, matching: Self.comment) == 123)
        #expect(url.stringValue(atIndex: 0, matching: Self.comment) == "posts")
        #expect(url.stringValue(atIndex: 3, matching: Self.comment) == "new")
    }

    @Test func valuesOfTheOtherTypeAreNone() throws {
        let url = try url("https://example.com/posts/123/comments/5")
        #expect(url.stringValue(atIndex: 1, matching: Self.comment) == nil)
        #expect(url.integerValue(atIndex: 0, matching: Self.comment) == nil)
        #expect(url.integerValue(atIndex: 3, matching: Self.comment) == nil)
    }

    // K18: PiuPiu 1 ended the process.
    @Test(arguments: [2, 3, -1, .max, .min])
    func indicesOutsideThePatternAreNone(index: Int) throws {
        let url = try url("https://example.com/posts/1")
        #expect(url.integerValue(atIndex: index, matching: Self.post) == nil)
        #expect(url.stringValue(atIndex: index, matching: Self.post) == nil)
        #expect(URLRequest(url: url).integerValue(atIndex: index, matching: Self.post) == nil)
        #expect(URLRequest(url: url).stringValue(atIndex: index, matching: Self.post) == nil)
    }

    @Test(arguments: [
        "https://example.com/posts/1", "https://example.com/posts/1/", "https://example.com//posts///1//", "posts/1",
        "https://example.com/posts/1?a/b", "https://example.com/posts/1#/x", "/posts/+1", "/posts/001", "/%70osts/%31",
        "https://example.com/posts/9223372036854775807", "/posts/-9223372036854775808",
    ])
    func pathMatches(text: String) throws {
        #expect(try url(text).pathMatches(pattern: Self.post))
        #expect(try URLRequest(url: url(text)).pathMatches(pattern: Self.post))
    }

    @Test(arguments: [
        "https://example.com", "https://example.com/", "https://example.com/posts", "https://example.com/posts/1/2",
        "/posts/x", "/posts/1.0", "/posts/9223372036854775808", "/posts/-9223372036854775809", "/posts/%D9%A3",
        "?posts/1", "/Posts/1", "/posts/%FF", "/posts%2F1", "/posts/%2F1", "/posts/1%00", "/posts/%20",
        "mailto:posts/1@example.com", "/posts/./1", "/x/../posts/1",
    ])
    func pathDoesNotMatch(text: String) throws {
        #expect(try url(text).pathMatches(pattern: Self.post) == false)
        #expect(try URLRequest(url: url(text)).pathValues(matching: Self.post) == nil)
    }

    @Test func componentsArePercentDecodedOneByOne() throws {
        let url = try url("https://example.com/files/a%2Fb%20%C3%A9%2520")
        let pattern: [PathComponent] = ["files", .wildcard(type: .string)]
        #expect(url.stringValue(atIndex: 1, matching: pattern) == "a/b é%20")
        #expect(url.pathMatches(pattern: ["files", "a/b é%20"]))
        #expect(!url.pathMatches(pattern: ["files", "a", .wildcard(type: .string)]))
    }

    @Test func relativeURLsCountAsResolved() throws {
        let relative = try #require(URL(string: "posts/1", relativeTo: url("https://example.com/api/v2/")))
        #expect(relative.pathMatches(pattern: ["api", "v2", "posts", "1"]))
        #expect(!relative.pathMatches(pattern: Self.post))
    }

    @Test func emptyPatternsMatchTheRoot() throws {
        #expect(try url("https://example.com").pathValues(matching: []) == [])
        #expect(try url("https://example.com//?q").pathMatches(pattern: []))
        #expect(try !url("https://example.com/a").pathMatches(pattern: []))
        #expect(try !url("https://example.com/").pathMatches(pattern: [""]))
        #expect(try url("https://example.com").stringValue(atIndex: 0, matching: []) == nil)
    }

    @Test func requestsWithoutURLMatchNothing() throws {
        var request = try URLRequest(url: url("https://example.com/posts/1"))
        #expect(request.pathValues(matching: Self.post) == [.string("posts"), .integer(1)])
        #expect(request.integerValue(atIndex: 1, matching: Self.post) == 1)
        #expect(request.stringValue(atIndex: 0, matching: Self.post) == "posts")
        request.url = nil
        #expect(request.pathValues(matching: []) == nil)
        #expect(request.pathMatches(pattern: []) == false)
        #expect(request.integerValue(atIndex: 1, matching: Self.post) == nil)
        #expect(request.stringValue(atIndex: 0, matching: Self.post) == nil)
    }

    @Test func patternsCanBeRead() {
        #expect(Self.comment.displayValue == "posts/:integer/comments/:string")
        #expect("\(Self.comment)" == "[posts, :integer, comments, :string]")
        #expect(PathComponent.wildcard(type: .string).displayValue == ":string")
        #expect(PathComponent.constant("a").description == "a")
        #expect(PathValue.integer(-7).string == "-7")
        let literal: PathComponent = ":integer"
        #expect(literal == .constant(":integer"))
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func pathsMadeOfAPatternMatchIt(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let texts = ["a", "é", "e\u{301}", "/", "%", "%2F", " ", "?", "#", ".", "..", "\0", "🇩🇪", "1", ":", "\\"]
        for _ in 0..<200 {
            var pattern: [PathComponent] = []
            var expected: [PathValue] = []
            var path = Bool.random(using: &random) ? "/" : "///"
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                let text = texts.randomElement(using: &random) ?? ""
                let number = Int(truncatingIfNeeded: random.next() >> UInt64.random(in: 0...63, using: &random))
                let (component, value): (PathComponent, PathValue) =
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: (.constant(text), .string(text))
                    case 1: (.wildcard(type: .string), .string(text))
                    default: (.wildcard(type: .integer), .integer(number))
                    }
                pattern.append(component)
                expected.append(value)
                path += try #require(value.string.addingPercentEncoding(withAllowedCharacters: .alphanumerics)) + "/"
            }
            let url = try url("https://example.com" + path)
            #expect(url.pathValues(matching: pattern) == expected, "\(url)")
            #expect(!url.pathMatches(pattern: pattern + ["x"]))
            for index in -1...pattern.count {
                let value = expected.indices.contains(index) ? expected[index] : nil
                let integer = url.integerValue(atIndex: index, matching: pattern).map(PathValue.integer)
                let string = url.stringValue(atIndex: index, matching: pattern).map(PathValue.string)
                #expect((integer ?? string) == value)
            }
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func oddPathsDoNotTrap(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let parts = ["/", "//", "%", "%2", "%FF", "%C3", "%2F", "%00", "é", "🇩🇪", "..", "?", "#", ":", "@", "1", "["]
        var found = 0
        for _ in 0..<500 {
            let count = Int.random(in: 0...8, using: &random)
            let text = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            guard let url = URL(string: text) else { continue }
            for count in 0...4 {
                let pattern = [PathComponent](repeating: .wildcard(type: .string), count: count)
                guard let values = url.pathValues(matching: pattern) else { continue }
                #expect(values.count == count)
                found += 1
            }
        }
        #expect(found > 100)
    }
}
