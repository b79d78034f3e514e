import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    /// Tests where downloads are saved, and which files are there before, meanwhile and afterwards.
    struct DownloadTests {
        private let server: LoopbackServer
        private let folder: DownloadFolder
        private let dispatcher = URLRequestDispatcher.forTests()

        init() throws {
            server = try LoopbackServer()
            folder = try DownloadFolder()
        }

        @Test func anExistingFileStaysUntilTheNewOneIsComplete() async throws {
            server.route("/file", .head(6), .send("new"), .hold("middle"), .send("est"))
            let file = try folder.write("file", Data("old".utf8))
            let reader = try FileHandle(forReadingFrom: file)
            let transfer = dispatcher.download(for: URLRequest(url: server.url("/file")), to: file)
            for try await event in transfer.progress(every: .zero) {
                switch event {
                case .progress(let progress) where progress.bytesReceived == 3:
                    #expect(folder.data("file") == Data("old".utf8))
                    #expect(folder.listing.count == 2)
                    #expect(folder.listing.allSatisfy { $0 == "file" || $0.hasPrefix(".file.") })
                    server.release("middle")
                case .progress: break
                case .finished(let response): #expect(response.data == file)
                }
            }
            #expect(folder.data("file") == Data("newest".utf8))
            #expect(folder.listing == ["file"])
            // A reader that had opened the old file keeps it.
            #expect(try reader.readToEnd() == Data("old".utf8))
        }

        @Test("A part, and \"not modified\", that nobody asked for are failures", arguments: [206, 304])
        func unasked(_ status: Int) async throws {
            let body = status == 206 ? "56789" : ""
            server.route("/file", .response(status: status, headers: ["Content-Range": "bytes 5-9/10"], body: body))
            try folder.write("file", Data("old".utf8))
            for mayResume in [false, true] {
                let error = try await failure {
                    try await dispatcher.save(server.url("/file"), to: folder["file"]) {
                        if mayResume { $0.resume = .ifPossible }
                    }
                }
                #expect(TransferError.Code.unacceptableStatus ~= error, "\(error)")
                #expect(folder.data("file") == Data("old".utf8))
                #expect(folder.listing == ["file"])
            }
        }

        @Test("A caller who asks for a part, or only for what is new, gets it")
        func asked() async throws {
            server.route("/part", .response(status: 206, headers: ["Content-Range": "bytes 5-9/10"], body: "56789"))
            server.route("/old", .response(status: 304))
            var request = URLRequest(url: server.url("/part"))
            request.setValue("bytes=5-9", forHTTPHeaderField: "Range")
            _ = try await dispatcher.download(for: request, to: folder["part"]).response()
            #expect(folder.data("part") == Data("56789".utf8))
            request = URLRequest(url: server.url("/old"))
            request.setValue("\"1\"", forHTTPHeaderField: "If-None-Match")
            let response = try await dispatcher.download(for: request, to: folder["old"]).response()
            #expect(response.statusCode == .notModified)
            #expect(folder.listing == ["part"])
        }

        @Test func foldersAreCreatedAndTakenBackWithAFailure() async throws {
            server.route("/good", .response(body: "good"))
            try folder.write("old/file", Data())
            let before = folder.listing
            for path in ["a/b/c/file", "old/new/file", "old/other"] {
                await #expect(throws: TransferError.self) {
                    try await dispatcher.save(server.url("/bad"), to: folder[path])
                }
                #expect(folder.listing == before)
            }
            try await dispatcher.save(server.url("/good"), to: folder["a/b/file"])
            #expect(folder.listing == ["a", "a/b", "a/b/file", "old", "old/file"])
        }

        @Test func aFolderInWhichSomebodyElseWroteIsNotTakenBack() async throws {
            server.route("/file", .hold("here"), .response(status: 500))
            let saving = Task { try await dispatcher.save(server.url("/file"), to: folder["a/b/file"]) }
            await server.waitUntilHeld("here")
            try folder.write("a/other", Data())
            server.release("here")
            await #expect(throws: TransferError.self) { try await saving.value }
            #expect(folder.listing == ["a", "a/other"])
        }

        @Test(arguments: ["/closed", "/reset", "/chunk", "/idle", "/404", "/nothing", "/head", "/loop"])
        func aFailureLeavesEverythingAsItWas(_ path: String) async throws {
            server.route("/closed", .head(6), .send("abc"), .close)
            server.route("/reset", .head(6), .send("abc"), .reset)
            server.route("/chunk", .chunkedHead(), .chunk(Data("abc".utf8)), .send("zz\r\n"))
            server.route("/idle", .head(6), .send("abc"), .stall)
            server.route("/nothing", .close)
            server.route("/head", .send("rubbish\r\n\r\n"))
            server.route("/loop", .redirect(to: "/loop"))
            let dispatcher = URLRequestDispatcher.forTests {
                if path == "/idle" { $0.timeouts.idle = .milliseconds(300) }
            }
            try folder.write("file", Data("old".utf8))
            for name in ["file", "new", "a/new"] {
                let error = try await failure { try await dispatcher.save(server.url(path), to: folder[name]) }
                #expect(error is TransportError || TransferError.Code.unacceptableStatus ~= error, "\(error)")
                #expect(folder.listing == ["file"])
                #expect(folder.data("file") == Data("old".utf8))
                #expect(folder.openDescriptors == 0)
            }
            #expect(try await dispatcher.exchangeCount() == 0)
        }

        // MARK: Status codes

        @Test(arguments: [400, 404, 416, 500, 503, 599])
        func aFailureStatusIsThrownWithTheBeginningOfItsBody(_ status: Int) async throws {
            let body = String(repeating: "sorry", count: 30_000)
            server.route("/large", .response(status: status, headers: ["X-Why": "because"], body: body))
            server.route("/small", .response(status: status, body: "no"))
            server.route("/empty", .response(status: status))
            server.route("/cut", .send("HTTP/1.1 \(status) No\r\nContent-Length: 10\r\n\r\nno"), .close)
            server.route("/endless", .send("HTTP/1.1 \(status) No\r\n\r\n"), .repeat("sorry"))
            try folder.write("file", Data("old".utf8))
            let expectations = [
                "/large": String(body.prefix(65_536)), "/small": "no", "/empty": "", "/cut": "no",
                "/endless": String(body.prefix(65_536)),
            ]
            for (path, expected) in expectations {
                let thrown = try await failure { try await dispatcher.save(server.url(path), to: folder["file"]) }
                let error = try #require(thrown as? TransferError)
                #expect(error.code == .unacceptableStatus)
                #expect(error.response?.statusCode.rawValue == status)
                #expect(error.response?.firstValue(of: "X-Why") == (path == "/large" ? "because" : nil))
                #expect(error.body == Data(expected.utf8), "\(path)")
                #expect(folder.listing == ["file"])
                #expect(folder.data("file") == Data("old".utf8))
            }
            await dispatcher.shutdown()
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func whatCountsAsAFailureCanBeChanged() async throws {
            server.route("/404", .response(status: 404, body: "a page for that"))
            server.route("/201", .response(status: 201, body: "created"))
            try await dispatcher.save(server.url("/404"), to: folder["file"]) { $0.failureStatusCodes = 500..<600 }
            #expect(folder.data("file") == Data("a page for that".utf8))
            try await dispatcher.save(server.url("/201"), to: folder["file"])
            #expect(folder.data("file") == Data("created".utf8))
            let error = try await failure {
                try await dispatcher.save(server.url("/201"), to: folder["file"]) { $0.failureStatusCodes = 201..<202 }
            }
            #expect(TransferError.Code.unacceptableStatus ~= error)
            #expect(folder.data("file") == Data("created".utf8))
        }

        @Test func notModifiedLeavesTheDestination() async throws {
            server.route("/file", .response(status: 304, headers: ["ETag": "\"1\""]))
            try folder.write("file", Data("old".utf8))
            var request = URLRequest(url: server.url("/file"))
            request.setValue("\"1\"", forHTTPHeaderField: "If-None-Match")
            for resume in [DownloadOptions.Resumption.never, .ifPossible] {
                let options = DownloadOptions(resume: resume, expectedSize: 3)
                for name in ["file", "a/b/missing"] {
                    let transfer = dispatcher.download(for: request, to: folder[name], options: options)
                    let response = try await transfer.response()
                    #expect(response.statusCode == .notModified)
                    #expect(response.data == folder[name])
                    #expect(folder.listing == ["file"])
                    #expect(folder.data("file") == Data("old".utf8))
                }
            }
            #expect(server.requests.allSatisfy { $0.header("If-None-Match") == "\"1\"" })
        }

        @Test func redirectsAreFollowed() async throws {
            server.route(
                "/first",
                .response(status: 302, headers: ["Location": "/second"], body: String(repeating: "x", count: 1 << 20))
            )
            server.route("/second", .redirect(to: "/file", status: 307))
            server.route("/file", .response(body: "contents"))
            let response = try await dispatcher.save(server.url("/first"), to: folder["file"])
            #expect(folder.data("file") == Data("contents".utf8))
            #expect(response.history.map(\.statusCode.rawValue) == [302, 307])
        }

        @Test func aRedirectWithABodyWithoutEndLetsItsConnectionGo() async throws {
            server.route("/first", .send("HTTP/1.1 302 Found\r\nLocation: /file\r\n\r\n"), .repeat("x"))
            server.route("/file", .response(body: "contents"))
            let dispatcher = URLRequestDispatcher.forTests { $0.connections.perHost = 1 }
            try await dispatcher.save(server.url("/first"), to: folder["file"])
            #expect(folder.data("file") == Data("contents".utf8))
        }

        // MARK: Refused before anything is sent

        @Test func aFolderIsNoDestination() async throws {
            try folder.write("a/file", Data("old".utf8))
            try FileManager.default.createSymbolicLink(at: folder["link"], withDestinationURL: folder["a"])
            let before = folder.listing
            for resume in [DownloadOptions.Resumption.never, .ifPossible] {
                for url in [folder.url, folder["a"], folder["link"], URL(filePath: "/")] {
                    let error = try await failure {
                        try await dispatcher.save(server.url("/file"), to: url) { $0.resume = resume }
                    }
                    #expect(TransferError.Code.notARegularFile ~= error, "\(url) \(error)")
                }
            }
            #expect(folder.listing == before)
            #expect(server.requests.isEmpty)
        }

        @Test(arguments: [DownloadOptions.Resumption.never, .ifPossible])
        func aPlaceWhereNoFileCanBeIsRefused(_ resume: DownloadOptions.Resumption) async throws {
            try folder.write("file", Data("old".utf8))
            let long = String(repeating: "n", count: 300)
            let web = try #require(URL(string: "https://example.test/file"))
            let places = [folder["file/below"], folder["file/a/b"], folder["\(long)/file"], web]
            let system = FileManager.default.fileExists(atPath: "/proc/self") ? [URL(filePath: "/proc/a/b")] : []
            for place in places + system {
                let error = try await failure {
                    try await dispatcher.save(server.url("/file"), to: place) { $0.resume = resume }
                }
                #expect(error is TransferError, "\(place) \(error)")
                #expect(folder.listing == ["file"])
            }
            #expect(server.requests.isEmpty)
            #expect(folder.openDescriptors == 0)
        }

        @Test(.enabled(if: SmallDisk.isAvailable, "mounting needs root and CAP_SYS_ADMIN"))
        func aDiskThatCannotBeWrittenIsRefused() async throws {
            let disk = try SmallDisk(size: 1 << 20, isReadOnly: true)
            for name in ["file", "a/b/file"] {
                let error = try await failure {
                    try await dispatcher.save(server.url("/file"), to: disk.folder.appending(path: name))
                }
                #expect(TransferError.Code.permissionDenied ~= error, "\(error)")
            }
            #expect(server.requests.isEmpty)
        }

        @Test func aLongNameStillHasAPart() async throws {
            server.route("/file", .response(headers: ["ETag": "\"1\""], body: "contents"))
            for name in [String(repeating: "n", count: 255), String(repeating: "é", count: 127), "né e%20x?#.txt"] {
                for resume in [DownloadOptions.Resumption.never, .ifPossible] {
                    try await dispatcher.save(server.url("/file"), to: folder[name]) { $0.resume = resume }
                    #expect(folder.data(name) == Data("contents".utf8))
                }
            }
            #expect(folder.listing.count == 3)
        }

        // MARK: The end of the dispatcher

        @Test func shuttingDownWaitsForTheFileAndNotOnlyForItsBytes() async throws {
            server.route("/file", .response(body: "contents"))
            let (verifying, events) = (Gate(), Locked<[String]>([]))
            let saving = Task {
                try await dispatcher.save(server.url("/file"), to: folder["file"]) {
                    $0.verify = { _ in
                        try await verifying.wait()
                        events.withLock { $0.append("verified") }
                    }
                }
            }
            await verifying.arrival()
            let shutdown = Task {
                // The default of 30 seconds could pass meanwhile.
                await dispatcher.shutdown(gracePeriod: .seconds(3600))
                events.withLock { $0.append("down") }
            }
            await dispatcher.waitUntilRefusing(server.url("/file"))
            // If it didn't wait, it would be done by now, as the dispatchers of a hundred other downloads are.
            for index in 0..<100 {
                let other = URLRequestDispatcher.forTests()
                try await other.save(server.url("/file"), to: folder["other"])
                await other.shutdown()
                #expect(events.withLock { $0 }.isEmpty, "\(index)")
            }
            try FileManager.default.removeItem(at: folder["other"])
            verifying.open()
            _ = try await saving.value
            await shutdown.value
            #expect(events.withLock { $0 } == ["verified", "down"])
            #expect(folder.data("file") == Data("contents".utf8))
            let late = try await failure { try await dispatcher.save(server.url("/file"), to: folder["a/late"]) }
            #expect(TransportError.Code.shutDown ~= late, "\(late)")
            #expect(folder.listing == ["file"])
        }

        @Test func aFailureWhoseBodyStopsIsAFailureAllTheSame() async throws {
            server.route("/slow", .send("HTTP/1.1 500 No\r\nContent-Length: 10\r\n\r\nno"), .hold("here"), .stall)
            try await atSomeScale { scale in
                let hasty = URLRequestDispatcher.forTests { $0.timeouts.idle = .milliseconds(300 * scale) }
                let thrown = try await failure { try await hasty.save(server.url("/slow"), to: folder["file"]) }
                // If the machine is slower than the limit, there may be no head yet.
                if (thrown as? TransportError)?.code.timeoutPhase != nil { throw thrown }
                #expect((thrown as? TransferError)?.body == Data("no".utf8), "\(thrown)")
            }
            let earlier = server.requests.count
            let saving = Task { try await dispatcher.save(server.url("/slow"), to: folder["file"]) }
            await server.waitForRequests(earlier + 1)
            saving.cancel()
            let error = try await failure { try await saving.value }
            #expect(error is CancellationError, "\(error)")
        }

        // MARK: Many

        @Test func manyDownloadsKeepToTheLimitOfConnections() async throws {
            server.route("/file") { request in [.response(body: String(repeating: request.target, count: 5000))] }
            let dispatcher = URLRequestDispatcher.forTests { $0.connections.streamsPerHost = 4 }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<64 {
                    group.addTask {
                        try await dispatcher.save(server.url("/file?\(index)"), to: folder["\(index / 8)/\(index)"])
                    }
                }
                try await group.waitForAll()
            }
            for index in 0..<64 {
                let expected = String(repeating: "/file?\(index)", count: 5000)
                #expect(folder.data("\(index / 8)/\(index)") == Data(expected.utf8))
            }
            // Connections are used again, so that there were never more than were ever accepted.
            #expect(server.acceptedConnections <= 4)
            #expect(folder.listing.count == 64 + 8)
            #expect(folder.openDescriptors == 0)
        }

        @Test func twoDownloadsToOneFileLeaveOneOfThem() async throws {
            server.route("/file") { request in [.response(body: String(repeating: request.target, count: 50_000))] }
            let dispatcher = dispatcher
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<8 {
                    group.addTask { try await dispatcher.save(server.url("/file?\(index)"), to: folder["file"]) }
                }
                try await group.waitForAll()
            }
            #expect(folder.listing == ["file"])
            let contents = (0..<8).map { Data(String(repeating: "/file?\($0)", count: 50_000).utf8) }
            #expect(contents.contains(try #require(folder.data("file"))))
        }
    }
}
