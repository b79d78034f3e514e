#if os(Linux)
import Foundation
import PiuPiuEngine
import Testing

extension TLSTests {
    /// What is kept, and what is loaded for each connection.
    @Suite(.enabled(if: OpenSSLProgram.path != nil, "openssl is needed"))
    struct TLSProviderTests {
        private let files: TestCertificates

        init() throws { files = try TestCertificates.shared.get() }

        @Test func authoritiesInMemoryAreReadOnce() throws {
            let provider = TLSProvider(try .trusting(files))
            #expect(provider.current(now: 0) == nil)
            let context = try provider.load(now: 0)
            #expect(provider.current(now: .max - 1) === context)
            #expect(try provider.load(now: 5) === context)
        }

        @Test func authoritiesInFilesAreReadAgain() throws {
            var settings = TLSSettings()
            settings.authorities.files = [files.path("root.pem")]
            settings.authorities.lifetime = 100
            let provider = TLSProvider(settings)
            let context = try provider.load(now: 1000)
            #expect(provider.current(now: 1099) === context)
            #expect(provider.current(now: 1100) == nil)
            #expect(try provider.load(now: 1100) !== context)
            settings.authorities.lifetime = 0
            let eager = TLSProvider(settings)
            _ = try eager.load(now: 0)
            #expect(eager.current(now: 0) == nil)
        }

        @Test func filesOfIdentitiesAndListsAreReadForEachConnection() throws {
            let identity = TLSSettings.Identity(
                .pem(key: nil),
                certificate: .file(files.path("client-both.pem")),
                passphrase: nil
            )
            for change: (inout TLSSettings) -> Void in [
                { $0.identity = identity }, { $0.revocationLists = files.path("root.crl") },
            ] {
                let provider = TLSProvider(try .trusting(files, change))
                let context = try provider.load(now: 0)
                #expect(provider.current(now: 0) == nil)
                #expect(try provider.load(now: 0) !== context)
            }
        }

        @Test func foldersAreReadAsAWhole() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "piupiu-folder-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            var settings = TLSSettings()
            settings.authorities.folders = [folder.path]
            settings.authorities.lifetime = 0
            let provider = TLSProvider(settings)
            let server = try TestServer(TestServer.Options(), files)
            #expect(try TestClient(try server.connect(), try provider.load(now: 0)).handshake() != nil)
            try Data(try files.bytes("root.pem")).write(to: folder.appending(path: "0123abcd.0"))
            try Data("broken".utf8).write(to: folder.appending(path: "0123abcd.1"))
            #expect(try TestClient(try server.connect(), try provider.load(now: 0)).handshake() == nil)
            settings.authorities.folders = [folder.path + "/none"]
            #expect(throws: TLSReport.self) { try settings.load() }
        }

        @Test func theLibraryIsKnown() throws {
            let library = try OpenSSLLibrary.shared.get()
            #expect(library.version.hasPrefix("OpenSSL "))
            #expect(library.versionNumber >= 0x1010_1000)
            #expect(library.authorityFile?.isEmpty == false && library.authorityFolder?.isEmpty == false)
        }
    }
}
#endif
