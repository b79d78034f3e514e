#if os(Linux)
import Foundation
import TestSupport

/// A terminal at which a test sits in place of a person.
final class Pseudoterminal: Sendable {
    /// What the program at the terminal opens.
    let path: String
    private let keyboard: Int32
    private let screen: Int32

    init() throws {
        keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var lock: Int32 = 0
        var number: UInt32 = 0
        // `unlockpt` and `ptsname`, which the module of glibc has not.
        guard keyboard >= 0, ioctl(keyboard, 0x4004_5431, &lock) == 0, ioctl(keyboard, 0x8004_5430, &number) == 0 else {
            throw POSIXError(.ENOTTY)
        }
        path = "/dev/pts/\(number)"
        // It stays open, so that its settings can be looked at after the program's end.
        screen = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard screen >= 0, fcntl(keyboard, F_SETFL, O_NONBLOCK) == 0 else { throw POSIXError(.ENOTTY) }
    }

    deinit {
        close(keyboard)
        close(screen)
    }

    /// Whether what is typed is shown.
    var isEchoing: Bool {
        var settings = termios()
        return tcgetattr(screen, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// The number of typed bytes that the program can read, and has not.
    var unreadCount: Int32 {
        var count: Int32 = 0
        return ioctl(screen, UInt(FIONREAD), &count) == 0 ? count : 0
    }

    /// Presses keys.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(keyboard, $0.baseAddress, $0.count) }
    }

    /// Waits until the terminal shows a text.
    ///
    /// - Returns: All that it has shown.
    func wait(for text: String) async throws -> String {
        var shown: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: shown, as: UTF8.self).contains(text) {
            try Task.checkCancellation()
            let count = read(keyboard, &buffer, buffer.count)
            if count > 0 { shown += buffer[..<count] } else { await Task.yield() }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// Runs Fetch as the only program at this terminal.
    ///
    /// - Parameters:
    ///   - words: The arguments.
    ///   - folder: The folder to run in.
    ///   - files: Where both outputs are.
    ///   - isJob: Whether Fetch is a job of a shell, which continues it after a line if it was stopped.
    /// - Returns: What it left; both outputs go to files.
    /// - Throws: An error if it cannot be started.
    func run(
        _ words: [String],
        in folder: DownloadFolder,
        files: DownloadFolder? = nil,
        isJob: Bool = false
    ) async throws -> Program.Run {
        // The leader of a session gets the first terminal that it opens.
        let script = isJob ? #"exec <>"$0" && set -m && "$@"; read line && fg"# : #"exec <>"$0" && exec "$@""#
        let shell = ["-w", "sh", "-c", script, path, Program.fetch.path]
        return try await Program(path: "setsid").run(shell + words, in: folder, files: files)
    }
}
#endif
