import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct TransportRequestTests {
    @Test func aRequestHasNoneOfTheRareThingsAtFirst() {
        let request = TransportRequest(Fixture.request)
        #expect(request.body == nil)
        #expect(request.delivery == .buffered)
        #expect(request.reporter == nil)
    }

    @Test func whatIsSetIsThereAndCanBeTakenBack() {
        var request = TransportRequest(Fixture.request)
        let reporter = TransferReporter { _ in }
        request.body = .data(Data("abc".utf8))
        request.delivery = .streamed
        request.reporter = reporter
        #expect(request.body?.data == Data("abc".utf8))
        #expect(request.delivery == .streamed)
        #expect(request.reporter === reporter)
        request.body = nil
        #expect(request.body == nil)
        #expect(request.delivery == .streamed)
        request.delivery = .buffered
        request.reporter = nil
        #expect(request.delivery == .buffered)
        #expect(request.reporter == nil)
    }

    @Test func copiesDoNotShareWhatIsChanged() {
        var original = TransportRequest(Fixture.request)
        let untouched = original
        original.body = .data(Data("a".utf8))
        var copy = original
        copy.body = .data(Data("b".utf8))
        copy.delivery = .streamed
        copy.reporter = TransferReporter { _ in }
        #expect(original.body?.data == Data("a".utf8))
        #expect(original.delivery == .buffered)
        #expect(original.reporter == nil)
        #expect(copy.body?.data == Data("b".utf8))
        original.body = nil
        #expect(copy.body?.data == Data("b".utf8))
        #expect(untouched.body == nil)
    }

    @Test func aReporterPassesOnWhatItIsTold() {
        let progress = Locked(TransferProgress(direction: .sending))
        let reporter = TransferReporter { change in progress.withLock { change(&$0) } }
        reporter.willSend(10)
        reporter.didSend(4)
        reporter.willReceive(20)
        reporter.didReceive(5)
        let told = TransferProgress(
            direction: .sending,
            bytesSent: 4,
            bytesToSend: 10,
            bytesReceived: 5,
            bytesToReceive: 20
        )
        #expect(progress.withLock { $0 } == told)
        reporter.willSend(nil)
        reporter.willReceive(nil)
        #expect(progress.withLock { $0.bytesToSend == nil && $0.bytesToReceive == nil })
    }
}
