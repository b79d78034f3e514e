import PiuPiuAsync

/// What the environment says about a run; `Scripts/fuzz parsers` sets it.
struct FuzzOptions: Sendable {
    static let environment = ProcessInfo.processInfo.environment
    static let current = FuzzOptions()

    /// For how long each target is fuzzed, in seconds.
    ///
    /// By default each gets a few inputs, so that every run of the tests and every sanitizer sees the targets.
    let seconds = environment["FUZZ_SECONDS"].flatMap { Double($0) }
    /// The seed of all choices.
    let seed = environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    /// The only input to look at.
    let only = environment["FUZZ_ONLY"].flatMap { Int($0) }
    private let names = environment["FUZZ_TARGET"]?.split(separator: ",").map(String.init)

    /// The targets to fuzz.
    var targets: [FuzzTarget] {
        FuzzTarget.all.filter { names?.contains($0.name) ?? true }
    }
}
