import Foundation
import PiuPiuFutures
import Testing

struct Celsius: Equatable {
    var degrees: Double
}

// Row: EncodingTransform, .ValueSource, .JSONDestination, .toJSON(_:codingPath:)
class CelsiusEncoder: EncodingTransform {
    typealias ValueSource = Celsius
    typealias JSONDestination = Double

    func toJSON(_ value: Celsius, codingPath: [CodingKey]) throws -> Double {
        return value.degrees
    }
}

// Row: DecodingTransform, .JSONSource, .ValueDestination, .from(json:codingPath:)
class CelsiusDecoder: DecodingTransform {
    typealias JSONSource = Double
    typealias ValueDestination = Celsius

    func from(json: Double, codingPath: [CodingKey]) throws -> Celsius {
        return Celsius(degrees: json)
    }
}

// Row: Transform
class CelsiusTransform: Transform {
    func from(json: Double, codingPath: [CodingKey]) throws -> Celsius {
        return Celsius(degrees: json)
    }

    func toJSON(_ value: Celsius, codingPath: [CodingKey]) throws -> Double {
        return value.degrees
    }
}

struct Weather: Codable, Equatable {
    enum CodingKeys: String, CodingKey {
        case temperature, zone, note, source
    }

    var temperature: Celsius
    var zone: TimeZone
    var note: String?
    var source: URL?

    init(temperature: Celsius, zone: TimeZone, note: String?, source: URL?) {
        self.temperature = temperature
        self.zone = zone
        self.note = note
        self.source = source
    }

    // Row: KeyedDecodingContainer.decode(using:forKey:), .decodeIfPresent(using:forKey:)
    init(from decoder: Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        temperature = try container.decode(using: CelsiusTransform(), forKey: .temperature)
        zone = try container.decode(using: TimeZoneTransform(), forKey: .zone)
        note = try container.decodeIfPresent(using: EmptyStringTransform(), forKey: .note) ?? nil
        source = try container.decodeIfPresent(using: URLTransform(), forKey: .source)
    }

    // Row: KeyedEncodingContainer.encode(_:forKey:using:), .encodeIfPresent(_:forKey:using:)
    func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(temperature, forKey: .temperature, using: CelsiusTransform())
        try container.encode(zone, forKey: .zone, using: TimeZoneTransform())
        try container.encodeIfPresent(note, forKey: .note, using: EmptyStringTransform())
        try container.encodeIfPresent(source, forKey: .source, using: URLTransform())
    }
}

class TransformUser {
    // Row: EncodingTransform.transform(value:), DecodingTransform.transform(json:)
    @available(*, deprecated)
    func asBefore() throws -> (Double, Celsius) {
        return (
            try CelsiusEncoder().transform(value: Celsius(degrees: 1)), try CelsiusDecoder().transform(json: 1)
        )
    }

    // Row: DateTransform(formatter:codingPath:)
    @available(*, deprecated)
    func dateTransformAsBefore() -> DateTransform {
        return DateTransform(formatter: .rfc3339, codingPath: [])
    }

    // Row: from(json:codingPath:), toJSON(_:codingPath:), formatter of DateTransform
    func date(_ transform: DateTransform) throws -> String {
        let date: Date = try transform.from(json: "2020-01-01T00:00:00Z", codingPath: [])
        return try transform.toJSON(date, codingPath: []) + transform.formatter.string(from: date)
    }

    // Row: TimeZoneTransform(), URLTransform(), EmptyStringTransform()
    let zones = TimeZoneTransform()
    let urls = URLTransform()
    let texts = EmptyStringTransform()

    // Row: IntFromStringTransform(), StringFromIntTransform()
    let numbers = IntFromStringTransform()
    let digits = StringFromIntTransform()

    // Row: from(json:codingPath:), toJSON(_:codingPath:) of TimeZoneTransform, URLTransform, EmptyStringTransform,
    // IntFromStringTransform and StringFromIntTransform
    func all() throws -> [String] {
        let number: Int64 = try numbers.from(json: "1", codingPath: [])
        let otherNumber: Int64 = try numbers.toJSON("1", codingPath: [])
        return [
            zones.toJSON(try zones.from(json: "Europe/Berlin", codingPath: []), codingPath: []),
            urls.toJSON(try urls.from(json: "https://example.com", codingPath: []), codingPath: []),
            texts.toJSON(texts.from(json: "text", codingPath: []), codingPath: []) ?? "",
            digits.from(json: number, codingPath: []),
            digits.toJSON(otherNumber, codingPath: []),
        ]
    }

    // Row: TimeZoneTransform.TransformError, .invalidIdentifier
    func isUnknownZone(_ error: Error) -> Bool {
        if case DecodingError.dataCorrupted = error { return true }
        return false
    }

    // Row: DateFormatter.rfc3339, JSONEncoder.DateEncodingStrategy.rfc3339, JSONDecoder.DateDecodingStrategy.rfc3339
    func coders() -> (JSONEncoder, JSONDecoder, DateFormatter) {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .rfc3339
        encoder.dateEncodingStrategy = JSONEncoder.DateEncodingStrategy.rfc3339
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .rfc3339
        decoder.dateDecodingStrategy = JSONDecoder.DateDecodingStrategy.rfc3339
        return (encoder, decoder, DateFormatter.rfc3339)
    }
}

struct TransformRowsTests {
    @Test func modelsComeBack() throws {
        let weather = Weather(
            temperature: Celsius(degrees: 20),
            zone: try #require(TimeZone(identifier: "Europe/Berlin")),
            note: nil,
            source: URL(string: "https://example.com")
        )
        #expect(try JSONDecoder().decode(Weather.self, from: JSONEncoder().encode(weather)) == weather)
    }

    @Test func transformsWork() throws {
        let user = TransformUser()
        #expect(try user.all() == ["Europe/Berlin", "https://example.com", "text", "1", "1"])
        #expect(throws: DecodingError.self) { try user.zones.from(json: "Nowhere", codingPath: []) }
        let (encoder, decoder, _) = user.coders()
        let dates = [Date(timeIntervalSince1970: 0)]
        #expect(try decoder.decode([Date].self, from: encoder.encode(dates)) == dates)
    }
}
