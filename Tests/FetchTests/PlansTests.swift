import PiuPiuAsync
import Testing

@testable import Fetch

struct FileNameTests {
    @Test(arguments: [
        ("http://a/b.bin", "b.bin"), ("http://a/b/c%20d?e=f/g#h", "c d"), ("http://a", "download"),
        ("http://a/", "download"), ("http://a/b/", "download"), ("http://a/..", "download"),
        ("http://a/%2E%2E", "download"), ("http://a/%2Fetc%2Fpasswd", "download"), ("http://a/x%00y", "download"),
        ("http://a/x%0Ay", "download"), ("http://a/x%FFy", "download"), ("http://a/%C3%A4", "ä"),
        ("http://a/..x", "x"), ("http://a/.bashrc", "bashrc"), ("http://a/-rf", "rf"), ("http://a/a%5Cb", "download"),
        ("http://a/a%1B%5B31mb", "download"), ("http://a/a%E2%80%AEgpj.exe", "download"), ("http://a/a.", "a"),
        ("http://a/" + String(repeating: "x", count: 256), "download"),
    ])
    func aNameStaysInItsFolder(text: String, name: String) throws {
        #expect(FileName.of(try #require(URL(string: text))) == name)
    }

    @Test(
        arguments: [
            (#"attachment; filename="a b.txt""#, "a b.txt"), ("attachment; filename=a.txt", "a.txt"),
            (#"attachment; filename="../../etc/passwd""#, "passwd"), (#"attachment; filename="C:\\x\\y.exe""#, "y.exe"),
            (#"attachment; filename="a.txt"; filename*=UTF-8''%C3%A4.txt"#, "ä.txt"),
            (#"attachment; filename*=UTF-8''..%2F..%2Fx"#, "x"), (#"attachment; filename*=latin1''x; filename=y"#, "y"),
            (#"attachment; filename=".bashrc""#, "bashrc"), (#"attachment; filename="..""#, nil),
            (#"attachment; filename="a\#u{1B}[31m""#, nil), ("attachment", nil), ("", nil),
            (#"attachment; x="; filename=wrong"; filename=right"#, "right"), (#"attachment; filename="""#, nil),
        ] as [(String, String?)]
    )
    func aProposedNameIsCleaned(field: String, name: String?) {
        #expect(FileName.proposed(by: field) == name)
    }
}

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
