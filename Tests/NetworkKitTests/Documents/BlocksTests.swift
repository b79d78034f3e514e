import TestSupport
import Testing

/// Compares the numbers of compiled blocks with the table of blocks that are not compiled.
struct BlocksTests {
    @Test func everyBlockIsCompiledOrHasAReason() throws {
        let blocks = DocumentBlocks()
        let compiled = try blocks.compiled()
        let left = try blocks.rows(#"no \| .+ \|"#)
        let changed = try blocks.rows(#"(?:repaired|extended|returned) \| .+ \|"#)
        #expect((compiled + left).sorted() == Array(1...39))
        #expect(Set(changed).isSubset(of: compiled))
        #expect(Set(changed).count == changed.count)
    }
}
