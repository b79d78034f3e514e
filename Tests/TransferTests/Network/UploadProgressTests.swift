import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    /// What an upload tells of itself.
    struct UploadProgressTests {
        private let server: LoopbackServer
        private let dispatcher = URLRequestDispatcher.forTests()

        init() throws {
            server = try LoopbackServer()
            server.route("/new", .response(body: "answer"))
            server.route("/old", .redirect(to: "/new", status: 307))
        }

        private func upload(_ body: RequestBody, to path: String = "/new") -> Transfer<Data?> {
            dispatcher.upload(for: URLRequest("PUT", server.url(path)), from: body)
        }

        /// Reads a transfer to its end, and checks what holds for all.
        private func progress(
            of transfer: Transfer<Data?>,
            check: (TransferProgress) async throws -> Void = { _ in }
        ) async throws -> [TransferProgress] {
            var all: [TransferProgress] = []
            var isFinished = false
            for try await event in transfer {
                #expect(!isFinished)
                switch event {
                case .progress(let progress):
                    if let last = all.last {
                        #expect(progress.bytesSent >= last.bytesSent)
                        #expect(progress.bytesReceived >= last.bytesReceived)
                        if let fraction = last.fractionCompleted {
                            #expect(progress.fractionCompleted ?? -1 >= fraction)
                        }
                    }
                    #expect(progress.bytesToSend.map { $0 >= progress.bytesSent } ?? true)
                    all.append(progress)
                    try await check(progress)
                case .finished(let response):
                    isFinished = true
                    #expect(response.statusCode == .ok)
                }
            }
            #expect(isFinished)
            let first = try #require(all.first)
            #expect(first.bytesSent == 0 && first.bytesReceived == 0)
            #expect(all.last?.fractionCompleted == 1)
            #expect(all.last?.bytesReceived == 6)
            return all
        }

        /// A hundred chunks, no faster than they are sent.
        private func chunks() -> (producer: Producer, total: Int64) {
            let chunk = Data(count: 100_000)
            return (Producer { $0 < 100 ? chunk : nil }, 10_000_000)
        }

        @Test func aKnownLengthIsCountedFromNothingToAll() async throws {
            let (producer, total) = chunks()
            let transfer = upload(.stream(producer, length: total)).progress(every: .zero)
            let all = try await progress(of: transfer) { progress in
                #expect(progress.bytesSent <= producer.record.given)
                #expect(progress.bytesToSend == total)
            }
            #expect(all.first?.fractionCompleted == 0)
            #expect(all.last?.bytesSent == total)
            #expect(all.count > 3)
        }

        @Test func anUnknownLengthIsKnownAtTheEnd() async throws {
            let (producer, total) = chunks()
            let all = try await progress(of: upload(.stream(producer)).progress(every: .zero)) { progress in
                #expect(progress.bytesSent <= producer.record.given)
            }
            #expect(all.dropLast().allSatisfy { $0.fractionCompleted == nil })
            #expect(all.last?.bytesSent == total)
            #expect(all.last?.bytesToSend == total)
        }

        @Test(arguments: [0, 1, 65_536, 65_537, 131_072, 1_000_000])
        func everyKindOfBodyIsCountedToItsEnd(_ count: Int) async throws {
            let folder = try FormFolder()
            let content = pattern(count)
            let file = try folder.file("file", content)
            var form = MultipartFormData()
            form.append(file: file, name: "file")
            let bodies: [(RequestBody, Int64)] = [
                (.data(content), Int64(count)), (.file(file), Int64(count)),
                (.stream(Producer.of([content])), Int64(count)),
                (.stream(Producer.of([content]), length: Int64(count)), Int64(count)),
                (.multipart(form), try form.contentLength()),
            ]
            for (body, length) in bodies {
                let all = try await progress(of: upload(body).progress(every: .zero))
                #expect(all.last?.bytesSent == length)
                #expect(all.last?.bytesToSend == length)
                // Without a reader of the progress.
                let again = RequestBody.stream(Producer.of([content]))
                #expect(try await upload(body.isRepeatable ? body : again).response().data?.count == 6)
            }
        }

        @Test func aSlowReaderSeesTheEndToo() async throws {
            let (producer, total) = chunks()
            let transfer = upload(.stream(producer, length: total)).progress(every: .zero)
            let all = try await progress(of: transfer) { progress in
                // The upload does not wait for its reader.
                if progress.bytesSent == 0 { try await producer.waitUntilGiven(total) }
            }
            #expect(all.last?.bytesSent == total)
            #expect(all.count < 100)
        }

        @Test func aFormInMemoryIsSentAtThePaceOfItsReader() async throws {
            // More than the system takes for a server that reads nothing.
            let size = 64 << 20
            server.route("/slow", .ignoreBody, .hold("here"), .drainBody, .response(body: "answer"))
            var form = MultipartFormData()
            form.append("Ada", name: "author")
            form.append(Data(count: size), name: "file", fileName: "file")
            let transfer = upload(.multipart(form), to: "/slow").progress(every: .zero)
            let all = try await progress(of: transfer) { progress in
                if progress.bytesSent > 0 { server.release("here") }
            }
            #expect(all.count { $0.bytesSent > 0 && $0.bytesSent < size } > 0)
            #expect(all.last?.bytesSent == (try form.contentLength()))
        }

        @Test func aPaceLeavesOutWhatIsInBetween() async throws {
            let (producer, total) = chunks()
            let all = try await progress(of: upload(.stream(producer, length: total)).progress(every: .seconds(60)))
            #expect(all.map(\.bytesSent) == [0, total])
        }

        @Test(arguments: [false, true])
        func aRedirectedUploadNeverGoesBackwards(_ isEarly: Bool) async throws {
            if isEarly { server.route("/old", .drainBody, .redirect(to: "/new", status: 307)) }
            let folder = try FormFolder()
            let file = try folder.file("file", pattern(5_000_000))
            let all = try await progress(of: upload(.file(file), to: "/old").progress(every: .zero)) { progress in
                #expect(progress.bytesToSend == 5_000_000)
            }
            #expect(all.last?.bytesSent == 5_000_000)
        }

        @Test func aFailedUploadGivesNoLastProgressOfOne() async throws {
            let (producer, total) = chunks()
            server.route("/lost", .ignoreBody, .hold("here"), .reset)
            var fractions: [Double?] = []
            let error = try await failure {
                for try await event in upload(.stream(producer, length: total), to: "/lost").progress(every: .zero) {
                    guard case .progress(let progress) = event else { continue }
                    fractions.append(progress.fractionCompleted)
                    if progress.bytesSent > 0 { server.release("here") }
                }
            }
            #expect((error as? TransportError)?.code == .connectionLost, "\(error)")
            #expect(fractions.allSatisfy { $0 ?? 1 < 1 })
        }
    }
}
