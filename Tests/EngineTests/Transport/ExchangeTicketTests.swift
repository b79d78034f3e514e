#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Testing

struct ExchangeTicketTests {
    @Test func cancellingAfterSubmittingIsTheCancellersToTell() {
        let ticket = ExchangeTicket()
        #expect(!ticket.submit())
        #expect(ticket.cancel())
        #expect(!ticket.cancel())
    }

    @Test func cancellingBeforeSubmittingIsTheSubmittersToTell() {
        let ticket = ExchangeTicket()
        #expect(!ticket.cancel())
        #expect(!ticket.cancel())
        #expect(ticket.submit())
    }

    @Test func whoeverComesSecondTellsAndNobodyElse() {
        let rounds = 2_000
        let tickets = (0..<rounds).map { _ in ExchangeTicket() }
        let told = Locked([Int](repeating: 0, count: rounds))
        // Three threads run over the same tickets: one submits, two cancel.
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
            for (index, ticket) in tickets.enumerated() {
                let tells = thread == 0 ? ticket.submit() : ticket.cancel()
                if tells { told.withLock { $0[index] += 1 } }
            }
        }
        #expect(told.withLock { $0 } == [Int](repeating: 1, count: rounds))
    }
}
#endif
