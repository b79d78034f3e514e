import TestSupport
import Testing

/// That the blocks of the document, the compiled samples and the table agree.
struct BlocksTests {
    private let count = 7

    @Test func everyBlockIsCompiled() throws {
        #expect(try DocumentBlocks().compiled().sorted() == Array(1...count))
    }

    @Test func everyBlockStandsInTheTable() throws {
        #expect(try DocumentBlocks().rows() == Array(1...count))
    }
}
