import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

struct TransferFeedTests {
    private typealias Feed = TransferFeed<Int, String>

    private struct Failure: Error {}

    private static func feed(
        _ direction: TransferProgress.Direction = .receiving,
        toSend: Int64? = nil,
        every interval: Duration = .seconds(1)
    ) -> Feed {
        Feed(TransferProgress(direction: direction, bytesToSend: toSend), interval: interval)
    }

    /// A feed whose start was taken, and that may have received bytes since.
    private static func startedFeed(received: Int64? = nil) -> Feed {
        var feed = feed()
        _ = feed.next(now: .zero)
        if let received { _ = feed.update { $0.bytesReceived = received } }
        return feed
    }

    @Test func theFirstEventIsTheStart() {
        var feed = Self.feed(toSend: 5)
        #expect(feed.texts(at: .seconds(7), .seconds(7)) == ["0/5 0/?", "wait"])
    }

    @Test func theFirstEventIsTheStartHoweverFastTheTransferIs() {
        var feed = Self.feed(toSend: 5)
        _ = feed.update { $0.bytesReceived = 3 }
        #expect(feed.texts(at: .zero, .zero) == ["0/5 0/?", "delay 1.0 seconds"])
        var finished = Self.feed(toSend: 5)
        _ = finished.update { $0.bytesSent = 5 }
        _ = finished.finish(.success("done"))
        #expect(finished.texts(at: .zero, .zero, .zero) == ["0/5 0/?", "5/5 0/0", "done"])
        var failed = Self.feed()
        _ = failed.finish(.failure(Failure()))
        #expect(failed.texts(at: .zero, .zero, .zero) == ["0/? 0/?", "Failure", "none"])
    }

    @Test func theNewestProgressComesWhenTheTimeHasCome() {
        var feed = Self.startedFeed(received: 1)
        #expect(feed.next(now: .milliseconds(400)).text == "delay 0.6 seconds")
        _ = feed.update { $0.bytesReceived = 2 }
        let texts = feed.texts(at: .milliseconds(999), .seconds(1), .seconds(9))
        #expect(texts == ["delay 0.001 seconds", "0/? 2/?", "wait"])
    }

    @Test func withoutAnIntervalEachChangeComes() {
        for interval in [Duration.zero, .seconds(-5)] {
            var feed = Self.feed(every: interval)
            _ = feed.next(now: .zero)
            for count in 1...5 {
                _ = feed.update { $0.bytesReceived = Int64(count) }
                #expect(feed.next(now: .zero).text == "0/? \(count)/?")
            }
        }
    }

    @Test func theLastProgressOfASuccessIsTheWholeAndDoesNotWait() {
        for direction in [TransferProgress.Direction.sending, .receiving] {
            var feed = Self.feed(direction, toSend: 100)
            _ = feed.next(now: .zero)
            _ = feed.update {
                $0.bytesSent = 40
                $0.bytesReceived = 7
                $0.bytesToReceive = 10
            }
            #expect(feed.next(now: .milliseconds(1)).text == "delay 0.999 seconds")
            _ = feed.finish(.success("done"))
            let texts = feed.texts(at: .milliseconds(1), .milliseconds(1), .seconds(5), .seconds(5))
            #expect(texts == ["40/40 7/7", "done", "none", "none"], "\(direction)")
        }
    }

    @Test func aProgressThatWasGivenIsNotRepeatedAtTheEnd() {
        var feed = Self.feed()
        _ = feed.update {
            $0.bytesReceived = 10
            $0.bytesToReceive = 10
            $0.bytesToSend = 0
        }
        _ = feed.next(now: .zero)
        #expect(feed.next(now: .seconds(1)).text == "0/0 10/10")
        _ = feed.finish(.success("done"))
        #expect(feed.next(now: .seconds(1)).text == "done")
    }

    @Test func anErrorComesAtOnce() {
        var feed = Self.startedFeed(received: 1)
        _ = feed.finish(.failure(Failure()))
        #expect(feed.texts(at: .zero, .zero) == ["Failure", "none"])
    }

    @Test func theFirstEndCountsAndNothingComesAfterIt() {
        var feed = Self.startedFeed()
        _ = feed.finish(.success("first"))
        #expect(feed.finish(.failure(Failure())) == nil)
        #expect(feed.update { $0.bytesReceived = 9 } == nil)
        #expect(feed.texts(at: .zero, .zero) == ["0/0 0/0", "first"])
        #expect(feed.update { $0.bytesReceived = 9 } == nil)
        #expect(feed.next(now: .zero).text == "none")
    }

    // MARK: New attempts

