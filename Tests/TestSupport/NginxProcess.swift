import Foundation
import PiuPiuAsync
import PiuPiuTesting

/// A process of nginx with a folder of its own.
///
/// It is stopped, and the folder removed, when this is released and when the process of the tests ends, however it ends.
final class NginxProcess: Sendable {
    /// The folder of its files.
    let folder: URL
    /// Ports of 127.0.0.1 for its servers.
    var ports: [Int] { held.map(\.port) }
    private let held: [HeldPort]
    private let executable: Command
    private let ending: Companion
    private let isStopped = Locked(false)

    /// Starts nginx.
    ///
    /// - Parameters:
    ///   - count: How many ports the configuration needs.
    ///   - environment: What to add to nginx's environment.
    ///   - configure: Writes the files that are needed into the folder and returns the configuration: the sections
    ///     `http` and what else stands beside `events`.
    /// - Throws: ``Command/Failure`` if nginx is missing or refuses the configuration.
    init(
        ports count: Int,
        environment: [String: String] = [:],
        _ configure: (_ folder: URL, _ ports: [Int], Command) throws -> String
    ) throws {
        executable = try Command("nginx")
        folder = FileManager.default.temporaryDirectory.appending(path: "piupiu-nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.path
        // Not by `nginx -s stop`, which reads the configuration first: its certificates may be gone when the tests end.
        let stop = #"read -r line; [ ! -e "$1/pid" ] || kill "$(cat "$1/pid")"; rm -rf "$1""#
        ending = try Companion(Command("sh"), ["-c", stop, "sh", path])
        held = try (0..<count).map { _ in try HeldPort() }
        let head = """
            \(geteuid() == 0 ? "user root;" : "")
            worker_processes 1; daemon on; pid \(path)/pid; error_log \(path)/error.log;
            events { worker_connections 8192; }

            """
        try Data((head + configure(folder, held.map(\.port), executable)).utf8)
            .write(to: folder.appending(path: "nginx.conf"))
        // nginx goes into the background once its sockets are bound, so that it is ready when this returns.
        try executable.run(["-p", path, "-c", path + "/nginx.conf"], environment: environment)
    }

    deinit {
        ending.stop()
    }

    /// Lets nginx finish what it does and waits for its end; it writes its logs to their ends first.
    func quit() {
        let wasStopped = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return isStopped
        }
        guard !wasStopped else { return }
        let pid = folder.appending(path: "pid").path
        try? executable.run("-p", folder.path, "-c", folder.path + "/nginx.conf", "-s", "quit")
        // It is no child of ours that could be waited for: it removes this file last.
        for _ in 0..<2000 where FileManager.default.fileExists(atPath: pid) { usleep(5000) }
    }

    /// What belongs into every section `http`: types and folders for temporary files.
    static func usualSettings(_ folder: URL) -> String {
        let path = folder.path
        return """
            default_type text/plain; client_body_temp_path \(path)/body; proxy_temp_path \(path)/proxy;
            fastcgi_temp_path \(path)/fastcgi; uwsgi_temp_path \(path)/uwsgi; scgi_temp_path \(path)/scgi;
            """
    }
}
