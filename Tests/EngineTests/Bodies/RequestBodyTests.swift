import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore

struct RequestBodyTests {
    private static func stream(_ length: Int64?) -> RequestBody {
        .stream(AsyncStream<Data> { $0.finish() }, length: length)
    }

    private static func form() -> MultipartFormData {
        var form = MultipartFormData(boundary: "b")
        form.append("x", name: "a")
        return form
    }

    @Test func onlyStreamsCannotBeSentAgain() throws {
        let folder = try FormFolder()
        let file = try folder.file("file", Data("abc".utf8))
        for body in [RequestBody.data(Data()), .file(file), .multipart(Self.form())] {
            #expect(body.isRepeatable)
            #expect(try body.resolved().isRepeatable)
        }
        #expect(!Self.stream(nil).isRepeatable)
        #expect(try !Self.stream(5).resolved().isRepeatable)
    }

    @Test func lengthsAreThoseOfNow() throws {
        let folder = try FormFolder()
        let file = try folder.file("file", Data("abc".utf8))
        #expect(RequestBody.data(Data("abcd".utf8)[1...]).length == 3)
        #expect(RequestBody.file(file).length == 3)
        try Data("abcdef".utf8).write(to: file)
        #expect(RequestBody.file(file).length == 6)
        #expect(RequestBody.multipart(Self.form()).length == (try Self.form().contentLength()))
        #expect(RequestBody.file(folder.url.appending(path: "missing")).length == nil)
        #expect(RequestBody.file(folder.url).length == nil)
        #expect(Self.stream(nil).length == nil)
        #expect(Self.stream(7).length == 7)
    }

    // The first progress and the message have to agree.
    @Test(arguments: [-1, .min] as [Int64])
    func aNegativeLengthCountsAsZero(_ length: Int64) throws {
        #expect(Self.stream(length).length == 0)
        #expect(try Self.stream(length).resolved().length == 0)
    }

    @Test func filesThatCannotBeSentAreRefusedWhenTheyAreLookedAt() throws {
        let folder = try FormFolder()
        #expect(TransferError.Code.thrown { try RequestBody.file(folder.url).resolved() } == .notARegularFile)
        let missing = folder.url.appending(path: "missing")
        #expect(TransferError.Code.thrown { try RequestBody.file(missing).resolved() } == .fileNotFound)
        #expect(TransferError.Code.thrown { try RequestBody.file(Fixture.url).resolved() } == .fileNotFound)
        var form = Self.form()
        form.append(file: missing, name: "f")
        #expect(TransferError.Code.thrown { try RequestBody.multipart(form).resolved() } == .fileNotFound)
    }

    @Test func whatIsInMemoryIsGivenAsIs() throws {
        let folder = try FormFolder()
        let file = try folder.file("file", Data("abc".utf8))
        #expect(try RequestBody.data(Data("abc".utf8)).resolved().data == Data("abc".utf8))
        #expect(try RequestBody.data(Data()).resolved().data == Data())
        #expect(try RequestBody.multipart(Self.form()).resolved().data == Self.form().encoded())
        #expect(try RequestBody.file(file).resolved().data == nil)
        #expect(try Self.stream(0).resolved().data == nil)
        var form = Self.form()
        form.append(file: file, name: "f")
        #expect(try RequestBody.multipart(form).resolved().data == nil)
        #expect(ResolvedBody(segments: []).data == Data())
        let segments = ["ab", "c"].map { RequestBodySegment.bytes(Data($0.utf8)) }
        #expect(ResolvedBody(segments: segments).data == Data("abc".utf8))
        #expect(ResolvedBody(segments: segments).length == 3)
    }

    // MARK: Requests

    @Test func aRequestGetsWhatGoesWithTheBody() throws {
        var request = URLRequest(url: Fixture.url, method: .post)
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        let data = try RequestBody.data(Data("abc".utf8)).completing(request)
        #expect(data.httpBody == Data("abc".utf8))
        #expect(data.value(forHTTPHeaderField: "Content-Type") == "text/plain")
        let form = try RequestBody.multipart(Self.form()).completing(request)
        #expect(form.httpBody == nil)
        #expect(form.value(forHTTPHeaderField: "Content-Type") == "multipart/form-data; boundary=b")
        for body in [RequestBody.file(URL(filePath: "/nowhere")), Self.stream(nil)] {
            let other = try body.completing(request)
            #expect(other.httpBody == nil)
            #expect(other.value(forHTTPHeaderField: "Content-Type") == "text/plain")
        }
    }

    @Test func aRequestWithABodyOfItsOwnIsRefused() throws {
        for isStream in [true, false] {
            var request = URLRequest(url: Fixture.url, method: .post)
            if isStream { request.httpBodyStream = InputStream(data: Data()) } else { request.httpBody = Data() }
            for body in [RequestBody.data(Data("x".utf8)), Self.stream(nil), .multipart(Self.form())] {
                let error = #expect(throws: TransportError.self) { try body.completing(request) }
                #expect(error?.code == .invalidRequest)
            }
        }
    }

    @Test func aRequestWithoutURLIsLeftToTheDispatcher() throws {
        var request = URLRequest(url: Fixture.url)
        request.url = nil
        #expect(try RequestBody.multipart(Self.form()).completing(request).url == nil)
    }

    // MARK: Once

    @Test func aStreamIsHandedOutOnceToManyThatAsk() async throws {
        let source = OneShot { _ in }
        let taken = Tally()
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { if source.take() != nil { taken.add() } } }
        }
        #expect(taken.count == 1)
        #expect(source.isUsedUp)
    }

    @Test func aStreamStopsWhenNobodyTakesMore() async throws {
        let given = Tally()
        let chunks = AsyncStream<Data> {
            given.add()
            return Data([1])
        }
        guard case .stream(let source) = try RequestBody.stream(chunks).resolved().source, let iteration = source.take()
        else {
            Issue.record("no stream")
            return
        }
        var count = 0
        try await iteration { _ in
            count += 1
            return count < 3
        }
        #expect(count == 3)
        #expect(given.count == 3)
    }
}
