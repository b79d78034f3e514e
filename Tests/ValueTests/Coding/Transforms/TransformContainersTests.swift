import PiuPiuAsync
import PiuPiuTransforms
import SuiteSupport
import TestSupport
import Testing

struct TransformContainersTests {
    private func failure(_ body: () throws -> Any, _ location: SourceLocation = #_sourceLocation) -> (any Error)? {
        #expect(throws: (any Error).self, sourceLocation: location) { _ = try body() }
    }

    // MARK: Keyed

    private func keyed<Value>(_ json: String, _ body: (KeyedDecodingContainer<Name>) throws -> Value) throws -> Value {
        try CodingBox.decode(json) { try body($0.container(keyedBy: Name.self)) }
    }

    private func keyed(_ body: (inout KeyedEncodingContainer<Name>) throws -> Void) throws -> String {
        try CodingBox.encode {
            var container = $0.container(keyedBy: Name.self)
            try body(&container)
        }
    }

    @Test func keysAreReadWithTransforms() throws {
        let zone = try keyed(#"{"a":"UTC"}"#) { try $0.decode(using: TimeZoneTransform(), forKey: "a") }
        #expect(zone.secondsFromGMT() == 0)
        let port: UInt16 = try keyed(#"{"a":"8080"}"#) { try $0.decode(using: IntAsStringTransform(), forKey: "a") }
        #expect(port == 8080)
    }

    @Test(arguments: [#"{}"#, #"{"a":null}"#])
    func keysThatMayBeMissingAreNone(json: String) throws {
        let value = try keyed(json) { try $0.decodeIfPresent(using: URLTransform(), forKey: "a") }
        #expect(value == nil)
    }

    // The documents of PiuPiu 1 warn of an optional of an optional here.
    @Test(arguments: [(#"{}"#, nil), (#"{"a":null}"#, nil), (#"{"a":""}"#, nil), (#"{"a":"x"}"#, "x")])
    func transformsThatGiveNoneGiveOneOptional(json: String, expected: String?) throws {
        try keyed(json) { container in
            let value = try container.decodeIfPresent(using: EmptyStringTransform(), forKey: "a")
            // Does not compile with `String??`.
            let text: String = value ?? "none"
            #expect(text == expected ?? "none")
            let coalesced: String? = try container.decodeIfPresent(using: EmptyStringTransform(), forKey: "a") ?? nil
            #expect(coalesced == expected)
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"a":null}"#, #"{"a":1}"#, #"{"a":"x"}"#, #"{"a":[]}"#, #"{"a":{}}"#, #"{"a":true}"#, #"{"a":1e400}"#,
    ])
    func errorsOfKeysHaveTheirPath(json: String) {
        let nested = #"{"outer":\#(json)}"#
        let error = failure {
            try keyed(nested) {
                try $0.nestedContainer(keyedBy: Name.self, forKey: "outer")
                    .decode(using: IntFromStringTransform(), forKey: "a")
            }
        }
        // The path of a missing key is that of the container, and the key is beside it.
        let isMissing = json == "{}"
        #expect(error is DecodingError)
        #expect(codingPath(of: error) == (isMissing ? ["outer"] : ["outer", "a"]))
    }

    // Foundation leaves the path out if a number does not fit.
    @Test(arguments: ["0.5", "1e400", "9223372036854775808", "-1e308"])
    func numbersThatDoNotFitHaveTheirPath(number: String) {
        let transform = StringAsIntTransform()
        let key = failure { try keyed(#"{"a":\#(number)}"#) { try $0.decode(using: transform, forKey: "a") } }
        #expect(codingPath(of: key) == ["a"])
        let optional = failure {
            try keyed(#"{"a":\#(number)}"#) { try $0.decodeIfPresent(using: transform, forKey: "a") as Any }
        }
        #expect(codingPath(of: optional) == ["a"])
        let element = failure { try unkeyed("[\(number)]") { try $0.decode(using: transform) } }
        #expect(codingPath(of: element) == ["Index 0"])
        let single = failure {
            try keyed(#"{"a":\#(number)}"#) {
                try $0.superDecoder(forKey: "a").singleValueContainer().decode(using: transform)
            }
        }
        #expect(codingPath(of: single) == ["a"])
    }

    @Test func keysAreWrittenWithTransforms() throws {
        let json = try keyed { container in
            try container.encode(42, forKey: "a", using: IntAsStringTransform())
            try container.encodeIfPresent(TimeZone(identifier: "UTC"), forKey: "b", using: TimeZoneTransform())
            try container.encodeIfPresent(nil, forKey: "c", using: TimeZoneTransform())
            try container.encode("", forKey: "d", using: EmptyStringTransform())
            try container.encode("x", forKey: "e", using: EmptyStringTransform())
        }
        #expect(json == #"{"a":"42","b":"GMT","d":null,"e":"x"}"#)
    }

    @Test func noneIsLeftOutWithTransformsThatTakeNone() throws {
        let none: String? = nil
        let empty: String? = ""
        let json = try keyed { container in
            try container.encodeIfPresent(none, forKey: "a", using: EmptyStringTransform())
            try container.encodeIfPresent(nil, forKey: "b", using: EmptyStringTransform())
            try container.encodeIfPresent(empty, forKey: "c", using: EmptyStringTransform())
        }
        #expect(json == #"{"c":null}"#)
    }

    @Test func errorsOfWrittenKeysHaveTheirPath() {
        let error = failure {
            try keyed { container in
                var nested = container.nestedContainer(keyedBy: Name.self, forKey: "outer")
                try nested.encode("x", forKey: "a", using: StringAsIntTransform())
            }
        }
        #expect(error is EncodingError && codingPath(of: error) == ["outer", "a"])
    }

    /// Makes what JSON cannot hold.
    private struct InfinityTransform: EncodingTransform {
        func toJSON(_ value: Int, codingPath: [any CodingKey]) -> Double { .infinity }
    }

    @Test func valuesThatTheEncoderRefusesHaveTheirPath() {
        let error = failure { try keyed { try $0.encode(1, forKey: "a", using: InfinityTransform()) } }
        #expect(codingPath(of: error) == ["a"])
        let second = failure {
            try CodingBox.encode {
                var container = $0.unkeyedContainer()
                try container.encode(1)
                try container.encode(1, using: InfinityTransform())
            }
        }
        #expect(codingPath(of: second) == ["Index 1"])
    }

    private struct Refusal: Error, Equatable {}

    private struct RefusingTransform: Transform {
        func from(json: String, codingPath: [any CodingKey]) throws -> Int { throw Refusal() }
        func toJSON(_ value: Int, codingPath: [any CodingKey]) throws -> String { throw Refusal() }
    }

    @Test func errorsOfYourOwnArePassedOn() {
        #expect(throws: Refusal()) {
            try keyed(#"{"a":""}"#) { try $0.decode(using: RefusingTransform(), forKey: "a") }
        }
        #expect(throws: Refusal()) { try keyed { try $0.encode(1, forKey: "a", using: RefusingTransform()) } }
    }

    // MARK: Unkeyed

    private func unkeyed<Value>(
        _ json: String,
        _ body: (inout any UnkeyedDecodingContainer) throws -> Value
    ) throws -> Value {
        try CodingBox.decode(json) {
            var container = try $0.unkeyedContainer()
            return try body(&container)
        }
    }

    @Test func elementsAreReadWithTransforms() throws {
        try unkeyed(#"["1",null,"","x","2"]"#) { container in
            #expect(try container.decode(using: IntFromStringTransform()) == 1)
            #expect(try container.decodeIfPresent(using: IntFromStringTransform()) == nil)
            let none: String? = try container.decodeIfPresent(using: EmptyStringTransform())
            #expect(none == nil)
            let text = try container.decodeIfPresent(using: EmptyStringTransform())
            #expect((text ?? "none") == "x")
            #expect(try container.decodeIfPresent(using: IntFromStringTransform()) == 2)
            #expect(container.isAtEnd)
            #expect(try container.decodeIfPresent(using: IntFromStringTransform()) == nil)
            let end: String? = try container.decodeIfPresent(using: EmptyStringTransform())
            #expect(end == nil)
        }
    }

    @Test func elementsThatCannotBeReadAreNotSteppedOver() throws {
        try unkeyed(#"["1","x",2]"#) { container in
            _ = try container.decode(using: IntFromStringTransform())
            let corrupted = failure { try container.decode(using: IntFromStringTransform()) }
            #expect(codingPath(of: corrupted) == ["Index 1"])
            #expect(container.currentIndex == 1)
            #expect(try container.decode(String.self) == "x")
            let mismatch = failure { try container.decodeIfPresent(using: IntFromStringTransform()) as Any }
            #expect(codingPath(of: mismatch) == ["Index 2"])
            #expect(try container.decode(Int.self) == 2)
            let end = failure { try container.decode(using: IntFromStringTransform()) }
            #expect(codingPath(of: end) == ["Index 3"])
        }
    }

    @Test func elementsAreWrittenWithTransforms() throws {
        let json = try CodingBox.encode {
            var container = $0.unkeyedContainer()
            try container.encode(42, using: IntAsStringTransform())
            try container.encodeIfPresent(nil, using: TimeZoneTransform())
            try container.encodeIfPresent(7, using: StringFromIntTransform())
            try container.encodeIfPresent(String?.none, using: EmptyStringTransform())
            try container.encode("", using: EmptyStringTransform())
            let error = failure { try container.encode("x", using: StringAsIntTransform()) }
            #expect(codingPath(of: error) == ["Index 5"])
        }
        #expect(json == #"["42",null,"7",null,null]"#)
    }

    @Test func deepElementsHaveTheirWholePath() {
        let depth = 200
        let json = String(repeating: "[", count: depth) + #""x""# + String(repeating: "]", count: depth)
        let error = failure {
            try unkeyed(json) { container in
                for _ in 1..<depth { container = try container.nestedUnkeyedContainer() }
                return try container.decode(using: IntFromStringTransform())
            }
        }
        #expect(codingPath(of: error) == Array(repeating: "Index 0", count: depth))
    }

    // MARK: Single values

    @Test func singleValuesAreReadWithTransforms() throws {
        let values = try CodingBox.decode(#""7""#) {
            let container = try $0.singleValueContainer()
            return (
                try container.decode(using: IntFromStringTransform()),
                try container.decodeIfPresent(using: IntFromStringTransform()),
                try container.decodeIfPresent(using: EmptyStringTransform()) ?? "none"
            )
        }
        #expect(values == (7, 7, "7"))
    }

    @Test func singleValuesMayBeNone() throws {
        let isNone = try CodingBox.decode("null") {
            let container = try $0.singleValueContainer()
            let text: String? = try container.decodeIfPresent(using: EmptyStringTransform())
            return try text == nil && container.decodeIfPresent(using: URLTransform()) == nil
        }
        #expect(isNone)
    }

    private struct Identifier: Codable, Equatable {
        var number: Int

        init(_ number: Int) { self.number = number }

        init(from decoder: any Decoder) throws {
            number = try decoder.singleValueContainer().decode(using: IntAsStringTransform())
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number, using: IntAsStringTransform())
        }
    }

    @Test func singleValuesHaveThePathOfTheirContainer() throws {
        let data = try JSONEncoder().encode(["a": [Identifier(1), Identifier(-2)]])
        #expect(String(decoding: data, as: UTF8.self) == #"{"a":["1","-2"]}"#)
        let read = try JSONDecoder().decode([String: [Identifier]].self, from: data)
        #expect(read == ["a": [Identifier(1), Identifier(-2)]])
        for json in [#"{"a":["1","x"]}"#, #"{"a":["1",2]}"#, #"{"a":["1",null]}"#] {
            let error = failure { try JSONDecoder().decode([String: [Identifier]].self, from: Data(json.utf8)) }
            #expect(codingPath(of: error) == ["a", "Index 1"])
        }
    }

    @Test func singleValuesAreWrittenWithTransforms() throws {
        func written(_ body: (inout any SingleValueEncodingContainer) throws -> Void) throws -> String {
            try CodingBox.encode {
                var container = $0.singleValueContainer()
                try body(&container)
            }
        }
        #expect(try written { try $0.encodeIfPresent(nil, using: URLTransform()) } == "null")
        #expect(try written { try $0.encodeIfPresent(7, using: StringFromIntTransform()) } == #""7""#)
        #expect(try written { try $0.encodeIfPresent(String?.none, using: EmptyStringTransform()) } == "null")
        #expect(try written { try $0.encodeIfPresent("x", using: EmptyStringTransform()) } == #""x""#)
        let error = failure { try written { try $0.encode("x", using: StringAsIntTransform()) } }
        #expect(codingPath(of: error) == [])
    }
}
