import LoadKit
import PiuPiuAsync
import PiuPiuTesting

/// What holds for one request has to hold for very many: memory, descriptors and CPU time under load.
///
/// Usage: Soak storm | many | all, or Soak mixed with the variables that ``Mixed`` names
@main
struct Soak {
    static func main() async throws {
        let mode = CommandLine.arguments.dropFirst().first ?? "all"
        guard mode != "server" else { return try serve() }
        Usage.raiseDescriptorLimit()
        let server = try ServerProcess()
        defer { server.stop() }
        var failures: [String] = []
        if mode == "storm" || mode == "all" { failures += try await Storm(server: server).run() }
        if mode == "mixed" {
            guard let mixed = Mixed() else { throw Problem(text: "SOAK_URLS names no URL") }
            failures += try await mixed.run()
        }
        if mode == "many" || mode == "all" { failures += try await Many(server: server).run() }
        for failure in failures { print("FAILED: \(failure)") }
        print("\(failures.isEmpty ? "all floors held" : "\(failures.count) floors missed")")
        if !failures.isEmpty { exit(1) }
    }

    /// The other process: serves until its standard input ends.
    private static func serve() throws {
        let server = try LoopbackServer()
        let body = "{\"text\":\"\(String(repeating: "x", count: 480))\"}"
        server.route("/fast", .response(body: body))
        server.route(
            "/slow",
            .sleep(.milliseconds(20)),
            .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"),
            .sleep(.milliseconds(20)),
            .send("def")
        )
        server.route("/never", .stall)
        print(server.port)
        fflush(nil)
        // Forgets what it recorded now and then, so that it does not run out of memory itself.
        Thread.detachNewThread {
            while true {
                Thread.sleep(forTimeInterval: 0.5)
                server.forgetRequests()
            }
        }
        while readLine() != nil {}
    }

    static func dispatcher(perHost: Int) -> URLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.connections = ConnectionLimits(perHost: perHost, total: perHost)
        configuration.transport.proxy = .none
        return URLRequestDispatcher(configuration: configuration)
    }
}

/// The server in a process of its own, so that its memory and CPU time are not counted as ours.
final class ServerProcess: Sendable {
    let port: Int
    private let process: Process
    private let input = Pipe()

    init() throws {
        process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["server"]
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var text = Data()
        while text.last != 0x0A {
            let next = output.fileHandleForReading.readData(ofLength: 1)
            if next.isEmpty { throw Problem(text: "the server did not start") }
            text += next
        }
        port = Int(String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)) ?? 0
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func url(_ path: String) -> URL {
        URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(filePath: "/")
    }
}

struct Problem: Error {
    let text: String
}
