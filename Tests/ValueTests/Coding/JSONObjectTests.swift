import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct JSONObjectTests {
    private func text(_ object: Any) throws -> String {
        String(decoding: try JSONObject.data(of: object, options: [.sortedKeys]), as: UTF8.self)
    }

    @Test func everyKindOfValueIsWritten() throws {
        let object: [String: Any?] = [
            "a": nil, "b": NSNull(), "c": "é", "d": true, "e": false, "f": 1, "g": -1.5, "h": [1, nil, "x"] as [Any?],
            "i": ["j": nil] as [String: Any?], "k": UInt64.max, "l": Int8(-1), "m": Float(0.5),
            "n": [] as [Int],
            "o": 1 as Int?, "p": nil as Int? as Any, "q": [:] as [String: Int], "r": CGFloat(1.5),
        ]
        #expect(
            try text(object) == """
                {"a":null,"b":null,"c":"é","d":true,"e":false,"f":1,"g":-1.5,"h":[1,null,"x"],"i":{"j":null},\
                "k":18446744073709551615,"l":-1,"m":0.5,"n":[],"o":1,"p":null,"q":{},"r":1.5}
                """
        )
    }

    @Test func numbersOfFoundationKeepTheirKind() throws {
        #expect(try text([NSNumber(value: true), NSNumber(value: 1), NSNumber(value: 1.5)]) == "[true,1,1.5]")
        #expect(try text([1, 0] as [Int]) == "[1,0]")
        #expect(try text([Decimal(string: "0.1") ?? 0]) == "[0.1]")
    }

    @Test(
        arguments: [
            Double.nan, Double.infinity, -Float.infinity, Date(), Data(), Fixture.url, [1: "a"], Object(), Decimal.nan,
            NSNumber(value: Double.nan),
        ] as [any Sendable]
    )
    func whatJSONCannotExpressIsAnError(_ value: any Sendable) {
        #expect(throws: EncodingError.self) { try JSONObject.data(of: ["a": [value]], options: []) }
        #expect(throws: EncodingError.self) { try JSONObject.data(of: value, options: []) }
    }

    @Test func collectionsOfFoundationAreWritten() throws {
        let object = NSMutableDictionary()
        object["a"] = NSMutableArray(array: [NSNumber(value: 1), NSString(string: "x"), NSNull()])
        #expect(try text(object) == "{\"a\":[1,\"x\",null]}")
    }

    @Test func aFragmentIsAnErrorUnlessAllowed() throws {
        #expect(throws: EncodingError.self) { try JSONObject.data(of: "a", options: []) }
    }

    @Test func theErrorHasThePathAndNotTheValue() throws {
        struct Password { var text = "hunter2" }
        let object: [String: Any?] = ["users": [["name": "a"], ["password": Password()]] as [Any]]
        let error = #expect(throws: EncodingError.self) { try JSONObject.data(of: object, options: []) }
        guard case .invalidValue(let value, let context)? = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["users", "Index 1", "password"])
        #expect(!"\(value) \(context) \(Fixture.allTexts(of: error))".contains("hunter2"))
    }

    @Test func deepNestingIsAnError() {
        var object: [Any] = []
        for _ in 0..<1000 { object = [object] }
        #expect(throws: EncodingError.self) { try JSONObject.data(of: object, options: []) }
    }

    private struct Object: Sendable {}
}
