#if os(Linux)
import Foundation
import Glibc

/// `openssl s_server`: a server that is not of this process, with any OpenSSL.
final class OpenSSLServer {
    private let process: Process
    private let port: UInt16
    private let output = Pipe()
    private let input = Pipe()

    /// Starts a server, and waits until it listens.
    ///
    /// - Parameters:
    ///   - arguments: The arguments but those for the address and the certificate.
    ///   - files: The certificates; the server has `good`.
    /// - Throws: An error if the server does not start.
    init(_ arguments: [String], _ files: TestCertificates) throws {
        let certificate = ["-cert", files.path("good.pem"), "-key", files.path("good.key")]
        process = try OpenSSLProgram.process(
            ["s_server", "-accept", "127.0.0.1:0"] + certificate + arguments,
            in: FileManager.default.temporaryDirectory
        )
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = input
        try process.run()
        var text = ""
        while true {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { throw OpenSSLProgram.Failure(description: "s_server ended: \(text)") }
            text += String(decoding: part, as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            guard let line = lines.first(where: { $0.hasPrefix("ACCEPT ") }),
                let port = line.split(separator: ":").last.flatMap({ UInt16($0) })
            else { continue }
            self.port = port
            break
        }
    }

    deinit { kill() }

    /// Ends the server at once.
    func kill() {
        // It has inherited a mask that blocks every other signal.
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Connects a socket.
    ///
    /// - Returns: The socket, which is non-blocking.
    /// - Throws: An error if that fails.
    func connect() throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { buffer in
                buffer.baseAddress.map { Glibc.connect(descriptor, $0, socklen_t(bytes.count)) } ?? -1
            }
        }
        guard result == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
            close(descriptor)
            throw OpenSSLProgram.Failure(description: "s_server cannot be reached")
        }
        return descriptor
    }
}
#endif
