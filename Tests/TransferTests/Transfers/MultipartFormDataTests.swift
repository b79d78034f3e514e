import PiuPiuAsync
import PiuPiuEngine
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore

struct MultipartFormDataTests {
    private let folder: FormFolder

    init() throws {
        folder = try FormFolder()
    }

    // MARK: Bytes

    @Test func aFormIsWrittenAsRFC7578Says() throws {
        let file = try folder.file("a b.txt", Data("from a file".utf8))
        let text = try MultipartFormData.text { form in
            form.append("Ada\n", name: "author")
            form.append(Data("{}".utf8), name: "meta", contentType: "application/json; charset=utf-8")
            form.append(Data("x".utf8), name: "files[]", fileName: "x.bin")
            form.append(Data("y".utf8), name: "files[]", fileName: "ü.txt", contentType: "text/plain")
            form.append(file: file, name: "files[]")
            form.append(file: file, name: "", fileName: "", contentType: "Text/PLAIN")
        }
        let expected = [
            "--b", #"Content-Disposition: form-data; name="author""#, "", "Ada\n",
            "--b", #"Content-Disposition: form-data; name="meta""#, "Content-Type: application/json; charset=utf-8", "",
            "{}",
            "--b", #"Content-Disposition: form-data; name="files[]"; filename="x.bin""#,
            "Content-Type: application/octet-stream", "", "x",
            "--b", #"Content-Disposition: form-data; name="files[]"; filename="ü.txt""#, "Content-Type: text/plain", "",
            "y",
            "--b", #"Content-Disposition: form-data; name="files[]"; filename="a b.txt""#,
            "Content-Type: application/octet-stream", "", "from a file",
            "--b", #"Content-Disposition: form-data; name=""; filename="""#, "Content-Type: Text/PLAIN", "",
            "from a file",
            "--b--", "",
        ]
        #expect(Array(text.utf8) == Array(expected.joined(separator: "\r\n").utf8))
    }

    @Test func anEmptyFormIsTheClosingBoundary() throws {
        let form = MultipartFormData(boundary: "b")
        #expect(try form.encoded() == Data("--b--\r\n".utf8))
        #expect(try form.contentLength() == 7)
        #expect(try form.segments().count == 1)
    }

    @Test(arguments: [
        (#"a"b"#, "a%22b"), ("a\r\nb", "a%0D%0Ab"), ("a\nb", "a%0Ab"), ("a\rb", "a%0Db"), ("%22", "%22"),
        (#"a\b;c,d"#, #"a\b;c,d"#), ("  ü 🎈 ", "  ü 🎈 "), ("a\tb\u{1}\u{85}\u{2028}", "a\tb\u{1}\u{85}\u{2028}"),
    ])
    func namesAreEscapedAsTheWHATWGSays(_ pair: (String, String)) throws {
        let text = try MultipartFormData.text { $0.append(Data(), name: pair.0, fileName: pair.0, contentType: "a/b") }
        let disposition = "Content-Disposition: form-data; name=\"\(pair.1)\"; filename=\"\(pair.1)\""
        #expect(Array(text.utf8) == Array("--b\r\n\(disposition)\r\nContent-Type: a/b\r\n\r\n\r\n--b--\r\n".utf8))
    }

    @Test func textsAreSentByteForByte() throws {
        for value in ["", "\r", "\n", "\r\n", "a\u{301}", "á", "\0", "--b", "a\nb\rc"] {
            let text = try MultipartFormData.text { $0.append(value, name: "n") }
            let head = "--b\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n"
            #expect(Array(text.utf8) == Array((head + value + "\r\n--b--\r\n").utf8))
        }
    }

    // MARK: Lengths and pieces

    @Test(arguments: [41, 42, 43, 44] as [UInt64])
    func theLengthIsThatOfTheBytes(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<10 {
            let form = try RandomForm(folder: folder, using: &random).form
            let encoded = try form.encoded()
            #expect(try form.contentLength() == Int64(encoded.count))
            let segments = try form.segments()
            #expect(segments.reduce(0) { $0 + $1.length } == Int64(encoded.count))
            let joined = try segments.reduce(into: Data()) { data, segment in
                switch segment {
                case .bytes(let bytes): data.append(bytes)
                case .file(let url, _): data.append(try Data(contentsOf: url))
                }
            }
            #expect(joined == encoded)
        }
    }

    @Test func smallNeighboursAreOnePieceAndFilesAreStreamed() throws {
        let file = try folder.file("f", Data(repeating: 1, count: 10))
        var form = MultipartFormData()
        for index in 0..<100 { form.append("\(index)", name: "n") }
        #expect(try form.segments().count == 1)
        form.append(file: file, name: "f")
        form.append("last", name: "n")
        let segments = try form.segments()
        #expect(segments.count == 3)
        guard case .file(let url, length: 10) = segments[1] else {
            Issue.record("\(segments[1])")
            return
        }
        #expect(url == file)
    }

    @Test func largeDataIsNotCopied() throws {
        let data = Data(repeating: 7, count: 1 << 20)
        var form = MultipartFormData()
        form.append(data, name: "a")
        let segments = try form.segments()
        #expect(segments.count == 3)
        guard case .bytes(let piece) = segments[1] else {
            Issue.record("\(segments[1])")
            return
        }
        let addresses = [data, piece].map { $0.withUnsafeBytes(\.baseAddress) }
        #expect(addresses[0] == addresses[1])
    }

    @Test func slicesOfDataAreSentRight() throws {
        for count in [5, 100_000] {
            let slice = (Data(repeating: 1, count: 10) + Data(repeating: 2, count: count)).dropFirst(10)
            var form = MultipartFormData(boundary: "b")
            form.append(slice, name: "a")
            let head = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"
            #expect(try form.encoded() == Data(head.utf8) + slice + Data("\r\n--b--\r\n".utf8))
        }
    }

    // MARK: The form itself

    @Test func everyFormHasABoundaryOfItsOwn() {
        let boundaries = (0..<10_000).map { _ in MultipartFormData().boundary }
        #expect(Set(boundaries).count == boundaries.count)
        let characters = Set(boundaries.joined().utf8)
        #expect(characters.isSubset(of: (UInt8.min...UInt8.max).filter(\.isTokenCharacter)))
        // Within the 70 of RFC 2046 §5.1.1, and no shorter if the random number begins with zeros.
        #expect(Set(boundaries.map(\.utf8.count)) == [39])
        let form = MultipartFormData()
        let copy = form
        #expect(form.contentType == "multipart/form-data; boundary=\(copy.boundary)")
    }

    @Test func aFormShowsNoSecret() {
        var form = MultipartFormData()
        #expect("\(form)" == "multipart/form-data with 0 parts")
        form.append("hunter2", name: "hunter2")
        #expect("\(form)" == "multipart/form-data with 1 part")
        let texts = Fixture.allTexts(of: form)
        #expect(!texts.contains("hunter2") && !texts.contains("104"))
    }
}
