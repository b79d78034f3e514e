extension Option {
    /// Where the response goes, and how it looks.
    static let outputOptions: [Option] = [
        .value(
            .output,
            "o",
            "output",
            "FILE",
            "Save to FILE, once it is complete; - is standard output. Repeat it for each URL."
        ) {
            $0.outputs.append($1)
        },
        .flag(.output, "O", "remote-name", "Save under the last part of the URL's path.") { $0.savesByName = true },
        .flag(.output, "J", "remote-header-name", "Save under the name that the server proposes.") {
            ($0.savesByName, $0.usesRemoteHeaderName) = (true, true)
        },
        .value(.output, nil, "output-dir", "FOLDER", "The folder for -O and -J; it is created.") { $0.folder = $1 },
        .flag(.output, nil, "force", "Let -O and -J replace a file that exists.") { $0.replaces = true },
        .flag(.output, "i", "include", "Show the head of the response, too.") { $0.showsHead = true },
        .flag(.output, "I", "head", "Ask for the head only, and show it.") {
            ($0.asksForHeadOnly, $0.showsHead) = (true, true)
        },
        .flag(.output, "v", "verbose", "Show connections, requests and responses, without secrets.") {
            $0.isVerbose = true
        },
        .flag(.output, nil, "timings", "Show where the time went.") { $0.showsTimings = true },
        .flag(.output, "s", "silent", "Show no progress and no notes, but errors.") { $0.isSilent = true },
        .flag(.output, "S", "show-error", "Accepted, because errors are always shown.") { _ = $0 },
        .flag(.output, "f", "fail", "Exit with 22 if the status is 400 or more, without the body.") {
            $0.fails = true
        },
        .value(.output, nil, "color", "WHEN", "auto (on a terminal without NO_COLOR), always or never.") {
            $0.colour = try ArgumentValue.choice($1, of: "--color")
        },
        .value(.output, nil, "pretty", "WHEN", "Indent JSON: auto (on a terminal), always or never.") {
            $0.format = try ArgumentValue.choice($1, of: "--pretty")
        },
        .flag(.output, nil, "raw", "Write every byte to a terminal as it is.") {
            ($0.isRaw, $0.format) = (true, .never)
        },
        .value(.output, nil, "har", "FILE", "Record everything in a HAR file, without secrets.") { $0.har = $1 },
        .flag(.output, nil, "curl", "Send nothing, but print a curl command that would.") { $0.printsCurl = true },
        .flag(.output, nil, "show-secrets", "Show secrets with --curl and --verbose.") { $0.showsSecrets = true },
    ]
}
