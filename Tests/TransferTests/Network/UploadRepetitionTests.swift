import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    /// Bodies that have to be sent again: by a redirect, on another connection, by an interceptor.
    struct UploadRepetitionTests {
        /// What can be sent more than once.
        enum Repeatable: String, CaseIterable, Sendable {
            case data, file, form

            func body(_ content: Data, _ folder: FormFolder) throws -> (body: RequestBody, bytes: Data) {
                switch self {
                case .data: return (.data(content), content)
                case .file: return (.file(try folder.file("file", content)), content)
                case .form:
                    var form = MultipartFormData()
                    form.append("Ada", name: "author")
                    form.append(file: try folder.file("file", content), name: "file")
                    return (.multipart(form), try form.encoded())
                }
            }
        }

        /// Sends everything twice, and gives the second answer.
        private struct SendTwice: Interceptor {
            func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
                _ = try await next(request)
                return try await next(request)
            }
        }

        /// Tries once more after any failure.
        private struct RetryOnce: Interceptor {
            let failures = Locked<[any Error]>([])

            func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
                do {
                    return try await next(request)
                } catch {
                    failures.withLock { $0.append(error) }
                    return try await next(request)
                }
            }
        }

        private let server: LoopbackServer
        private let other: LoopbackServer
        private let folder: FormFolder
        private let dispatcher = URLRequestDispatcher.forTests()

        init() throws {
            server = try LoopbackServer()
            other = try LoopbackServer()
            for server in [server, other] { server.route("/new", .response(body: "ok")) }
            server.route("/first", .response(body: "first"))
            folder = try FormFolder()
        }

        // MARK: Redirects

        @Test(arguments: [307, 308], Repeatable.allCases)
        func aRedirectThatKeepsTheMethodSendsTheWholeBodyAgain(_ status: Int, _ kind: Repeatable) async throws {
            server.route("/old", .redirect(to: "/new", status: status))
            let (body, bytes) = try kind.body(pattern(700_000), folder)
            let response = try await dispatcher.upload(for: URLRequest("POST", server.url("/old")), from: body)
                .response()
            #expect(response.data == Data("ok".utf8))
            #expect(response.history.count == 1)
            #expect(server.requests.map(\.method) == ["POST", "POST"])
            #expect(server.requests.map(\.body) == [bytes, bytes])
            let types = Set(server.requests.map { $0.header("Content-Type") })
            #expect(types.count == 1)
        }

        @Test(arguments: [307, 308])
        func anEarlyRedirectSendsTheWholeBodyToTheNewPlace(_ status: Int) async throws {
            server.route("/old", .ignoreBody, .redirect(to: "\(other.baseURL)/new", status: status), .hold("never"))
            let content = pattern(24 << 20)
            let file = try folder.file("file", content)
            let request = URLRequest("PUT", server.url("/old"))
            let response = try await dispatcher.upload(for: request, from: .file(file)).response()
            #expect(response.data == Data("ok".utf8))
            #expect(other.requests.map(\.body) == [content])
            server.release("never")
        }

        @Test(arguments: [nil, 3] as [Int64?], [307, 308])
        func aStreamIsNotSentAgainAndTheNewPlaceSeesNothing(_ length: Int64?, _ status: Int) async throws {
            server.route("/old", .redirect(to: "\(other.baseURL)/new", status: status))
            let producer = Producer.of([Data("abc".utf8)])
            let body = RequestBody.stream(producer, length: length)
            let error = try await failure {
                try await dispatcher.upload(for: URLRequest("POST", server.url("/old")), from: body).response()
            }
            #expect(TransferError.Code.of(error) == .bodyNotRepeatable, "\(error)")
            #expect(other.acceptedConnections == 0)
            #expect(producer.record.iterations == 1)
        }

        @Test func aSeeOtherDropsTheBody() async throws {
            server.route("/old", .redirect(to: "/new", status: 303))
            var bodies = try Repeatable.allCases.map { try $0.body(Data("abc".utf8), folder).body }
            bodies += [.stream(Producer.of([Data("abc".utf8)])), .stream(Producer.of([Data("abc".utf8)]), length: 3)]
            for body in bodies {
                let request = URLRequest("POST", server.url("/old"), headers: ["Content-Language": "en"])
                let response = try await dispatcher.upload(for: request, from: body).response()
                #expect(response.data == Data("ok".utf8))
                let last = try #require(server.requests.last)
                #expect(last.method == "GET" && last.path == "/new" && last.body.isEmpty)
                for name in ["Content-Type", "Content-Length", "Content-Language", "Transfer-Encoding"] {
                    #expect(last.header(name) == nil)
                }
            }
        }

        @Test func secretsDoNotCrossOriginsWithABody() async throws {
            server.route("/old", .redirect(to: "\(other.baseURL)/new", status: 307))
            let headers = ["Authorization": "Bearer secret", "Cookie": "a=secret", "X-Trace": "1"]
            let (body, bytes) = try Repeatable.form.body(pattern(200_000), folder)
            let request = URLRequest("POST", server.url("/old"), headers: headers)
            _ = try await dispatcher.upload(for: request, from: body).response()
            let arrived = try #require(other.requests.first)
            #expect(server.requests.first?.header("Authorization") == "Bearer secret")
            #expect(arrived.head.range(of: Data("secret".utf8)) == nil)
            #expect(arrived.header("X-Trace") == "1")
            #expect(arrived.body == bytes)
        }

        @Test func aFileThatIsGoneAtTheSecondPlaceEndsTheUpload() async throws {
            server.route("/old", .hold("here"), .redirect(to: "/new", status: 307))
            let file = try folder.file("file", pattern(100_000))
            let request = URLRequest("PUT", server.url("/old"))
            let upload = Task { try await dispatcher.upload(for: request, from: .file(file)).response() }
            await server.waitUntilHeld("here")
            try FileManager.default.removeItem(at: file)
            server.release("here")
            let error = try await failure { try await upload.value }
            #expect(TransferError.Code.of(error) == .fileNotFound, "\(error)")
            #expect(server.requests(for: "/new").isEmpty)
        }

        // MARK: Dead connections

        /// Opens a connection that dies when a second request comes.
        private func openConnection(_ method: String, _ end: [Step]) async throws {
            server.sequence(method, "/second", [end, [.response(body: "second")]])
            _ = try await dispatcher.data(from: server.url("/first"))
        }

        @Test(arguments: Repeatable.allCases, [10, 700_000])
        func aPutOnADeadConnectionIsSentWholeAgain(_ kind: Repeatable, _ count: Int) async throws {
            try await openConnection("PUT", [.close])
            let (body, bytes) = try kind.body(pattern(count), folder)
            let request = URLRequest("PUT", server.url("/second"))
            let response = try await dispatcher.upload(for: request, from: body).response()
            #expect(response.data == Data("second".utf8))
            #expect(server.requests(for: "/second").map(\.body) == [bytes, bytes])
            #expect(server.acceptedConnections == 2)
        }

        @Test(arguments: Repeatable.allCases, [10, 700_000])
        func aPostOnADeadConnectionIsNotSentAgain(_ kind: Repeatable, _ count: Int) async throws {
            try await openConnection("POST", [.close])
            let body = try kind.body(pattern(count), folder).body
            let request = URLRequest("POST", server.url("/second"))
            let error = try await failure { try await dispatcher.upload(for: request, from: body).response() }
            #expect((error as? TransportError)?.code == .connectionLost, "\(error)")
            #expect((error as? TransportError)?.isSafeToRetry == false)
            #expect(server.requests(for: "/second").count == 1)
        }

        @Test(arguments: ["PUT", "POST"])
        func aFileOnAConnectionThatIsResetUnderwayArrivesWholeOrNotAtAll(_ method: String) async throws {
            try await openConnection(method, [.ignoreBody, .reset])
            let content = pattern(24 << 20)
            let file = try folder.file("file", content)
            let request = URLRequest(method, server.url("/second"))
            do {
                let response = try await dispatcher.upload(for: request, from: .file(file)).response()
                #expect(method == "PUT")
                #expect(response.data == Data("second".utf8))
                #expect(server.requests(for: "/second").last?.body == content)
            } catch {
                #expect((error as? TransportError)?.code == .connectionLost, "\(error)")
                #expect(server.requests(for: "/second").count == 1)
            }
            #expect(await eventually { openDescriptors(of: file) == 0 })
        }

        @Test(arguments: ["PUT", "POST"], [nil, 3] as [Int64?])
        func aStreamOnADeadConnectionIsNotSentAgain(_ method: String, _ length: Int64?) async throws {
            try await openConnection(method, [.close])
            let producer = Producer.of([Data("abc".utf8)])
            let body = RequestBody.stream(producer, length: length)
            let request = URLRequest(method, server.url("/second"))
            let error = try await failure { try await dispatcher.upload(for: request, from: body).response() }
            let isClear =
                TransferError.Code.bodyNotRepeatable ~= error
                || method == "POST" && (error as? TransportError)?.code == .connectionLost
            #expect(isClear, "\(error)")
            #expect(server.requests(for: "/second").count == 1)
            #expect(producer.record.iterations == 1)
            #expect(try await dispatcher.exchangeCount() == 0)
        }

        @Test func aStreamThatWaitsOnAConnectionThatDiesIsNotSentAgain() async throws {
            try await openConnection("PUT", [.ignoreBody, .hold("die"), .reset])
            let producer = Producer.of([], then: Gate())
            let request = URLRequest("PUT", server.url("/second"))
            let upload = Task { try await dispatcher.upload(for: request, from: .stream(producer)).response() }
            await server.waitUntilHeld("die")
            #expect(await eventually { producer.record.asked == 1 })
            server.release("die")
            let error = try await failure { try await upload.value }
            // Whichever is noticed first.
            let isClear = TransferError.Code.bodyNotRepeatable ~= error || TransportError.Code.connectionLost ~= error
            #expect(isClear, "\(error)")
            try await producer.waitUntilEnded()
        }

        @Test(arguments: ["PUT", "POST"])
        func aStreamIsUntouchedWhereTheDeadConnectionIsNoticedBefore(_ method: String) async throws {
            server.route("/closing", .response(body: "ok"), .hold("close"), .close)
            _ = try await dispatcher.data(from: server.url("/closing"))
            server.release("close")
            #expect(await server.waitForOpenConnections(atMost: 0))
            let producer = Producer.of([Data("abc".utf8)])
            let request = URLRequest(method, server.url("/new"))
            let response = try await dispatcher.upload(for: request, from: .stream(producer)).response()
            #expect(response.data == Data("ok".utf8))
            #expect(server.requests.last?.body == Data("abc".utf8))
        }

        // MARK: Interceptors

        @Test(arguments: Repeatable.allCases)
        func anInterceptorMaySendAnythingButAStreamTwice(_ kind: Repeatable) async throws {
            let dispatcher = URLRequestDispatcher.forTests(interceptors: [SendTwice()])
            let (body, bytes) = try kind.body(pattern(300_000), folder)
            let request = URLRequest("POST", server.url("/new"))
            let response = try await dispatcher.upload(for: request, from: body).response()
            #expect(response.data == Data("ok".utf8))
            #expect(server.requests.map(\.body) == [bytes, bytes])
        }

        @Test func anInterceptorThatSendsAStreamTwiceIsToldSo() async throws {
            let dispatcher = URLRequestDispatcher.forTests(interceptors: [SendTwice()])
            let producer = Producer.of([Data("abc".utf8)])
            let request = URLRequest("POST", server.url("/new"))
            let error = try await failure {
                try await dispatcher.upload(for: request, from: .stream(producer)).response()
            }
            #expect(TransferError.Code.of(error) == .bodyNotRepeatable)
            #expect(server.requests.count == 1)
        }

        @Test func aRetrySendsAFileWholeAndAStreamNot() async throws {
            server.sequence("/lost", [[.reset], [.response(body: "ok")]])
            let retry = RetryOnce()
            let dispatcher = URLRequestDispatcher.forTests(interceptors: [retry])
            let content = pattern(300_000)
            let file = try folder.file("file", content)
            let request = URLRequest("POST", server.url("/lost"))
            let response = try await dispatcher.upload(for: request, from: .file(file)).response()
            #expect(response.data == Data("ok".utf8))
            #expect(server.requests.map(\.body) == [content, content])

            server.sequence("/lost", [[.reset], [.response(body: "ok")]])
            let producer = Producer.of([content])
            let error = try await failure {
                try await dispatcher.upload(for: request, from: .stream(producer)).response()
            }
            #expect(TransferError.Code.of(error) == .bodyNotRepeatable)
            #expect(server.requests.count == 3)
            #expect(retry.failures.withLock { $0.count } == 2)
        }
    }
}
