import SuiteSupport
import TestSupport

@testable import PiuPiuAsync

extension FuzzTarget {
    // MARK: ContentRange

    static let contentRange = FuzzTarget(
        "ContentRange",
        seeds: [
            "bytes 5-9/10", "bytes 0-0/*", "Bytes 0-9223372036854775806/9223372036854775807", "bytes */10",
            "bytes 9-5/10", "bytes 0-9223372036854775807/*", "items 0-1/2", "bytes 5-9/9", "bytes=5-9/10", "",
        ],
        tokens: ["bytes ", "-", "/", "*", " ", "9223372036854775807", "+", "0"],
        limit: 120
    ) { input, _ in
        guard let range = ContentRange(String(decoding: input, as: UTF8.self)) else { return }
        try demand(range.first >= 0 && range.first <= range.last, "the bounds are in the wrong order")
        try demand(range.total.map { range.last < $0 } ?? true, "it ends behind the whole")
        try demand(
            range.count > 0 && (range.count == .max || range.count - 1 == range.last - range.first),
            "the count is wrong"
        )
        let text = "bytes \(range.first)-\(range.last)/\(range.total.map(String.init) ?? "*")"
        try demand(ContentRange(text) == range, "it is another one when it is written")
        let digits = input.split { !(0x30...0x39).contains($0) }.map { String(decoding: $0, as: UTF8.self) }
        try demand(digits.prefix(2).map { Int64($0) } == [range.first, range.last], "the numbers are others")
    }

    // MARK: HTTPDate

    static let httpDate = FuzzTarget(
        "HTTPDate",
        seeds: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Thu, 29 Feb 2024 23:59:60 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
            "Sat, 01 Jan 0000 00:00:00 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Sun, 06 Nov 1994 08:49:37 GMT\u{301} GMT",
        ],
        tokens: [" GMT", "Mon, ", " Feb ", "29", "60", ":", "0000", "T", "Z", "."],
        limit: 60
    ) { input, _ in
        let text = String(decoding: input, as: UTF8.self)
        guard let date = HTTPDate.parse(text) else { return }
        try demand(text.utf8.count == 29 && text.hasSuffix(" GMT"), "another form is read")
        guard let written = RFC3339.string(from: date) else { return }
        let second = text.utf8.dropFirst(23).prefix(2).elementsEqual("60".utf8)
        try demand(
            second || written.utf8.dropFirst(8).prefix(2).elementsEqual(text.utf8.dropFirst(5).prefix(2)),
            "the day is another"
        )
        try demand(
            second || written.utf8.dropFirst(11).prefix(8).elementsEqual(text.utf8.dropFirst(17).prefix(8)),
            "the time is another"
        )
    }

    // MARK: ResumptionRecord

    static let resumptionRecord = FuzzTarget(
        "ResumptionRecord",
        seeds: [
            #"{"resource":"r","size":10,"validator":"\"tag\""}"#,
            #"{"resource":"r","validator":"Sun, 06 Nov 1994 08:49:37 GMT"}"#,
            #"{"resource":"r","size":-1,"validator":"\"a\r\nX: b\""}"#,
            #"{"resource":"r","size":1.5,"validator":"W/\"a\""}"#, "[]", "", "{",
        ],
        tokens: ["\"resource\"", "\"r\"", "\\\"", "\\u0000", "\\ud800", "null", "9223372036854775808", "{", "[", ","],
        limit: 400
    ) { input, _ in
        let file = FileManager.default.temporaryDirectory.appending(path: "PiuPiuFuzz-\(getpid())-record.json")
        defer { OpenFile.remove(file) }
        OpenFile.remove(file)
        try OpenFile.creating(file).write(Data(input), at: 0)
        guard let record = ResumptionRecord.read(file, resource: "r") else { return }
        try demand(record.resource == "r", "it is about something else")
        let text = record.validator
        try demand(!text.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "the validator has a control character")
        try demand(text.hasPrefix("\"") || HTTPDate.parse(text) != nil, "the validator is none")
        try record.write(to: file)
        try demand(ResumptionRecord.read(file, resource: "r") == record, "it is another one when it is written")
        for length in [0, 1, 9, 10, 11, Int64.max] {
            let plan = ResumptionPlan(record: record, partLength: length)
            try demand(plan.offset >= 0 && plan.offset <= length, "the offset is not in the part")
            try demand(
                plan.offset == 0 || record.size.map { plan.offset < $0 } ?? true,
                "the offset is at the end or behind it"
            )
        }
    }

    // MARK: ResumptionPlan

    /// A size, the length of the part, a status code, `Content-Range`, `ETag`, `Last-Modified`, the length of the body.
    static let resumptionPlan = FuzzTarget(
        "ResumptionPlan",
        seeds: [
            "10\u{1E}5\u{1E}206\u{1E}bytes 5-9/10\u{1E}\"a\"\u{1E}\u{1E}5",
            "\u{1E}5\u{1E}206\u{1E}bytes 5-9/*\u{1E}\"a\"\u{1E}\u{1E}",
            "10\u{1E}10\u{1E}206\u{1E}bytes 9-9/10\u{1E}\u{1E}\u{1E}1",
            "10\u{1E}5\u{1E}416\u{1E}bytes */10\u{1E}\u{1E}\u{1E}",
            "10\u{1E}5\u{1E}200\u{1E}\u{1E}\"b\"\u{1E}\u{1E}12", "10\u{1E}5\u{1E}404\u{1E}\u{1E}\u{1E}\u{1E}3",
            "10\u{1E}5\u{1E}206\u{1E}bytes 5-20/*\u{1E}\"a\"\u{1E}\u{1E}16",
        ],
        tokens: ["\u{1E}", "bytes ", "-", "/", "*", "\"a\"", "206", "416", "200", "9223372036854775807"],
        limit: 300
    ) { input, _ in
        let texts = input.texts(7)
        let size = Int64(texts[0]).map { abs($0 == .min ? 0 : $0) }
        let known = Fixture.head(headers: ["ETag": "\"a\""])
        let record = ResumptionRecord(known, resource: "r", size: size)
        let plan = ResumptionPlan(record: record, partLength: Int64(texts[1]) ?? 0)
        var headers: HTTPHeaderFields = [:]
        for (name, value) in zip(["Content-Range", "ETag", "Last-Modified"], texts[3...5]) where !value.isEmpty {
            headers[name] = value
        }
        let code = Int(texts[2]) ?? 200
        let length = Int64(texts[6]).map { abs($0 == .min ? 0 : $0) }
        let head = Fixture.head(StatusCode(rawValue: code), headers: headers)
        switch plan.decide(head, length: length) {
        case .write(let offset, let total) where offset > 0:
            try demand(code == 206 && offset == plan.offset, "a part is written that is none, or elsewhere")
            try demand(texts[4].isEmpty || texts[4] == "\"a\"", "a part of something else is written")
            guard let total, let range = ContentRange(texts[3]) else { throw FuzzFailure("nobody knows the end") }
            try demand(size == nil || total == size, "the whole has another size")
            try demand(range.last < total, "it ends behind the whole")
            try demand(length.map { $0 == range.count } ?? true, "the body is not the range")
        case .write(_, let total):
            let isPart = [204, 205, 206].contains(code)
            try demand((200..<300).contains(code) && (!isPart || plan.offset == 0), "a failure is written")
            try demand(total == length, "the length is another")
        case .askAgain: try demand(plan.offset > 0, "it asks the same again")
        case .other: try demand(!(200..<300).contains(code), "a success is none")
        }
    }
}
