import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    /// Forms from end to end: sent by us, saved by nginx, read by Python.
    @Suite(
        .enabled(if: NginxServer.shared?.uploads != nil, "nginx with its dav module and openssl are needed"),
        .enabled(if: MultipartParser.shared != nil, "python3 is needed")
    )
    struct UploadFormTests {
        private let nginx: NginxServer
        private let uploads: URL
        private let parser: MultipartParser
        private let folder: FormFolder
        private let dispatcher: URLRequestDispatcher

        init() throws {
            let nginx = try #require(NginxServer.shared)
            self.nginx = nginx
            uploads = try #require(nginx.uploads)
            parser = try #require(MultipartParser.shared)
            folder = try FormFolder()
            dispatcher = .forTests {
                $0.transport.certificateAuthorityFile = nginx.authority
            }
        }

        /// Uploads a form and returns where it was saved.
        private func save(_ form: MultipartFormData, _ port: Int) async throws -> URL {
            let name = UUID().uuidString
            let request = URLRequest("PUT", nginx.url(port, "/uploads/\(name)"))
            let response = try await dispatcher.upload(for: request, from: .multipart(form)).response()
            #expect(response.statusCode == .created)
            return uploads.appending(path: name)
        }

        /// Uploads a form, and returns how much memory that took beside where it was saved.
        private func saveAndMeasure(_ form: MultipartFormData, _ port: Int) async throws -> (URL, growth: Int) {
            let before = try ResidentMemory()
            let saved = try await save(form, port)
            return (saved, try before.growth())
        }

        @Test func oddFormsArriveAsTheyWereMade() async throws {
            var random = SeededRandom(seed: 77)
            for port in [nginx.plain, nginx.http1, nginx.http2] {
                let sent = try RandomForm(folder: folder, using: &random)
                let saved = try await save(sent.form, port)
                defer { try? FileManager.default.removeItem(at: saved) }
                #expect(try Data(contentsOf: saved) == sent.form.encoded())
                let parts = try await parser.parts(of: saved, contentType: sent.form.contentType)
                #expect(parts.map(\.payload) == sent.parts.map(\.payload))
                #expect(parts.map(\.contentType) == sent.parts.map(\.contentType))
            }
        }

        @Test func aFormOf100MebibytesIsSentInLittleMemory() async throws {
            let names = ["a\"b", "ü 🎈", "a\r\nb", "..\\x; filename=\"y\""]
            var form = MultipartFormData()
            for name in names { form.append(Data(name.utf8), name: name, fileName: name) }
            let length: Int64 = 100 << 20
            let file = try folder.sparseFile("large", length: length)
            let markers: [(Int64, Data)] = [(0, Data("first".utf8)), (length / 2 - 3, Data("middle".utf8))]
            let handle = try FileHandle(forWritingTo: file)
            for (offset, marker) in markers + [(length - 4, Data("last".utf8))] {
                try handle.seek(toOffset: UInt64(offset))
                try handle.write(contentsOf: marker)
            }
            try handle.close()
            form.append(file: file, name: "large", contentType: "application/x-large")
            // Connections, and what else is made once, are not the body's.
            try FileManager.default.removeItem(at: await save(MultipartFormData(), nginx.plain))

            var (saved, growth) = try await saveAndMeasure(form, nginx.plain)
            defer { try? FileManager.default.removeItem(at: saved) }
            // Tests beside this one take memory too, but not in each of several attempts. A sanitizer keeps memory of its own.
            for _ in 0..<9 where growth > 8 << 20 && !isSanitized {
                try FileManager.default.removeItem(at: saved)
                (saved, growth) = try await saveAndMeasure(form, nginx.plain)
            }
            if !isSanitized { #expect(growth <= 8 << 20, "\(growth) bytes") }

            let parts = try await parser.parts(of: saved, contentType: form.contentType)
            try #require(parts.count == names.count + 1)
            let escaped = ["a%22b", "ü 🎈", "a%0D%0Ab", "..\\x; filename=%22y%22"]
            #expect(parts.dropLast().map(\.name) == escaped)
            #expect(parts.dropLast().map(\.fileName) == escaped)
            #expect(parts.dropLast().map(\.payload) == names.map { Data($0.utf8) })
            let large = try #require(parts.last)
            #expect(large.name == "large" && large.fileName == "large" && large.contentType == "application/x-large")
            #expect(large.length == Int(length))
            // The file as Python reads it by itself, in a form that was written otherwise.
            let witness = try folder.file("witness", Data("--b\r\n".utf8))
            let output = try FileHandle(forWritingTo: witness)
            let input = try FileHandle(forReadingFrom: file)
            try output.seekToEnd()
            try output.write(contentsOf: Data("Content-Disposition: form-data; name=\"a\"\r\n\r\n".utf8))
            while let piece = try input.read(upToCount: 1 << 20), !piece.isEmpty { try output.write(contentsOf: piece) }
            try output.write(contentsOf: Data("\r\n--b--\r\n".utf8))
            let expected = try await parser.parts(of: witness, contentType: "multipart/form-data; boundary=b")
            #expect(expected.map(\.sha256) == [large.sha256])
        }
    }
}
