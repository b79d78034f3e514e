import TestSupport
import Testing

/// Counts the blocks of the document: each is compiled in this folder, or stands in the table of `Blocks.md`.
struct BlocksTests {
    @Test func theSamplesAndTheTableHaveEachBlockOnce() throws {
        let blocks = DocumentBlocks()
        let samples = try blocks.compiled(end: "(?=$|:)")
        let rows = try blocks.rows()
        let repaired = try blocks.rows(#".* \| compiled [^|]+\|"#)
        // Each sample stands once, and each row too.
        #expect(samples.count == Set(samples).count)
        #expect(rows.count == Set(rows).count)
        #expect(Set(samples).union(rows) == Set(1...34))
        // A block that is in both was repaired, and the table says how.
        #expect(Set(samples).intersection(rows) == Set(repaired))
    }
}
