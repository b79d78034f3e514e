import Testing

/// Fuzzes every parser a little, and as long as the environment says: see `Scripts/fuzz parsers`.
struct ParserFuzzTests {
    @Test("Damaged inputs break no promise", arguments: FuzzOptions.current.targets)
    func targets(_ target: FuzzTarget) async throws {
        try await FuzzRun(target, .current).run()
    }
}