    @Test func countsStandStillUntilANewAttemptHasOvertaken() {
        var feed = Self.feed(.sending, toSend: 100, every: .zero)
        _ = feed.next(now: .zero)
        for (count, shown) in [(60, 60), (0, nil), (59, nil), (60, nil), (61, 61)] as [(Int64, Int64?)] {
            _ = feed.update { $0.bytesToSend = 100 }
            _ = feed.update { $0.bytesSent = count }
            #expect(feed.next(now: .zero).text == (shown.map { "\($0)/100 0/?" } ?? "wait"))
        }
    }

    @Test func aTotalIsNotForgottenAndDoesNotGrow() {
        var feed = Self.feed(every: .zero)
        _ = feed.next(now: .zero)
        let changes: [(Int64?, Int64, String)] = [
            (100, 50, "0/? 50/100"), (nil, 0, "wait"), (1_000, 0, "wait"), (1_000, 60, "0/? 60/100"),
            (80, 60, "0/? 60/80"), (10, 60, "0/? 60/60"), (1_000, 70, "0/? 70/70"), (nil, 90, "0/? 90/90"),
        ]
        for (total, count, text) in changes {
            _ = feed.update {
                $0.bytesToReceive = total
                $0.bytesReceived = count
            }
            #expect(feed.next(now: .zero).text == text)
        }
    }

    // MARK: Waiting

    @Test func aChangeWakesWhoeverWaitsForOne() {
        var feed = Self.startedFeed()
        #expect(feed.wait(1, onlyForEnd: false) == false)
        #expect(feed.update { _ in } == nil)
        #expect(feed.update { $0.bytesReceived = 1 } == 1)
        #expect(feed.update { $0.bytesReceived = 2 } == nil)
        #expect(feed.finish(.success("done")) == nil)
    }

    @Test func whoeverWaitsForTheEndIsNotWokenByAChange() {
        var feed = Self.startedFeed(received: 1)
        #expect(feed.wait(1, onlyForEnd: true) == false)
        #expect(feed.update { $0.bytesReceived = 2 } == nil)
        #expect(feed.finish(.failure(Failure())) == 1)
    }

    @Test func nobodyWaitsWhereThereIsSomethingAlready() {
        var feed = Self.feed()
        #expect(feed.wait(1, onlyForEnd: false) == true)
        _ = feed.next(now: .zero)
        _ = feed.update { $0.bytesReceived = 1 }
        #expect(feed.wait(1, onlyForEnd: false) == true)
        _ = feed.finish(.success("done"))
        #expect(feed.wait(1, onlyForEnd: false) == true)
        #expect(feed.wait(1, onlyForEnd: true) == true)
    }

    @Test func theTimeThatIsUpWakesWhoeverWaits() {
        var feed = Self.startedFeed(received: 1)
        #expect(feed.next(now: .zero).text == "delay 1.0 seconds")
        #expect(feed.wait(1, onlyForEnd: true) == false)
        #expect(feed.wake() == 1)
        #expect(feed.wake() == nil)
    }

    // A short time may be up before a task has begun to wait for it.
    @Test func theTimeThatIsUpIsNotMissed() {
        var feed = Self.startedFeed(received: 1)
        #expect(feed.next(now: .milliseconds(999)).text == "delay 0.001 seconds")
        #expect(feed.wake() == nil)
        #expect(feed.wait(1, onlyForEnd: true) == true)
        #expect(feed.wait(1, onlyForEnd: true) == false)
        #expect(feed.wake() == 1)
    }

    @Test func anOldTimeDoesNotShortenANewOne() {
        var feed = Self.startedFeed()
        _ = feed.wake()
        _ = feed.update { $0.bytesReceived = 1 }
        #expect(feed.next(now: .zero).text == "delay 1.0 seconds")
        #expect(feed.wait(1, onlyForEnd: true) == false)
    }

    // MARK: Properties

    @Test(arguments: [71, 72, 73, 74, 75, 76] as [UInt64])
    func randomTransfersNeverGoBackwards(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<rounds(400) { randomTransfer(&random) }
    }

    private struct Reader {
        var feed: Feed
        var now = Duration.zero
        var progress: [(progress: TransferProgress, time: Duration)] = []
        var result: Result<String, any Error>?
        var isOver = false
        var isWaiting = false
        var due: Duration?
        private var tickets = 0

        init(_ feed: Feed) {
            self.feed = feed
        }

        /// Takes what there is, and waits if there is nothing.
        mutating func read(afterEnd: Bool) {
            guard !isWaiting else { return }
            switch feed.next(now: now) {
            case .progress(let new):
                #expect(result == nil)
                progress.append((new, now))
            case .finished(let end):
                #expect(afterEnd && result == nil)
                result = end
            case .none:
                #expect(result != nil)
                isOver = true
            case .wait: wait(until: nil)
            case .delay(let duration):
                #expect(duration > .zero && duration <= feed.interval)
                wait(until: now + duration)
            }
        }

