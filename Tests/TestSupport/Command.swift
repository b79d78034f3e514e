import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs a program to its end.
///
/// Foundation's `Process` is no use for one that leaves a daemon behind: on Linux it waits for a descriptor to close that
/// the daemon inherits.
struct Command {
    /// Why a program did not do its work.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let path: String

    /// Finds a program.
    ///
    /// - Parameter name: Its name.
    /// - Throws: ``Failure`` where it is not installed.
    init(_ name: String) throws {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        // Daemons are often in folders that are not in the PATH.
        let candidates = (folders + ["/usr/bin", "/usr/sbin", "/usr/local/sbin"]).map { "\($0)/\(name)" }
        guard let path = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw Failure(description: "\(name) is not installed")
        }
        self.path = path
    }

    /// Runs the program and waits for its end.
    ///
    /// - Parameter arguments: Its arguments.
    /// - Throws: ``Failure`` where it cannot be started, or ends with anything but 0.
    func run(_ arguments: String...) throws {
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in Int32(0)...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var process = pid_t()
        let started = posix_spawn(&process, path, &actions, nil, &words, environ)
        guard started == 0 else { throw Failure(description: "\(path): \(String(cString: strerror(started)))") }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw Failure(description: "\(path) ended with status \(status)") }
    }
}
