import PiuPiuAsync
import PiuPiuTransforms
import TestSupport
@testable import PiuPiuRecording

extension FuzzTarget {
    // MARK: RFC3339

    static let rfc3339 = FuzzTarget(
        "RFC3339",
        seeds: [
            "2018-04-12T23:20:50Z", "0000-01-01t00:00:00.5+23:59", "9999-12-31T23:59:60-23:59",
            "2024-02-29T00:00:00.123456789Z", "1900-02-29T00:00:00Z", "2018-04-12T23:20:50", "",
        ],
        tokens: ["Z", "+00:00", "-", ":", ".", "T", "0000", "9999", "60", "\u{301}"],
        limit: 60
    ) { input, _ in
        let text = String(decoding: input, as: UTF8.self)
        guard let date = RFC3339.date(from: text) else { return }
        try demand(text.utf8.allSatisfy { $0 < 0x80 }, "what is not ASCII is read")
        guard let written = RFC3339.string(from: date) else {
            try demand(
                date.timeIntervalSince1970 < -62_167_219_200 || date.timeIntervalSince1970 >= 253_402_300_800,
                "a date of four digits is not written"
            )
            return
        }
        try demand(written.utf8.count == 20, "what is written is too long")
        let interval = date.timeIntervalSinceReferenceDate.rounded(.down)
        try demand(
            RFC3339.date(from: written)?.timeIntervalSinceReferenceDate == interval,
            "the date is another when it is written"
        )
        if text.utf8.count == 20, !text.contains("60") {
            try demand(written.lowercased() == text.lowercased(), "the text is another when it is written")
        }
    }

    // MARK: Transforms

    static let transforms = FuzzTarget(
        "Transforms",
        seeds: [
            "2020-01-01", "2020-01-01\u{301}", "-9223372036854775808", "+5", "Europe/Berlin", "GMT+25:00",
            "https://a.example/?b", "12:00 PM", "", "Sun, 06 Nov 1994 08:49:37 GMT",
        ],
        tokens: ["GMT", "+", "-", "Europe/", "..", "/", ":", "%", "PST", "\0", "01"],
        limit: 100
    ) { input, random in
        let text = String(decoding: input, as: UTF8.self)
        try roundTrip(IntAsStringTransform(Int8.self), text)
        try roundTrip(IntAsStringTransform(UInt64.self), text)
        try roundTrip(URLTransform(), text)
        try roundTrip(TimeZoneTransform(), text)
        if let number = try reading({ try IntFromStringTransform().from(json: text, codingPath: []) }) {
            try demand(
                StringFromIntTransform().from(json: number, codingPath: []) == String(number),
                "a number is another"
            )
        }
        // Making a formatter takes longer than all else.
        guard random.below(8) == 0 else { return }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = random.element(of: [
            "yyyy-MM-dd", "EEE, dd MMM yyyy HH:mm:ss zzz", "yyyy-MM-dd'T'HH:mm:ssZZZZZ",
        ])
        _ = try reading { try DateTransform(formatter: formatter).from(json: text, codingPath: []) }
    }

    /// What is read is the same after it was written and read again.
    private static func roundTrip<T: Transform>(_ transform: T, _ text: String) throws
    where
        T.JSONSource == String, T.JSONDestination == String, T.ValueSource == T.ValueDestination,
        T.ValueSource: Equatable
    {
        guard let value = try reading({ try transform.from(json: text, codingPath: []) }) else { return }
        let written = try transform.toJSON(value, codingPath: [])
        try demand(try transform.from(json: written, codingPath: []) == value, "a value is another when it is written")
    }

    private static func reading<Value>(_ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch is DecodingError {
            return nil
        }
    }

    // MARK: JSON

    static let jsonDecoder = FuzzTarget(
        "JSONDecoder",
        seeds: jsonSeeds + ["\"a\"", "1", "\u{FEFF}[1]", "[1,]", "[\u{0}1\u{0}]"],
        tokens: jsonTokens,
        limit: 1200
    ) { input, random in
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = random.picks(20)
        do {
            let value = try decoder.decodeGuarded(HARValue.self, from: Data(input))
            let data = try JSONEncoder().encode(value)
            let again = try decoder.decodeGuarded(HARValue.self, from: data)
            try demand(isSame(again, value), "it is another when it is written")
        } catch is DecodingError {
            return
        } catch is EncodingError {
            // A number that is not finite, which JSON5 has.
        }
    }

    /// Whether values are the same, as far as a `Double` can tell.
    ///
    /// Foundation reads a large number with a fraction as a `Double`, and reads the shortest text of that as an integer.
    private static func isSame(_ first: HARValue, _ second: HARValue) -> Bool {
        switch (first, second) {
        case (.array(let first), .array(let second)):
            first.count == second.count && zip(first, second).allSatisfy(isSame)
        case (.object(let first), .object(let second)):
            first.count == second.count
                && first.allSatisfy { key, value in second[key].map { isSame(value, $0) } ?? false }
        case (.integer(let integer), .number(let number)), (.number(let number), .integer(let integer)):
            abs(Double(integer) - number) <= abs(number) / 0x1p49
        default: first == second
        }
    }

    private static let jsonSeeds = [
        #"{"a":[1,-2.5,1e10,true,null,"x\u0000\ud83c\udf88"],"":{}}"#, "[]", "[[[[[[]]]]]]", #"{"a":1,"a":2}"#,
        "[18446744073709551615,-9223372036854775808,0.1,-0.0,1e308]",
    ]
    private static let jsonTokens = [
        "[", "]", "{", "}", ",", ":", "\"", "\\", "\\ud800", "1e400", "-0", "null", "true", "[[[[", "{\"a\":", "//",
        "NaN",
    ]

    // MARK: JSONObject

    static let jsonObject = FuzzTarget("JSONObject", seeds: jsonSeeds, tokens: jsonTokens, limit: 600) { input, _ in
        // Foundation on Linux drops a byte order mark at the beginning of each text, another one each time.
        guard let value = try? JSONSerialization.jsonObject(with: Data(input)),
            !String(describing: value).unicodeScalars.contains("\u{FEFF}")
        else { return }
        do {
            let data = try JSONObject.data(of: value, options: [.sortedKeys])
            let again = try JSONSerialization.jsonObject(with: data)
            // Not the bytes: -0.0 is written as -0, which is read as 0.
            try demand(isSameObject(again, value), "it is another when it is written")
        } catch is EncodingError {
            // What JSON has no form for, such as a number that became infinite.
        }
    }

    /// Whether objects are the same, as far as a `Double` can tell.
    ///
    /// What was read as a decimal number is never equal to the integer that it is written as. Only a Boolean value has the
    /// type "c".
    private static func isSameObject(_ first: Any, _ second: Any) -> Bool {
        switch (first, second) {
        case (let first as [Any], let second as [Any]):
            first.count == second.count && zip(first, second).allSatisfy { isSameObject($0, $1) }
        case (let first as [String: Any], let second as [String: Any]):
            first.count == second.count
                && first.allSatisfy { key, value in second[key].map { isSameObject(value, $0) } ?? false }
        case (let first as NSNumber, let second as NSNumber):
            abs(first.doubleValue - second.doubleValue) <= abs(first.doubleValue) / 0x1p49
                && (first.objCType.pointee == 0x63) == (second.objCType.pointee == 0x63)
        default: NSArray(object: first).isEqual(NSArray(object: second))
        }
    }
}

extension HARValue: Encodable {
    /// Writes the value as it was read.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
