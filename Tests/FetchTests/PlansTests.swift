import PiuPiuAsync
import Testing

@testable import Fetch

struct DestinationTests {
    private func destinations(_ words: String...) throws -> [String] {
        try Destination.all(for: Arguments(words)).map {
            switch $0 {
            case .standardOutput: "-"
            case .file(let file): file.path + (file.replaces ? "!" : "")
            case .channel(_, let path): path + "|"
            }
        }
    }

    @Test func oneResponseGoesToStandardOutputAndSeveralToFiles() throws {
        #expect(try destinations("http://a/b") == ["-"])
        #expect(try destinations("http://a/b", "-O") == ["b"])
        #expect(try destinations("http://a/b", "-J") == ["b"])
        #expect(try destinations("http://a/b", "--resume") == ["b"])
        #expect(try destinations("http://a/b", "http://a/c") == ["b", "c"])
        #expect(try destinations("http://a/b", "http://a/c", "--output-dir", "d/", "--force") == ["d/b!", "d/c!"])
        #expect(try destinations("http://a/b", "http://a/c", "-o", "x", "-o", "-") == ["x!", "-"])
        #expect(try destinations("http://a/b", "http://a/c", "-I") == ["-", "-"])
    }

    @Test(arguments: [
        ["http://a/x", "http://b/x"], ["http://a/b", "http://a/c", "-o", "x", "-o", "./x"], ["http://a", "http://b"],
    ])
    func twoResponsesDoNotGoToOneFile(words: [String]) throws {
        let arguments = try Arguments(words)
        #expect(throws: Arguments.Mistake.self) { try Destination.all(for: arguments) }
    }
}

struct BodyPlanTests {
    private func plan(_ words: String...) throws -> BodyPlan {
        try BodyPlan(Arguments(words + ["http://a"])) { Data("<\($0)>".utf8) }
    }

    @Test func aBodyIsMadeOfItsParts() throws {
        #expect(try plan() == .none)
        #expect(try plan("-d", "a=b") == .data(Data("a=b".utf8)))
        #expect(try plan("-d", "a", "-d", "@f", "-d", "") == .data(Data("a&<f>&".utf8)))
        #expect(try plan("-d", "@f") == .file("f"))
        #expect(try plan("--json", "@-") == .standardInput)
        #expect(try plan("-T", "f") == .file("f"))
        #expect(try plan("-T", "-") == .standardInput)
        #expect(try plan("-F", "a=@x;y;type=t/u;filename=z") == .form([FormField("a=@x;y;type=t/u;filename=z")]))
    }

    @Test func aFileOfAFormHasATypeAndAName() throws {
        let field = try FormField("a=@x;y;type=t/u;filename=z")
        #expect(field.content == .file("x;y") && field.type == "t/u" && field.fileName == "z" && field.name == "a")
        #expect(try FormField("a=b;type=c").content == .text("b;type=c"))
    }

    @Test func aRequestHasTheFieldsOfItsBody() throws {
        let url = try #require(URL(string: "http://a/b/"))
        let json = RequestPlan.request(url, try Arguments(["--json", "{}", "http://a"]))
        #expect(json.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(json.httpMethod == "POST")
        let named = RequestPlan.request(url, try Arguments(["-d", "x", "-H", "content-type: a/b", "http://a"]))
        #expect(named.value(forHTTPHeaderField: "Content-Type") == "a/b")
        let upload = RequestPlan.request(url, try Arguments(["-T", "c/d e", "http://a"]))
        #expect(upload.url?.absoluteString == "http://a/b/d%20e")
    }
}
