import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// Tests that forms are read correctly by an independent parser.
@Suite(.enabled(if: MultipartParser.shared != nil, "python3 is needed"), .timeLimit(.generous))
struct MultipartParserTests {
    private let parser: MultipartParser
    private let folder: FormFolder

    init() throws {
        parser = try #require(MultipartParser.shared)
        folder = try FormFolder()
    }

    private func parts(_ form: MultipartFormData) async throws -> [MultipartParser.Part] {
        let body = try folder.file("body-\(UUID().uuidString)", form.encoded())
        return try await parser.parts(of: body, contentType: form.contentType)
    }

    /// The bytes of a name without the three escapes; what the name had of them before is gone too.
    private func unescaped(_ name: String?) -> [UInt8]? {
        name.map { name in
            let text = [("%22", "\""), ("%0D", "\r"), ("%0A", "\n")].reduce(name) {
                $0.replacing($1.0, with: $1.1)
            }
            return Array(text.utf8)
        }
    }

    @Test(arguments: [51, 52, 53] as [UInt64])
    func formsAreReadAsTheyWereMade(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<5 {
            let sent = try RandomForm(folder: folder, using: &random)
            let arrived = try await parts(sent.form)
            #expect(arrived.count == sent.parts.count)
            for (arrived, sent) in zip(arrived, sent.parts) {
                #expect(unescaped(arrived.name) == unescaped(sent.name))
                #expect(unescaped(arrived.fileName) == unescaped(sent.fileName))
                #expect(arrived.contentType == sent.contentType)
                #expect(arrived.payload == sent.payload)
                #expect(arrived.length == sent.payload.count)
                #expect(arrived.headerCount == (sent.contentType == nil ? 1 : 2))
            }
        }
    }

    @Test func everyOddNameAndContentIsReadAsItWasMade() async throws {
        var form = MultipartFormData()
        let payloads = RandomForm.payloads(boundary: form.boundary)
        for name in RandomForm.names { form.append(Data(), name: name, fileName: name) }
        for payload in payloads { form.append(payload, name: "a") }
        let parts = try await parts(form)
        for (part, name) in zip(parts, RandomForm.names) {
            #expect(unescaped(part.name) == unescaped(name))
            #expect(unescaped(part.fileName) == unescaped(name))
        }
        #expect(parts.suffix(payloads.count).map(\.payload) == payloads)
        #expect(parts.count == RandomForm.names.count + payloads.count)
    }

    @Test func aFormWithoutPartsIsRead() async throws {
        #expect(try await parts(MultipartFormData()).isEmpty)
    }

    @Test func longPayloadsAreTheirDigests() async throws {
        var form = MultipartFormData()
        form.append("abc", name: "short")
        form.append(Data(repeating: 0x61, count: 1 << 20 + 1), name: "long")
        let parts = try await parts(form)
        try #require(parts.count == 2)
        #expect(parts[0].sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(parts[0].payload == Data("abc".utf8))
        #expect(parts[1].payload == nil && parts[1].length == 1 << 20 + 1)
    }

    // The parser would be no witness if it took anything.
    @Test(arguments: [
        "", "--b\r\n", "--b--", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n",
        "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nbroken\r\n\r\nx\r\n--b--\r\n",
        "--b\r\nContent-Disposition: form-data; name=\"a\"b\"\r\n\r\nx\r\n--b--\r\n",
        "--b\r\n\r\nx\r\n--b--\r\n", "x\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b--\r\n",
    ])
    func whatIsNoFormIsNotAccepted(_ text: String) async throws {
        let body = try folder.file("body", Data(text.utf8))
        await #expect(throws: (any Error).self) {
            try await parser.parts(of: body, contentType: "multipart/form-data; boundary=b")
        }
    }
}
