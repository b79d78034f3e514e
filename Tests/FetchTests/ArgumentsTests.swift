import Foundation
import Testing

@testable import Fetch

@Suite struct ArgumentsTests {
    private let url = URL(string: "http://example.org/a/b.bin")

    private func mistake(_ words: String...) -> String? {
        do {
            _ = try Arguments(words)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [[], ["--"]])
    func nothingIsTheDemonstration(words: [String]) throws {
        #expect(try Arguments(words).command == .demonstrate)
    }

    @Test(arguments: [["--help"], ["-h"], ["--resume", "--help"], ["http://example.org", "-h", "x", "y"]])
    func helpGoesBeforeEverything(words: [String]) throws {
        #expect(try Arguments(words).command == .help)
    }

    @Test func aDownloadHasAFile() throws {
        let url = try #require(url)
        #expect(try Arguments(["http://example.org/a/b.bin"]).command == .download(url, to: "b.bin"))
        #expect(try Arguments(["--", "http://example.org/a/b.bin", "c"]).command == .download(url, to: "c"))
        #expect(
            try Arguments(["http://example.org/a/b.bin", "--", "--resume"]).command == .download(url, to: "--resume")
        )
        let arguments = try Arguments(["http://example.org/a/b.bin", "--resume", "-"])
        #expect(arguments.resumes)
        #expect(arguments.command == .download(url, to: "-"))
    }

    @Test(arguments: [["--upload", "x", "--method", "POST"], ["--method=POST", "--upload=x"]])
    func anUploadHasAFileAndAMethod(options: [String]) throws {
        let url = try #require(url)
        for words in [options + ["http://example.org/a/b.bin"], ["http://example.org/a/b.bin"] + options] {
            let arguments = try Arguments(words)
            #expect(arguments.command == .upload("x", to: url))
            #expect(arguments.method == "POST")
        }
    }

    @Test func headersAreKeptInOrder() throws {
        let arguments = try Arguments(["http://a", "--header", "A:  b: c ", "--header=A:d", "--header", "Empty:"])
        #expect(arguments.headers.map(\.name) == ["A", "A", "Empty"])
        #expect(arguments.headers.map(\.value) == ["b: c", "d", ""])
    }

    @Test func mistakesAreNamed() {
        #expect(mistake("--resume") == "A URL is missing.")
        #expect(mistake("--frob", "http://a") == "There is no such option: --frob")
        #expect(mistake("-x", "http://a") == "There is no such option: -x")
        #expect(mistake("http://a", "--upload") == "Something is missing after --upload.")
        #expect(mistake("http://a", "--method=") == "Something is missing after --method.")
        #expect(mistake("http://a", "--resume=yes") == "An option has a value and takes none: --resume")
        #expect(mistake("http://a", "b", "c") == "This is too much: c")
        #expect(mistake("http://a", "b", "--upload", "c") == "This is too much: b")
        #expect(mistake("http://a", "") == "The file's name is empty.")
        #expect(mistake("http://a", "--method", "GE T") == "This is no method: GE T")
        #expect(mistake("http://a", "--resume", "--upload", "c") == "Only a download can continue, no --upload.")
    }

    @Test(arguments: [
        "example.org/x", "ftp://example.org/x", "http://", "http:x", "file:///etc/passwd", "ht tp://x", "",
    ])
    func onlyHTTPIsAURL(text: String) {
        #expect(mistake(text) == "This is no URL that begins with http:// or https://: \(text)")
    }

    @Test(arguments: [
        "secret", ": secret", "A b: secret", "Ä: secret", "A: sec\r\nret", "A\n: secret", "A: \u{0}secret",
    ])
    func aHeaderThatCannotBeSentIsNotShown(text: String) {
        let words = mistake("http://a", "--header", text)
        #expect(words?.isEmpty == false)
        #expect(words?.contains("sec") == false)
    }
}

@Suite struct FileNameTests {
    @Test(arguments: [
        ("http://a/b.bin", "b.bin"), ("http://a/b/c%20d?e=f/g#h", "c d"), ("http://a", "download"),
        ("http://a/", "download"), ("http://a/b/", "download"), ("http://a/..", "download"),
        ("http://a/%2E%2E", "download"), ("http://a/%2Fetc%2Fpasswd", "download"), ("http://a/x%00y", "download"),
        ("http://a/x%0Ay", "download"), ("http://a/x%FFy", "download"), ("http://a/%C3%A4", "ä"),
        ("http://a/..x", "..x"), ("http://a/" + String(repeating: "x", count: 256), "download"),
    ])
    func aNameStaysInItsFolder(text: String, name: String) throws {
        #expect(FileName.of(try #require(URL(string: text))) == name)
    }
}
