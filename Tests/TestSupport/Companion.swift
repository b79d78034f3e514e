import Foundation
import PiuPiuAsync

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A program that runs beside the tests and ends with them, however they end.
///
/// Its standard input is a pipe that the kernel closes when this process is gone, even if it crashes. A program that
/// does not read its standard input is started through ``init(server:_:)`` or ``init(atExit:_:)``, where a shell waits
/// for that in its place.
final class Companion: Sendable {
    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private let isRunning = Locked(true)

    /// Starts a program that ends when its standard input does.
    ///
    /// - Parameters:
    ///   - command: The program.
    ///   - arguments: Its arguments.
    /// - Throws: ``Command/Failure`` if it cannot be started.
    init(_ command: Command, _ arguments: [String]) throws {
        let (childInput, input) = try Self.makePipe()
        let (output, childOutput) = try Self.makePipe()
        defer {
            close(childInput)
            close(childOutput)
        }
        do {
            process = try command.start(arguments, input: childInput, output: childOutput)
        } catch {
            close(input)
            close(output)
            throw error
        }
        self.input = input
        self.output = output
    }

    /// Starts a server, which is terminated at the end.
    ///
    /// - Parameters:
    ///   - server: The program.
    ///   - arguments: Its arguments.
    /// - Throws: ``Command/Failure`` if it cannot be started.
    convenience init(server: Command, _ arguments: [String]) throws {
        let script = #""$@" </dev/null >/dev/null 2>&1 & read -r line; kill $!; wait"#
        try self.init(Command("sh"), ["-c", script, "sh", server.path] + arguments)
    }

    /// Runs a program at the end.
    ///
    /// - Parameters:
    ///   - command: The program.
    ///   - arguments: Its arguments.
    /// - Throws: ``Command/Failure`` if there is no shell.
    convenience init(atExit command: Command, _ arguments: [String]) throws {
        let script = #"read -r line; exec "$@" >/dev/null 2>&1"#
        try self.init(Command("sh"), ["-c", script, "sh", command.path] + arguments)
    }

    deinit {
        stop()
        close(output)
    }

    /// Sends a line to the program's standard input.
    ///
    /// - Parameter line: The line, without its end.
    func send(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        isRunning.withLock { isRunning in
            guard isRunning else { return }
            _ = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
        }
    }

    /// Calls a closure with each line of the program's standard output, and returns when it ends.
    ///
    /// - Parameter body: What to do with a line.
    func readLines(_ body: (Substring) -> Void) {
        var unread: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            unread += buffer.prefix(count)
            while let end = unread.firstIndex(of: 10) {
                body(Substring(decoding: unread[..<end], as: UTF8.self))
                unread.removeSubrange(...end)
            }
        }
    }

    /// Waits for the first line of the program's standard output; nothing else may read it.
    ///
    /// - Returns: The line; `nil` if the program ends without one.
    func firstLine() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(output, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            if byte == 10 { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
    }

    /// Ends the program and waits for its end.
    func stop() {
        let wasRunning = isRunning.withLock { isRunning in
            defer { isRunning = false }
            if isRunning { close(input) }
            return isRunning
        }
        guard wasRunning else { return }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    private static func makePipe() throws -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw Command.Failure(description: "no pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
