import Foundation
import PiuPiuAsync

/// An authority and certificates for `localhost`, made with openssl when they are first needed.
///
/// There are `good`, `expired`, `wronghost` and `selfsigned`.
public final class Certificates: Sendable {
    /// The certificates, or why there are none.
    public static let shared = Result { try Certificates() }

    private let folder: URL
    private let openssl: Command
    private let removal: Companion

    private init() throws {
        openssl = try Command("openssl")
        folder = FileManager.default.temporaryDirectory.appending(path: "piupiu-certificates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        removal = try Companion(atExit: Command("rm"), ["-rf", folder.path])
        try selfSigned("ca", "/CN=PiuPiu test authority")
        try selfSigned("selfsigned", "/CN=localhost")
        try signed("good", names: "DNS:localhost,IP:127.0.0.1", days: 2)
        try signed("expired", names: "DNS:localhost,IP:127.0.0.1", days: -1)
        try signed("wronghost", names: "DNS:elsewhere.test", days: 2)
    }

    /// The certificate of the authority that signed the good certificate.
    public var authority: URL { certificate("ca") }

    /// The file of a certificate.
    ///
    /// - Parameter name: Its name.
    /// - Returns: The file.
    public func certificate(_ name: String) -> URL { folder.appending(path: "\(name).pem") }

    /// The file of a certificate's key.
    ///
    /// - Parameter name: The certificate's name.
    /// - Returns: The file.
    public func key(_ name: String) -> URL { folder.appending(path: "\(name).key") }

    /// The pin of a certificate's key, made as the comment of `SPKIPin` has it.
    ///
    /// - Parameter name: The certificate's name.
    /// - Returns: The pin.
    /// - Throws: An error if it cannot be made.
    public func pin(of name: String) throws -> SPKIPin {
        let digest = folder.appending(path: "\(UUID().uuidString).digest")
        defer { try? FileManager.default.removeItem(at: digest) }
        let script = """
            openssl x509 -in "$1" -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary >"$2"
            """
        try Command("sh").run("-c", script, "sh", certificate(name).path, digest.path)
        return try SPKIPin(digest: Data(contentsOf: digest))
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

    private func selfSigned(_ name: String, _ subject: String) throws {
        let files = ["-keyout", path("\(name).key"), "-out", path("\(name).pem")]
        try openssl.run(["req", "-x509", "-days", "2", "-subj", subject] + Self.newKey + files)
    }

    private func signed(_ name: String, names: String, days: Int) throws {
        let request = ["-keyout", path("\(name).key"), "-out", path("\(name).csr")]
        try openssl.run(["req", "-subj", "/CN=\(name)"] + Self.newKey + request)
        try Data("subjectAltName=\(names)\n".utf8).write(to: folder.appending(path: "\(name).ext"))
        let authority = ["-CA", path("ca.pem"), "-CAkey", path("ca.key"), "-CAcreateserial"]
        let files = ["-in", path("\(name).csr"), "-out", path("\(name).pem"), "-extfile", path("\(name).ext")]
        try openssl.run(["x509", "-req", "-days", "\(days)"] + authority + files)
    }
}
