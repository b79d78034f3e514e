import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore

/// What must not be sent, or not be held in memory.
struct MultipartFormRefusalTests {
    private let folder: FormFolder

    init() throws {
        folder = try FormFolder()
    }

    @Test(arguments: [
        "\r\nX-Injected: 1", "a\r\n\r\nbody", "\"\r\nX-Injected: 1", "\n\nbody", "a\"; filename=\"b", "\rX: 1",
        "\u{D}\u{301}\u{A}X: 1", "\u{10A}\u{10D}X: 1", "\u{560A}\u{560D}X: 1", "\u{22}\u{301}; filename=\"x",
    ])
    func aNameCannotAddAHeaderField(_ name: String) throws {
        let text = try MultipartFormData.text { $0.append(Data("content".utf8), name: name, fileName: name) }
        let bytes = Array(text.utf8)
        // Two field lines, the delimiters, the content and two empty lines.
        #expect(bytes.count { $0 == 0x0A } == 6)
        #expect(bytes.count { $0 == 0x0D } == 6)
        #expect(bytes.count { $0 == 0x22 } == 4)
    }

    @Test(arguments: ["\0", "a\0b", "a\u{0}\u{301}"])
    func aNULInANameIsRefused(_ name: String) {
        var form = MultipartFormData()
        form.append("", name: name)
        #expect(TransferError.Code.thrown { try form.encoded() } == .invalidPart)
        form = MultipartFormData()
        form.append(Data(), name: "a", fileName: name)
        #expect(TransferError.Code.thrown { try form.contentLength() } == .invalidPart)
    }

    @Test(arguments: [
        "", " ", "text", "text/", "/plain", "text/plain/x", "text/pl ain", " text/plain", "text / plain", "a/b\r\nX: 1",
        "a/b\n", "a/b\r", "a/b; c=\"\0\"", "a/b;\tc=d", "a/b; c=ü", "ä/b", "a/b\u{7F}", "a/b\u{85}", "a/b\u{2028}",
        ";a/b", "\u{2003}a/b", "a/b\u{301}", "a/b,c/d",
    ])
    func whatIsNoMediaTypeIsRefused(_ contentType: String) throws {
        var form = MultipartFormData()
        form.append("fine", name: "a")
        form.append(Data(), name: "secret", contentType: contentType)
        #expect(TransferError.Code.thrown { try form.encoded() } == .invalidPart)
        #expect(TransferError.Code.thrown { try form.contentLength() } == .invalidPart)
        let error = #expect(throws: TransferError.self) { try form.segments() }
        #expect(error?.reason.contains("part 2") == true)
        #expect(error?.reason.contains("secret") == false)
    }

    @Test(arguments: [
        "a/b", "application/vnd.x+json", "text/plain; charset=utf-8", "text/plain ;charset=\"a b\"", "A/B;",
    ])
    func mediaTypesAreSentAsTheyAre(_ contentType: String) throws {
        let text = try MultipartFormData.text { $0.append(Data(), name: "a", contentType: contentType) }
        #expect(text.contains("\r\nContent-Type: \(contentType)\r\n\r\n"))
    }

    @Test func filesThatCannotBeReadAreRefused() throws {
        var form = MultipartFormData()
        form.append(file: folder.url.appending(path: "missing"), name: "a")
        #expect(TransferError.Code.thrown { try form.segments() } == .fileNotFound)
        #expect(TransferError.Code.thrown { try form.contentLength() } == .fileNotFound)
        form = MultipartFormData()
        form.append(file: folder.url, name: "a")
        #expect(TransferError.Code.thrown { try form.encoded() } == .notARegularFile)
        form = MultipartFormData()
        form.append(file: Fixture.url("https://example.com/a"), name: "a")
        #expect(TransferError.Code.thrown { try form.encoded() } == .fileNotFound)
    }

    @Test func largeFormsAreNotEncodedInMemory() throws {
        var form = MultipartFormData()
        form.append("0123456789", name: "a")
        let length = Int(try form.contentLength())
        #expect(try form.encoded(limit: length).count == length)
        for limit in [length - 1, 0, -1, .min] {
            #expect(TransferError.Code.thrown { try form.encoded(limit: limit) } == .bodyTooLarge)
        }
        form.append(file: try folder.sparseFile("sparse", length: 64 * 1024 * 1024), name: "b")
        #expect(TransferError.Code.thrown { try form.encoded() } == .bodyTooLarge)
        #expect(try form.contentLength() > 64 * 1024 * 1024)
    }

    @Test func lengthsThatAreNoNumberAreRefused() throws {
        var body = RequestBodyBuilder()
        try body.append(.file(folder.url, length: .max))
        #expect(TransferError.Code.thrown { try body.append(.file(folder.url, length: 1)) } == .bodyTooLarge)
        #expect(TransferError.Code.thrown { try body.append(Data(count: 1)) } == .bodyTooLarge)
    }

    @Test func aFileThatChangedIsNotEncoded() throws {
        let file = try folder.file("f", Data(count: 10))
        for length in [9, 11] as [Int64] {
            var body = Data()
            #expect(
                TransferError.Code.thrown { try MultipartFormData.append(file, length: length, to: &body) }
                    == .fileChanged
            )
        }
    }
}
