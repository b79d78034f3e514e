import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

struct ServerSentEventDecoderTests {
    private struct Outcome: Equatable {
        var events: [ServerSentEvent] = []
        var lastEventID = ""
        var reconnectionTime: Duration?
    }

    private static func outcome(_ chunks: [Data], limit: Int = 1024) throws -> Outcome {
        var decoder = ServerSentEventDecoder(limit: limit)
        var outcome = Outcome()
        for chunk in chunks {
            decoder.append(chunk)
            while let event = try decoder.next() { outcome.events.append(event) }
        }
        outcome.lastEventID = decoder.lastEventID
        outcome.reconnectionTime = decoder.reconnectionTime
        return outcome
    }

    private static func events(_ chunks: String..., limit: Int = 1024) throws -> [ServerSentEvent] {
        try outcome(chunks.map { Data($0.utf8) }, limit: limit).events
    }

    /// The words of the standard once more, on the whole text at once.
    private static func expectedOutcome(_ data: Data) -> Outcome {
        var text = Substring(String(decoding: data, as: UTF8.self)).unicodeScalars
        if text.first == "\u{FEFF}" { text.removeFirst() }
        let normalized = String(text).replacing("\r\n", with: "\n").unicodeScalars.map { $0 == "\r" ? "\n" : $0 }
        var lines = normalized.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0) }
        _ = lines.popLast()
        var outcome = Outcome()
        var (buffer, type, id, retry) = ("", "", "", Duration?.none)
        func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
            scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
        }
        for line in lines {
            if line.isEmpty {
                outcome.lastEventID = id
                if !buffer.isEmpty {
                    let data = string(buffer.unicodeScalars.dropLast())
                    let type = type.isEmpty ? "message" : type
                    outcome.events.append(ServerSentEvent(type: type, data: data, id: id, retry: retry))
                }
                (buffer, type, retry) = ("", "", nil)
                continue
            }
            let colon = line.firstIndex(of: ":") ?? line.count
            var value = line.dropFirst(colon + 1)
            if value.first == " " { value.removeFirst() }
            switch string(line[..<colon]) {
            case "event": type = string(value)
            case "data": buffer += string(value) + "\n"
            case "id": if !value.contains("\0") { id = string(value) }
            case "retry":
                if !value.isEmpty, value.allSatisfy({ ("0"..."9").contains($0) }) {
                    retry = .milliseconds(min(Int64(string(value)) ?? .max, Int64(Int32.max)))
                    outcome.reconnectionTime = retry
                }
            default: break
            }
        }
        return outcome
    }

    // MARK: The examples of the standard, §9.2.6

    @Test func messageOfSeveralLines() throws {
        #expect(try Self.events("data: YHOO\ndata: +2\ndata: 10\n\n") == [ServerSentEvent(data: "YHOO\n+2\n10")])
        let messages =
            "data: This is the first message.\n\ndata: This is the second message, it\ndata: has two lines.\n\n"
        #expect(
            try Self.events(messages + "data: This is the third message.\n\n").map(\.data) == [
                "This is the first message.", "This is the second message, it\nhas two lines.",
                "This is the third message.",
            ]
        )
    }

    @Test func eventsOfSeveralTypes() throws {
        let text = "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\nevent: add\ndata: 113411\n\n"
        #expect(try Self.events(text).map(\.type) == ["add", "remove", "add"])
        #expect(try Self.events(text).map(\.data) == ["73857293", "2153", "113411"])
    }

    @Test func commentsAndIdentifiers() throws {
        let text = ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n"
        let outcome = try Self.outcome([Data(text.utf8)])
        #expect(
            outcome.events == [ServerSentEvent(data: "first event", id: "1"), ServerSentEvent(data: "second event")]
        )
        #expect(outcome.lastEventID == "")
        #expect(try Self.events(text + "\n").last?.data == " third event")
    }

    @Test func emptyDataIsDataAndTheLastBlockIsDiscarded() throws {
        #expect(try Self.events("data\n\ndata\ndata\n\ndata:").map(\.data) == ["", "\n"])
    }

    @Test func oneSpaceAfterTheColonIsLeftOut() throws {
        #expect(try Self.events("data:test\n\ndata: test\n\n").map(\.data) == ["test", "test"])
        #expect(try Self.events("data:  test\n\ndata:\ttest\n\n").map(\.data) == [" test", "\ttest"])
    }

    // MARK: Lines

    @Test(arguments: ["\n", "\r", "\r\n"])
    func everyKindOfEndEndsALine(_ end: String) throws {
        let text = ["data: a", "data: b", "", "data: c", "", ""].joined(separator: end)
        #expect(try Self.events(text).map(\.data) == ["a\nb", "c"])
        let bytes = text.utf8.map { Data([$0]) }
        #expect(try Self.outcome(bytes).events.map(\.data) == ["a\nb", "c"])
    }

    @Test func carriageReturnAndLineFeedMayBeCutApart() throws {
        #expect(try Self.events("data: a\r", "", "\ndata: b\r", "\n\r", "\n").map(\.data) == ["a\nb"])
        #expect(try Self.events("data: a\r", "\n", "\r", "data: b\r\r").map(\.data) == ["a", "b"])
    }

    @Test func carriageReturnEndsTheEventAtOnce() throws {
        #expect(try Self.events("data: a\r\r").map(\.data) == ["a"])
        #expect(try Self.events("data: a\r\n\r").map(\.data) == ["a"])
    }

    @Test func oneByteOrderMarkIsLeftOut() throws {
        #expect(try Self.events("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n").map(\.data) == ["a"])
        #expect(try Self.events("\u{FEFF}\u{FEFF}data: a\n\n") == [])
        #expect(try Self.events("\n\u{FEFF}data: a\n\n") == [])
        #expect(try Self.outcome("\u{FEFF}data: a\n\n".utf8.map { Data([$0]) }).events.map(\.data) == ["a"])
    }

    // MARK: Fields

    @Test(arguments: ["Data: x", "data : x", " data: x", "dat: x", "datas: x", ": x", ":data: x", "x"])
    func otherFieldsAreIgnored(_ line: String) throws {
        #expect(try Self.events(line + "\n\n") == [])
        #expect(try Self.events("data: a\n" + line + "\n\n") == [ServerSentEvent(data: "a")])
    }

    @Test func valueMayHoldColons() throws {
        #expect(try Self.events("data: a: b:\n\n").map(\.data) == ["a: b:"])
    }

    @Test func typeCountsForOneEvent() throws {
        #expect(try Self.events("event: a\nevent: b\ndata\n\ndata\n\n").map(\.type) == ["b", "message"])
        #expect(try Self.events("event: a\n\ndata\n\n").map(\.type) == ["message"])
        #expect(try Self.events("event: a\nevent:\ndata\n\n").map(\.type) == ["message"])
    }

    @Test func identifierPersists() throws {
        #expect(try Self.events("id: 1\ndata\n\ndata\n\nid: 2\ndata\n\nid\ndata\n\n").map(\.id) == ["1", "1", "2", ""])
    }

    @Test func identifierWithNullIsIgnored() throws {
        #expect(try Self.events("id: 1\nid: 2\0\ndata\n\n").map(\.id) == ["1"])
    }

    @Test func identifierCountsWithoutDataButNotBeforeTheEnd() throws {
        #expect(try Self.outcome([Data("id: 1\n\n".utf8)]) == .init(lastEventID: "1"))
        #expect(try Self.outcome([Data("id: 1\n\nid: 2\ndata: x\n".utf8)]) == .init(lastEventID: "1"))
    }

    @Test(arguments: [
        ("0", 0), ("10000", 10_000), ("00012", 12), ("2147483647", 2_147_483_647), ("2147483648", 2_147_483_647),
        (String(repeating: "9", count: 500), 2_147_483_647),
    ])
    func retryIsANumberOfMilliseconds(_ digits: String, _ milliseconds: Int) throws {
        let outcome = try Self.outcome([Data("retry: \(digits)\n".utf8)])
        #expect(outcome == .init(reconnectionTime: .milliseconds(milliseconds)))
        #expect(
            try Self.events("retry:\(digits)\ndata\n\ndata\n\n").map(\.retry) == [.milliseconds(milliseconds), nil]
        )
    }

    @Test(arguments: ["", "  1", "1 ", "-1", "+1", "1.5", "1e3", "0x10", "１", "a"])
    func retryOfAnythingElseIsIgnored(_ value: String) throws {
        #expect(try Self.outcome([Data("retry: 5\nretry: \(value)\n".utf8)]).reconnectionTime == .milliseconds(5))
    }

    @Test func invalidBytesAreReplaced() throws {
        #expect(
            try Self.outcome([Data("data: a".utf8) + Data([0xFF, 0xC3, 0x0A, 0x0A])]).events.map(\.data) == [
                "a\u{FFFD}\u{FFFD}"
            ]
        )
    }

    // MARK: Limits

    @Test(arguments: ["data: 34567890", "data\ndata: 789", "event:789\ndata", ":2345678901234", "id: 5678901234"])
    func eventsMayBeAsLongAsTheLimit(_ text: String) throws {
        let all = text + "\n\n"
        #expect(try Self.events(all, limit: 14) == Self.expectedOutcome(Data(all.utf8)).events)
        #expect(try Self.outcome(all.utf8.map { Data([$0]) }, limit: 14).events.count == Self.events(all).count)
    }

    @Test(arguments: [
        "data: 345678901", "data\ndata\ndata: 12345678", "event: 12345\ndata: 12345", ":23456789012345",
        "x345678901234567",
    ])
    func longerEventsAreRefused(_ text: String) {
        #expect(throws: TransferError.self) { try Self.events(text + "\n\n", limit: 14) }
        let error = #expect(throws: TransferError.self) { try Self.outcome(text.utf8.map { Data([$0]) }, limit: 14) }
        #expect(error?.code == .eventTooLong)
    }

    @Test func limitIsForEachEvent() throws {
        #expect(try Self.events(String(repeating: "event:x\ndata:a\n:b\n\n", count: 100), limit: 14).count == 100)
    }

    @Test(arguments: [0, -1, .min])
    func withoutRoomNothingPassesButEmptyLines(_ limit: Int) throws {
        #expect(try Self.events("\n\r\n\r", limit: limit) == [])
        #expect(throws: TransferError.self) { try Self.events(":", limit: limit) }
    }

    // MARK: Connecting again

    @Test func whatIsPendingIsForgottenAndWhatIsKnownStays() throws {
        var decoder = ServerSentEventDecoder(limit: 100)
        decoder.append(Data("id: 1\nretry: 7\ndata: a\n\nid: 2\nevent: b\ndata: c\nda".utf8))
        #expect(try decoder.next() == ServerSentEvent(data: "a", id: "1", retry: .milliseconds(7)))
        #expect(try decoder.next() == nil)
        decoder.discardPending()
        #expect(decoder.lastEventID == "1")
        #expect(decoder.reconnectionTime == .milliseconds(7))
        decoder.append(Data("\u{FEFF}data: d\n\n".utf8))
        #expect(try decoder.next() == ServerSentEvent(data: "d", id: "1"))
    }

    // MARK: Anything

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func anyCutGivesTheSameEvents(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let words = [
            "\n", "\n\n", "\r\n", "\r", "\r\r", "data", "data:", "data: ", "event: ", "id:", "id", "retry:", ":", " ",
            "7", "42",
            "word", "é", "😀", "\0", "\u{FEFF}", "data: x\n\n", "\nid: 5\n",
        ]
        for _ in 0..<20 {
            let data = Data.random(of: words, count: .random(in: 0..<100, using: &random), &random)
            let expected = Self.expectedOutcome(data)
            #expect(try Self.outcome([data]) == expected)
            #expect(try Self.outcome(data.pieces(&random)) == expected)
        }
    }
}
