import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

struct MockSequenceTests {
    @Test func answersComeInOrder() throws {
        let sequence = MockSequence([MockAnswer(.ok), MockAnswer(.notFound)])
        #expect(try sequence.next().statusCode == .ok)
        #expect(try sequence.next().statusCode == .notFound)
    }

    @Test func afterTheLastItFailsAndSaysSo() throws {
        let sequence = MockSequence([MockAnswer(.ok)])
        _ = try sequence.next()
        for _ in 0..<2 {
            #expect(throws: MockError.noAnswerLeft(count: 1)) { try sequence.next() }
        }
        let text = MockError.noAnswerLeft(count: 1).localizedDescription
        #expect(text == "The mock has no answer left for another request (answers: 1).")
    }

    @Test func theLastCanBeRepeated() throws {
        let sequence = MockSequence([MockAnswer(.ok), MockAnswer(.gone)], afterLast: .repeatLast)
        let codes = try (0..<4).map { _ in try sequence.next().statusCode }
        #expect(codes == [.ok, .gone, .gone, .gone])
    }

    @Test func anEmptySequenceHasNothingToRepeat() {
        let sequence = MockSequence([], afterLast: .repeatLast)
        #expect(throws: MockError.noAnswerLeft(count: 0)) { try sequence.next() }
    }

    @Test func everyAnswerIsGivenOnce() async throws {
        let sequence = MockSequence((0..<500).map { MockAnswer(.ok, body: "\($0)") })
        let given = try await withThrowingTaskGroup(of: Data?.self) { group in
            for _ in 0..<500 { group.addTask { try sequence.next().pieces.first?.data } }
            return try await group.reduce(into: Set<Data?>()) { $0.insert($1) }
        }
        #expect(given.count == 500)
    }
}
