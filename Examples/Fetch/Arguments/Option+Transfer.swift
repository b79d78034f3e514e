extension Option {
    /// How a transfer goes.
    static let transferOptions: [Option] = [
        .flag(
            .transfer,
            nil,
            "resume",
            "Keep what has arrived if a download ends early, and go on there the next time. Saves to a file, as -O."
        ) {
            $0.resumes = true
        },
        .value(.transfer, nil, "parallel", "N", "At most N downloads at once; 4 by default.") {
            $0.parallel = try ArgumentValue.number($1, of: "--parallel", in: 1...256)
        },
        .value(.transfer, nil, "retry", "N", "Try again N times, after growing pauses.") {
            $0.retries = try ArgumentValue.number($1, of: "--retry", in: 0...1000)
        },
        .value(.transfer, "m", "max-time", "SECONDS", "Give up after this time, for each URL.") {
            $0.maximumTime = try ArgumentValue.duration($1, of: "--max-time")
        },
        .value(
            .transfer,
            nil,
            "connect-timeout",
            "SECONDS",
            "Give up if there is no connection by then; 10 by default."
        ) {
            $0.connectTime = try ArgumentValue.duration($1, of: "--connect-timeout")
        },
        .flag(.transfer, nil, "compressed", "Let files be compressed on the way, too; they cannot be resumed then.") {
            $0.compressesFiles = true
        },
        .value(
            .transfer,
            nil,
            "limit-rate",
            "SPEED",
            "At most so many bytes a second for each URL, such as 500k or 2M."
        ) {
            $0.rate = try ArgumentValue.rate($1, of: "--limit-rate")
        },
        .flag(.transfer, "L", "location", "Follow redirects; this is the default. Secrets stay with their origin.") {
            $0.followsRedirects = true
        },
        .flag(.transfer, nil, "no-location", "Follow no redirect.") { $0.followsRedirects = false },
        .value(.transfer, nil, "max-redirs", "N", "Follow at most N redirects; 20 by default.") {
            $0.maximumRedirects = try ArgumentValue.number($1, of: "--max-redirs", in: 0...1000)
        },
    ]
}
