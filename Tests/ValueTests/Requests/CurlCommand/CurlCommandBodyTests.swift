import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@Suite(.timeLimit(.generous)) struct CurlCommandBodyTests {
    private let folder: DownloadFolder
    private var request: TransportRequest

    init() throws {
        folder = try DownloadFolder()
        request = TransportRequest(URLRequest(url: Fixture.url("https://example.com/"), method: .post))
    }

    private func command(_ body: RequestBody, showingSecrets: Bool = true) async throws -> String {
        var request = request
        request.body = body
        return try await request.curlCommand(showingSecrets: showingSecrets)
    }

    @Test func aFileIsReadByCurl() async throws {
        let file = try folder.write("it's", Data("x".utf8))
        let path = file.path(percentEncoded: false).replacing("'", with: #"'\''"#)
        for showsSecrets in [true, false] {
            let text = try await command(.file(file), showingSecrets: showsSecrets)
            #expect(text.hasPrefix("curl -q") && text.hasSuffix("--data-binary '@\(path)'"))
        }
        await #expect(throws: TransferError.self) { try await command(.file(folder["missing"])) }
    }

    @Test func thePiecesOfAFormArePrintedInOrder() async throws {
        let file = try folder.write("file", Data("x".utf8))
        var form = MultipartFormData()
        form.append(SecretSearch.secret, name: "password")
        form.append(file: file, name: "file")
        let text = try await command(.multipart(form))
        let path = file.path(percentEncoded: false)
        #expect(text.hasPrefix("{ printf '") && text.contains("; cat '\(path)'; printf '"))
        #expect(text.contains("; } | curl -q") && text.contains(SecretSearch.secret))

        let hidden = try await command(.multipart(form), showingSecrets: false)
        #expect(hidden.hasPrefix("{ printf '<redacted>'; cat '\(path)'; printf '<redacted>'; } | curl -q"))
        #expect(!SecretSearch.isFound(in: hidden))
    }

    @Test func aCompressedFilePassesThroughGzip() async throws {
        let file = try folder.write("file", Data("x".utf8))
        let text = try await command(.file(file).gzipped())
        #expect(text.hasPrefix("cat '\(file.path(percentEncoded: false))' | gzip | curl -q"))
        #expect(text.contains("--header 'Transfer-Encoding: chunked'") && text.hasSuffix("--data-binary @-"))
    }

    @Test func aStreamComesFromStandardInputAndIsNotUsedUp() async throws {
        let body = RequestBody.stream(AsyncStream<Data> { $0.finish() }, length: 5)
        let text = try await command(body)
        #expect(text.hasPrefix("# The body is a stream. Pass it on standard input.\ncurl -q"))
        #expect(text.hasSuffix("--data-binary @-") && !text.contains("chunked"))
        #expect(try await command(body) == text)
    }

    @Test func trailersAreRefused() async throws {
        let body = RequestBody.data(Data("x".utf8)).withTrailers(["X-Sum"], from: 0) { _, _ in
        } compute: { _ in
            ["X-Sum": "1"]
        }
        await #expect {
            _ = try await command(body)
        } throws: {
            ($0 as? TransportError)?.code == .unsupported
        }
    }

    @Test func optionsCount() async throws {
        var request = request
        request.options.sensitiveHeaders = ["X-Mine"]
        request.options.expectContinue = .always
        request.urlRequest.setValue(SecretSearch.secret, forHTTPHeaderField: "X-Mine")
        request.urlRequest.httpBody = Data("x".utf8)
        let text = try await request.curlCommand(userAgent: "Reader/1.0")
        #expect(text.contains("--header 'X-Mine: <redacted>'") && text.contains("--header 'Expect: 100-continue'"))
        #expect(text.contains("--header 'User-Agent: Reader/1.0'"))
    }
}
