import PiuPiuAsync
import TestSupport

/// Runs commands by a real shell, all of them in one script.
struct ShellRun {
    /// The shells that are installed: the one of POSIX and the one that people use.
    static let shells = ["sh", "bash"].filter { (try? Command($0)) != nil }
    /// Whether there is a shell and the program curl.
    static let hasCurl = shells.contains("sh") && (try? Command("curl")) != nil

    /// Whether the libcurl that is tested is new enough for the program, which then uses it, too.
    ///
    /// Newer ones write some URLs another way, such as `%2E` for `%2e`.
    private static let isFitForCurl = (try? Command("curl").run("--version")) != nil

    let shell: String
    let folder: DownloadFolder

    init(_ shell: String) throws {
        self.shell = shell
        folder = try DownloadFolder()
        // What a user may have there must not change a request.
        try folder.write(".curlrc", Data("header = \"X-Curlrc: yes\"\n".utf8))
    }

    /// Runs commands one after the other.
    ///
    /// - Parameters:
    ///   - commands: The commands.
    ///   - input: The standard input of each.
    /// - Returns: What each printed; `nil` for one that failed.
    /// - Throws: An error if the shell cannot read the script to its end.
    func outputs(of commands: [String], input: String = "") async throws -> [Data?] {
        try folder.write("input", Data(input.utf8))
        let script = commands.enumerated().map { index, command in
            "{\n\(command)\n} <input >\(index).part 2>\(index).log && mv \(index).part \(index).out\n"
        }
        // At a prompt, bash replaces what follows an exclamation mark.
        let prompt = shell == "bash" ? "set -o history -o histexpand\n" : ""
        try folder.write("script", Data((prompt + script.joined() + "exit 0\n").utf8))
        let place = folder.url.path(percentEncoded: false)
        // One shell with every byte as a character, and one with those of UTF-8.
        var environment = ["HOME": place, "no_proxy": "*", "LC_ALL": shell == "sh" ? "C" : "C.UTF-8"]
        if !Self.isFitForCurl { environment["LD_LIBRARY_PATH"] = "" }
        let start = "cd \"$HOME\" && exec \(shell) ./script"
        let status = try await Command("sh").exitStatus(["-c", start], environment: environment)
        guard status == 0 else { throw Failure("\(shell) ended with \(status ?? -1)") }
        return commands.indices.map { folder.data("\($0).out") }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }
}
