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
package struct Command: Sendable {
    /// Why a program did not do its work.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let path: String

    /// A program whose place is known.
    ///
    /// - Parameter url: The location of its executable.
    package init(at url: URL) {
        path = url.path(percentEncoded: false)
    }

    /// Finds a program.
    ///
    /// - Parameter name: Its name.
    /// - Throws: ``Failure`` if it is not installed.
    package init(_ name: String) throws {
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
    /// - Throws: ``Failure`` if it cannot be started, or ends with anything but 0.
    package func run(_ arguments: String...) throws {
        try run(arguments)
    }

    /// Runs the program and waits for its end.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - environment: What to add to the environment.
    /// - Throws: ``Failure`` if it cannot be started, or ends with anything but 0.
    package func run(_ arguments: [String], environment: [String: String] = [:]) throws {
        let whole = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let status = try status(arguments, environment: environment.isEmpty ? nil : whole)
        guard status == 0 else { throw Failure(description: "\(path) ended with status \(status)") }
    }

    /// Runs the program on a thread of its own.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - environment: What to add to the environment.
    /// - Returns: The status it exits with; `nil` if a signal ends it.
    /// - Throws: ``Failure`` if it cannot be started.
    package func exitStatus(_ arguments: [String], environment: [String: String] = [:]) async throws -> Int32? {
        let whole = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        typealias Continuation = CheckedContinuation<Int32, any Error>
        let status = try await withCheckedThrowingContinuation { (continuation: Continuation) in
            Thread.detachNewThread {
                continuation.resume(with: Result { try self.status(arguments, environment: whole) })
            }
        }
        // As WIFEXITED and WEXITSTATUS have it, which Swift does not see.
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - environment: Its whole environment; `nil` for that of this process.
    ///   - input: The descriptor of its standard input; `nil` for none.
    ///   - output: The descriptor of its standard output; `nil` for none.
    /// - Returns: The process, for which the caller has to wait.
    /// - Throws: ``Failure`` if it cannot be started.
    func start(
        _ arguments: [String],
        environment: [String: String]? = nil,
        input: Int32? = nil,
        output: Int32? = nil
    ) throws -> pid_t {
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var variables: [UnsafeMutablePointer<CChar>?] =
            environment.map { $0.map { strdup("\($0)=\($1)") } + [nil] } ?? []
        defer { for variable in variables { free(variable) } }
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, source) in [(Int32(0), input), (1, output), (2, nil)] {
            if let source {
                posix_spawn_file_actions_adddup2(&actions, source, descriptor)
            } else {
                posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
            }
        }
        #if canImport(Glibc)
        _ = Self.closeFrom?(&actions, 3)
        #endif
        #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        #else
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        Self.resetSignals(&attributes)
        var process = pid_t()
        let started =
            variables.isEmpty
            ? posix_spawn(&process, path, &actions, &attributes, &words, environ)
            : posix_spawn(&process, path, &actions, &attributes, &words, &variables)
        guard started == 0 else { throw Failure(description: "\(path): \(String(cString: strerror(started)))") }
        return process
    }

    #if canImport(Darwin)
    private typealias Attributes = posix_spawnattr_t?
    #else
    private typealias Attributes = posix_spawnattr_t
    #endif

    /// Makes a program start with all signals as they are by default.
    ///
    /// A program inherits which signals the thread that starts it blocks, and which this process ignores. Threads of
    /// Dispatch block most, so that a server would never get the SIGTERM that ends it.
    private static func resetSignals(_ attributes: inout Attributes) {
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var ignored = sigset_t()
        sigemptyset(&ignored)
        let inherited = [SIGPIPE, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGCHLD, SIGTSTP, SIGTTIN, SIGTTOU]
        for signal in inherited { sigaddset(&ignored, signal) }
        posix_spawnattr_setsigdefault(&attributes, &ignored)
        #if canImport(Darwin)
        let others = POSIX_SPAWN_CLOEXEC_DEFAULT
        #else
        let others: Int32 = 0
        #endif
        posix_spawnattr_setflags(&attributes, Int16(Int32(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | others))
    }

    /// Whether a program inherits no descriptor but the standard ones.
    ///
    /// One that runs beside the tests would otherwise keep open what other tests had opened when it was started, so that a
    /// server would not see that its client is gone.
    package static var closesDescriptors: Bool {
        #if canImport(Darwin)
        true
        #elseif canImport(Glibc)
        closeFrom != nil
        #else
        false
        #endif
    }

    #if canImport(Glibc)
    /// Looked up, because glibc has it since 2.34 only.
    private static let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
        unsafeBitCast(
            $0,
            to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self
        )
    }
    #endif

    private func status(_ arguments: [String], environment: [String: String]?) throws -> Int32 {
        let process = try start(arguments, environment: environment)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
