import PiuPiuAsync
import PiuPiuEngine
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore

struct PreparedBodyTests {
    private static func prepare(
        _ method: String,
        _ body: RequestBody?,
        headers: [String: String] = [:],
        httpBody: Data? = nil
    ) throws -> PreparedRequest {
        var urlRequest = URLRequest(url: Fixture.url)
        urlRequest.httpMethod = method
        urlRequest.allHTTPHeaderFields = headers
        urlRequest.httpBody = httpBody
        var request = TransportRequest(urlRequest)
        request.body = body
        return try PreparedRequest(request, userAgent: nil)
    }

    private static func kind(_ prepared: PreparedRequest) -> String {
        switch prepared.kind {
        case .withoutContent: "withoutContent"
        case .head: "head"
        case .withContent(let data): "withContent \(data.count)"
        case .withStream(let body): "withStream \(body.length.map(String.init) ?? "?")"
        }
    }

    private static func stream(_ length: Int64?) -> RequestBody {
        .stream(AsyncStream<Data> { $0.finish() }, length: length)
    }

    private func expectRefusal(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ action: () throws -> PreparedRequest
    ) {
        let error = #expect(throws: TransportError.self, sourceLocation: sourceLocation) { try action() }
        #expect(error?.code == .invalidRequest, sourceLocation: sourceLocation)
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "OPTIONS"])
    func aBodyIsSentWithAnyMethodThatMayHaveOne(_ method: String) throws {
        let folder = try FormFolder()
        let file = try folder.file("file", Data("abc".utf8))
        let empty = try folder.file("empty", Data())
        #expect(Self.kind(try Self.prepare(method, .data(Data("abcd".utf8)))) == "withContent 4")
        #expect(Self.kind(try Self.prepare(method, .file(file))) == "withStream 3")
        #expect(Self.kind(try Self.prepare(method, Self.stream(nil))) == "withStream ?")
        #expect(Self.kind(try Self.prepare(method, Self.stream(9))) == "withStream 9")
        // Content that is empty is announced as such, with any method.
        #expect(Self.kind(try Self.prepare(method, .data(Data()))) == "withContent 0")
        #expect(Self.kind(try Self.prepare(method, .file(empty))) == "withContent 0")
    }

    // libcurl asks for nothing then, so that the stream is not used up either.
    @Test func aStreamThatIsSaidToBeEmptyIsNotRead() throws {
        #expect(Self.kind(try Self.prepare("POST", Self.stream(0))) == "withContent 0")
        #expect(Self.kind(try Self.prepare("POST", Self.stream(-3))) == "withContent 0")
    }

    @Test func aFormWithoutFilesIsInMemory() throws {
        var form = MultipartFormData(boundary: "b")
        form.append("x", name: "a")
        #expect(Self.kind(try Self.prepare("POST", .multipart(form))) == "withContent \(try form.contentLength())")
    }

    @Test(arguments: ["GET", "HEAD", "TRACE", "get", "head"])
    func methodsWithoutBodyRefuseOneEvenIfEmpty(_ method: String) throws {
        let folder = try FormFolder()
        let empty = try folder.file("empty", Data())
        for body in [RequestBody.data(Data()), .data(Data("x".utf8)), .file(empty), Self.stream(nil), Self.stream(0)] {
            expectRefusal { try Self.prepare(method, body) }
        }
    }

    @Test func twoBodiesAreRefused() {
        for httpBody in [Data(), Data("x".utf8)] {
            expectRefusal { try Self.prepare("POST", .data(Data("y".utf8)), httpBody: httpBody) }
            expectRefusal { try Self.prepare("POST", Self.stream(nil), httpBody: httpBody) }
        }
    }

    @Test func aContentLengthHasToAgreeWithTheBody() throws {
        let folder = try FormFolder()
        let file = try folder.file("file", Data("abc".utf8))
        for body in [RequestBody.file(file), Self.stream(3), .data(Data("abc".utf8))] {
            let prepared = try Self.prepare("PUT", body, headers: ["content-length": "3"])
            // The engine writes it.
            #expect(!prepared.fields.contains("content-length"))
            for wrong in ["2", "4", "03", "+3", "3, 3", "", "-3", "3 "] {
                expectRefusal { try Self.prepare("PUT", body, headers: ["Content-Length": wrong]) }
            }
        }
    }

    @Test(arguments: ["0", "3", ""])
    func aContentLengthIsRefusedWhereTheLengthIsNotKnown(_ value: String) {
        expectRefusal { try Self.prepare("PUT", Self.stream(nil), headers: ["Content-Length": value]) }
    }

    @Test func chunksAreTheTransportsBusiness() {
        let chunked = ["Transfer-Encoding": "chunked"]
        expectRefusal { try Self.prepare("PUT", Self.stream(nil), headers: chunked) }
    }

    @Test func aFileThatCannotBeSentIsATransferError() throws {
        let folder = try FormFolder()
        let missing = folder.url.appending(path: "missing")
        #expect(TransferError.Code.thrown { try Self.prepare("PUT", .file(missing)) } == .fileNotFound)
        #expect(TransferError.Code.thrown { try Self.prepare("PUT", .file(folder.url)) } == .notARegularFile)
    }

    @Test func aStreamThatIsUsedUpIsRefusedBeforeAConnectionIsOpened() throws {
        let body = Self.stream(nil)
        guard case .stream(let source) = try body.resolved().source else {
            Issue.record("no stream")
            return
        }
        _ = source.take()
        #expect(TransferError.Code.thrown { try Self.prepare("PUT", body) } == .bodyNotRepeatable)
    }
}
