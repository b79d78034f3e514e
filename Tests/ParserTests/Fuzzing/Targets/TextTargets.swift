import PiuPiuEngine
import SuiteSupport
import TestSupport

@testable import PiuPiuAsync

extension FuzzTarget {
    private static let texts = [
        "one\ntwo\r\nthree\r\rfour\n\n\r\nlast", "", "\n", "\r", "\r\n", "a\r", "schön 🎈\nx\u{0}y\n",
        "{\"a\":1}\n\n \t\r\n[2]\r\n\"three\"", "long long long long long long long line\nshort\n",
    ]
    private static let textTokens = ["\n", "\r", "\r\n", "\n\n", "\r\r\n", "{\"a\":1}", " ", "\t", "0123456789"]

    /// What a decoder gave, and whether it ended with an error.
    private struct Outcome<Element: Equatable>: Equatable {
        var elements: [Element] = []
        var isTooLong = false

        /// Feeds pieces, and takes all there is after each.
        init(_ pieces: [Data], _ decoder: inout some ChunkDecoder<Element>) throws {
            do {
                for piece in pieces {
                    decoder.append(piece)
                    while let element = try decoder.next() { elements.append(element) }
                }
                if let last = try decoder.finish() { elements.append(last) }
            } catch let error as TransferError {
                try demand(error.code == .lineTooLong || error.code == .eventTooLong, "another error than it may be")
                isTooLong = true
            }
        }
    }

    // MARK: Lines

    static let lines = FuzzTarget("Lines", seeds: texts, tokens: textTokens, limit: 600) { input, random in
        let limit = random.element(of: [0, 1, 10, 40, 1000, -1])
        let whole = try lines([Data(input)], limit: limit)
        try demand(try lines(Data(input).pieces(&random), limit: limit) == whole, "pieces give other lines")
        var expected: [String] = []
        var isTooLong = false
        for line in input.lines {
            var content = line[...]
            if content.last == 0x0A {
                content.removeLast()
                if content.last == 0x0D { content.removeLast() }
            }
            isTooLong = content.count > max(0, limit)
            if isTooLong { break }
            expected.append(String(decoding: content, as: UTF8.self))
        }
        try demand(whole.elements == expected && whole.isTooLong == isTooLong, "the lines are others")
        if random.below(500) == 0 {
            try Growth.check(16 << 10) { size in
                let data = Data(repeatElement(input, count: size / max(1, input.count) + 1).joined().prefix(size))
                _ = try lines(
                    stride(from: 0, to: data.count, by: 7).map { data[$0..<min(data.count, $0 + 7)] },
                    limit: .max
                )
            }
        }
    }

    private static func lines(_ pieces: [Data], limit: Int) throws -> Outcome<String> {
        var decoder = LineDecoder(limit: limit)
        return try Outcome(pieces, &decoder)
    }

    // MARK: Lines of JSON

    static let jsonLines = FuzzTarget("JSONLines", seeds: texts, tokens: textTokens, limit: 600) { input, random in
        let limit = random.element(of: [0, 1, 10, 40, 1000])
        let whole = try jsonLines([Data(input)], limit: limit)
        try demand(try jsonLines(Data(input).pieces(&random), limit: limit) == whole, "pieces give other lines")
        let lines = try lines([Data(input)], limit: limit)
        try demand(lines.isTooLong == whole.isTooLong, "the limit is another than that of lines")
        let expected = lines.elements.filter { !$0.utf8.allSatisfy { $0.isHTTPWhitespace || $0 == 0x0D } }
        try demand(whole.elements.map { String(decoding: $0, as: UTF8.self) } == expected, "the lines are others")
    }

    private static func jsonLines(_ pieces: [Data], limit: Int) throws -> Outcome<Data> {
        var splitter = LineDecoder.json(limit: limit)
        return try Outcome(pieces, &splitter)
    }

    // MARK: Server-sent events

    static let serverSentEvents = FuzzTarget(
        "ServerSentEvents",
        seeds: [
            "data: a\ndata: b\nid: 1\nevent: x\nretry: 100\n\ndata: c\n\n", ":comment\r\rdata\r\ndata\r\n\r\ndata:\n",
            "\u{FEFF}data:  x\r\rid\ndata: y\n\n", "id: a\u{0}b\nretry: 1x\nretry: 99999999999999999999\ndata: 1\n\n",
            "data: no end", "event: only\n\nid: 7\n\ndata:z\n\n", "\r\n\n\rDATA: a\n\n data: b\n\n",
        ],
        tokens: [
            "data", "data: ", "id", "id:", "event:", "retry:", "\n\n", "\r", "\r\n", ":", ": ", "\u{FEFF}", "123",
        ],
        limit: 600
    ) { input, random in
        let limit = random.element(of: [0, 5, 20, 100, 10_000])
        let whole = try events([Data(input)], limit: limit)
        let pieces = try events(Data(input).pieces(&random), limit: limit)
        try demand(pieces.outcome == whole.outcome, "pieces give other events")
        try demand(
            whole.outcome.isTooLong || pieces.decoder.lastEventID == whole.decoder.lastEventID,
            "the identifier differs"
        )
        try demand(
            whole.outcome.isTooLong || pieces.decoder.reconnectionTime == whole.decoder.reconnectionTime,
            "the time differs"
        )
        let reference = ReferenceEvents(input)
        if limit == 10_000 {
            try demand(whole.outcome.elements == reference.events, "the events are others than the standard's")
            try demand(whole.decoder.lastEventID == reference.lastEventID, "the identifier is another")
            try demand(whole.decoder.reconnectionTime == reference.reconnectionTime, "the time is another")
        } else {
            let count = whole.outcome.elements.count
            try demand(whole.outcome.elements == Array(reference.events.prefix(count)), "the first events are others")
            let most = whole.outcome.elements.map { $0.data.utf8.count }.max() ?? 0
            // Bytes that are not UTF-8 become three.
            try demand(most <= 3 * limit, "an event is larger than the limit")
            try demand(whole.outcome.isTooLong || count == reference.events.count, "events are missing")
        }
        if random.below(500) == 0 {
            try Growth.check(16 << 10) { size in
                let data = Data(repeatElement(input, count: size / max(1, input.count) + 1).joined().prefix(size))
                _ = try events(
                    stride(from: 0, to: data.count, by: 7).map { data[$0..<min(data.count, $0 + 7)] },
                    limit: .max
                )
            }
        }
    }

    private static func events(
        _ pieces: [Data],
        limit: Int
    ) throws -> (outcome: Outcome<ServerSentEvent>, decoder: ServerSentEventDecoder) {
        var decoder = ServerSentEventDecoder(limit: limit)
        return (try Outcome(pieces, &decoder), decoder)
    }
}
