#if os(Linux)
import Foundation
import PiuPiuTesting
import TestSupport
import Testing

/// A program that tests run: Fetch as it was built, or curl.
struct Program {
    /// What a run left.
    struct Run {
        /// The exit status; `nil` if a signal ended it.
        var status: Int32?
        var output: Data
        var errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Fetch, beside the tests.
    static let fetch = Program(path: executable("Fetch"))
    /// The system's curl; `nil` if it is not installed.
    ///
    /// Run once, because the program does not start with a libcurl under test that is older than itself.
    static let curl = (try? Command("curl").run("--version")).map { Program(path: "curl") }

    /// The executable: its path, or its name if it is in the PATH.
    let path: String

    private static func executable(_ name: String) -> String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: tests).deletingLastPathComponent().appending(path: name).path
    }

    /// Runs the program in a folder of its own.
    ///
    /// - Parameters:
    ///   - words: The arguments.
    ///   - folder: The folder.
    ///   - input: What it reads from standard input.
    ///   - environment: What to add to the environment, which has no proxies and no colours.
    ///   - files: Where the input and both outputs are, and, in the file `pid`, the number of the process.
    /// - Returns: What it left.
    /// - Throws: An error if it cannot be started.
    func run(
        _ words: [String],
        in folder: DownloadFolder,
        input: String = "",
        environment: [String: String] = [:],
        files: DownloadFolder? = nil
    ) async throws -> Run {
        let files = try files ?? DownloadFolder()
        try files.write("input", Data(input.utf8))
        // The shell's number becomes the program's.
        let script = #"""
            echo $$ >"$FETCH_TEST/new" && mv "$FETCH_TEST/new" "$FETCH_TEST/pid"
            cd "$FETCH_FOLDER" && exec "$@" <"$FETCH_TEST/input" >"$FETCH_TEST/output" 2>"$FETCH_TEST/errors"
            """#
        var variables = environment
        variables["FETCH_TEST"] = files.url.path
        variables["FETCH_FOLDER"] = folder.url.path
        let proxies = ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY", "no_proxy", "NO_PROXY"]
        for name in proxies { variables[name] = "" }
        variables["NO_COLOR"] = environment["NO_COLOR"] ?? "1"
        let status = try await Command("sh").exitStatus(["-c", script, "sh", path] + words, environment: variables)
        // The loader complains of a libcurl whose symbols have no versions, with which tests may run.
        let errors = String(decoding: files.data("errors") ?? Data(), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.contains("no version information available") }.joined(separator: "\n")
        return Run(status: status, output: files.data("output") ?? Data(), errors: errors)
    }
}
#endif