        private mutating func wait(until time: Duration?) {
            tickets += 1
            isWaiting = !feed.wait(tickets, onlyForEnd: time != nil)
            if isWaiting { due = time }
        }

        mutating func woken(_ waiter: Int?) {
            guard let waiter else { return }
            #expect(isWaiting && waiter == tickets)
            isWaiting = false
            due = nil
        }

        mutating func pass(_ duration: Duration) {
            now += duration
            if let due, due <= now { woken(feed.wake()) }
        }
    }

    private func randomTransfer(_ random: inout SeededRandom) {
        let interval = Duration.milliseconds(Int.random(in: 0...50, using: &random))
        let direction = Bool.random(using: &random) ? TransferProgress.Direction.sending : .receiving
        func total(_ random: inout SeededRandom) -> Int64? {
            Int.random(in: 0..<3, using: &random) == 0 ? nil : Int64.random(in: 0...200, using: &random)
        }
        let start = TransferProgress(direction: direction, bytesToSend: total(&random))
        var reader = Reader(Feed(start, interval: interval))
        var (sent, received) = (Int64(0), Int64(0))
        func change(_ change: (inout TransferProgress) -> Void) { reader.woken(reader.feed.update(change)) }
        for _ in 0..<Int.random(in: 0...120, using: &random) {
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1:
                sent += Int64.random(in: 0...20, using: &random)
                change { $0.bytesSent = sent }
            case 2, 3:
                received += Int64.random(in: 0...20, using: &random)
                change { $0.bytesReceived = received }
            case 4:
                let length = total(&random)
                change { $0.bytesToReceive = length }
            case 5:
                // Another attempt.
                let length = total(&random)
                (sent, received) = (0, 0)
                change { $0.bytesToSend = length }
                change { $0.bytesSent = 0 }
            case 6, 7: reader.pass(.milliseconds(Int.random(in: 0...20, using: &random)))
            default: reader.read(afterEnd: false)
            }
        }
        let isSuccess = Bool.random(using: &random)
        reader.woken(reader.feed.finish(isSuccess ? .success("done") : .failure(Failure())))
        let given = reader.progress.count
        #expect(!reader.isWaiting)
        for _ in 0..<5 where !reader.isOver { reader.read(afterEnd: true) }
        #expect(reader.isOver)
        check(reader, start, isSuccess: isSuccess, given: given)
    }

    private func check(_ reader: Reader, _ start: TransferProgress, isSuccess: Bool, given: Int) {
        let all = reader.progress.map(\.progress)
        #expect(all.first == start)
        for (old, new) in zip(all, all.dropFirst()) {
            #expect(old.bytesSent <= new.bytesSent && old.bytesReceived <= new.bytesReceived)
            for fraction in [\TransferProgress.fractionSent, \.fractionReceived, \.fractionCompleted] {
                guard let before = old[keyPath: fraction] else { continue }
                #expect(new[keyPath: fraction].map { $0 >= before && $0 <= 1 } == true)
            }
            #expect(
                old.bytesSent != new.bytesSent || old.bytesReceived != new.bytesReceived
                    || old.bytesToSend != new.bytesToSend || old.bytesToReceive != new.bytesToReceive
            )
        }
        for index in reader.progress.indices.dropFirst() where index < given {
            #expect(reader.progress[index].time - reader.progress[index - 1].time >= reader.feed.interval)
        }
        switch reader.result {
        case .success?:
            #expect(isSuccess)
            #expect(all.last?.fractionSent == 1 && all.last?.fractionReceived == 1)
        case .failure?: #expect(!isSuccess)
        case nil: Issue.record("no result")
        }
    }
}

extension TransferFeed where Output == String {
    /// The next events as texts, one for each time.
    fileprivate mutating func texts(at times: Duration...) -> [String] {
        times.map { next(now: $0).text }
    }
}

extension TransferFeed.NextAction where Output == String {
    fileprivate var text: String {
        func number(_ count: Int64?) -> String { count.map(String.init) ?? "?" }
        return switch self {
        case .progress(let progress):
            "\(progress.bytesSent)/\(number(progress.bytesToSend)) "
                + "\(progress.bytesReceived)/\(number(progress.bytesToReceive))"
        case .finished(.success(let output)): output
        case .finished(.failure(let error)): "\(type(of: error))"
        case .none: "none"
        case .wait: "wait"
        case .delay(let duration): "delay \(duration)"
        }
    }
}
