import Foundation
import PiuPiuTesting

/// nghttpd, a server that speaks HTTP/2 and nothing else.
///
/// It sends files back: `/small.txt` is the word `small`, `/mega.bin` 1 MiB of `x`. What is posted is read, and answered
/// with the file. The servers with trailers end each body with the fields `X-Sum: 42` and `Set-Cookie: id=1`.
public final class NghttpdServer: Sendable {
    /// The server over TLS; `nil` if nghttpd or openssl is missing, which it reports on standard error.
    public static let shared = start(isSecure: true)
    /// The server without TLS; `nil` if nghttpd or openssl is missing, which it reports on standard error.
    public static let withoutTLS = start(isSecure: false)

    /// The server over TLS with trailers; `nil` if nghttpd or openssl is missing, which it reports on standard error.
    public static let withTrailers = start(isSecure: true, hasTrailers: true)
    /// The server without TLS with trailers; `nil` if nghttpd or openssl is missing, which it reports on standard error.
    public static let withTrailersWithoutTLS = start(isSecure: false, hasTrailers: true)

    private static func start(isSecure: Bool, hasTrailers: Bool = false) -> NghttpdServer? {
        do {
            return try NghttpdServer(isSecure: isSecure, hasTrailers: hasTrailers)
        } catch {
            FileHandle.standardError.write(Data("Tests against nghttpd are skipped: \(error)\n".utf8))
            return nil
        }
    }

    /// The port.
    public var port: Int { held.port }
    /// The certificate of the authority to trust.
    public let authority: URL
    private let held: HeldPort
    private let isSecure: Bool
    private let process: Companion
    private let removal: Companion

    private init(isSecure: Bool, hasTrailers: Bool) throws {
        self.isSecure = isSecure
        let executable = try Command("nghttpd")
        let certificates = try Certificates.shared.get()
        authority = certificates.authority
        let folder = FileManager.default.temporaryDirectory.appending(path: "piupiu-nghttpd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        removal = try Companion(atExit: Command("rm"), ["-rf", folder.path])
        try Data("small".utf8).write(to: folder.appending(path: "small.txt"))
        try Data(repeating: 0x78, count: 1 << 20).write(to: folder.appending(path: "mega.bin"))
        let files = [certificates.key("good").path, certificates.certificate("good").path]
        let held = try HeldPort()
        let trailers = hasTrailers ? ["--trailer=x-sum: 42", "--trailer=set-cookie: id=1"] : []
        let options = trailers + ["--address=127.0.0.1", "--htdocs=\(folder.path)", "\(held.port)"]
        process = try Companion(server: executable, isSecure ? options + files : ["--no-tls"] + options)
        self.held = held
        try held.waitForListener("nghttpd")
    }

    /// A URL of the server.
    ///
    /// - Parameter path: The path, beginning with a slash.
    /// - Returns: The URL, with `localhost` as its host.
    public func url(_ path: String) -> URL {
        URL(string: "\(isSecure ? "https" : "http")://localhost:\(port)\(path)") ?? URL(filePath: "/")
    }
}
