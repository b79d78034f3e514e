import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct FormBodyTests {
    // The vectors of web-platform-tests, url/urlsearchparams-stringifier.any.js, and those of
    // html/semantics/forms/form-submission-0/urlencoded2.window.js without newlines, which HTML normalizes before.
    @Test(
        arguments: [
            (["a": "b c"], "a=b+c"), (["a b": "c"], "a+b=c"),
            (["a": "", "a": "", "": "b", "": "", "": ""], "a=&a=&=b&=&="), (["": "b", "": "b"], "=b&=b"),
            (["": "", "": ""], "=&="), (["a": "b+c"], "a=b%2Bc"), (["a+b": "c"], "a%2Bb=c"),
            (["=": "a", "b": "="], "%3D=a&b=%3D"), (["&": "a", "b": "&"], "%26=a&b=%26"), (["a": "*-._"], "a=*-._"),
            (["*-._": "c"], "*-._=c"), (["a": "b%c"], "a=b%25c"), (["a%b": "c"], "a%25b=c"),
            (["id": "0", "value": "%"], "id=0&value=%25"), (["a": "b\u{0}c"], "a=b%00c"), (["a\u{0}b": "c"], "a%00b=c"),
            (["a": "b\u{1F4A9}c"], "a=b%F0%9F%92%A9c"), (["a\u{1F4A9}b": "c"], "a%F0%9F%92%A9b=c"),
            (["a ": " b ", "a": "b", "c": "d "], "a+=+b+&a=b&c=d+"), (["b": "%2sf*"], "b=%252sf*"),
            (["b": "%*"], "b=%25*"), (["a": "b,c", "x": "y"], "a=b%2Cc&x=y"),
            (["a\nb": "c\rd", "e\n\rf": "g\r\nh"], "a%0Ab=c%0Dd&e%0A%0Df=g%0D%0Ah"), (["basic": "test"], "basic=test"),
            (["a\"b": "c"], "a%22b=c"), (["a": "b\"c"], "a=b%22c"), (["a'b": "c"], "a%27b=c"),
            (["a": "b'c"], "a=b%27c"), (["a\\b": "c"], "a%5Cb=c"), (["a": "b\\c"], "a=b%5Cc"),
            (["áb": "ç"], "%C3%A1b=%C3%A7"), (["a": "ə.txt"], "a=%C9%99.txt"), (["a": "~"], "a=%7E"),
        ] as [(QueryItems, String)]
    )
    func itemsAreSerializedByTheWHATWGsRules(items: QueryItems, expected: String) {
        #expect(items.formEncoded == expected)
        var request = Fixture.request
        request.setFormBody(items)
        #expect(request.httpBody == Data(expected.utf8))
        #expect(request[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test func contentTypeOfTheRequestIsKept() {
        var request = Fixture.request
        request["content-type"] = "application/x-www-form-urlencoded; charset=utf-8"
        request.setFormBody(["a": ["b", "c"], "d": nil])
        #expect(request.httpBody == Data("a=b&a=c".utf8))
        #expect(request[.contentType] == "application/x-www-form-urlencoded; charset=utf-8")
    }

    private struct Values: Encodable {
        var text = "a b"
        var flag = true
        var numbers: [Int8] = [1, -2]
        var number = 2.5
        var float: Float = 0.5
        var nothing: Int?
        var date = Date(timeIntervalSince1970: 0)
        var data = Data([0xFB, 0xFF])
        var url = Fixture.url
        var decimal = Decimal(string: "12.50")
        var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        var unsigned = UInt64.max
        var inner = Inner()
        var none: [String] = []
    }

    private struct Inner: Encodable {
        var name = "x"
        var deeper = ["k": [true, false]]
    }

    private struct People: Encodable {
        var people = [Inner(deeper: [:]), Inner(name: "y", deeper: [:])]
        var rows = [[1, 2], [3]]
    }

    private static let start =
        "text=a+b&flag=true&numbers%5B=1&numbers%5B=-2&number=2.5&float=0.5&date=1970-01-01T00%3A00%3A00Z&data=%2B%2F8%3D"
        + "&url=https%3A%2F%2Fexample.com%2Fposts%2F1&decimal=12.5&id=E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        + "&unsigned=18446744073709551615"

    private func text(_ value: some Encodable, _ encoder: FormURLEncoder) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func valuesAreEncodedByTheRules() throws {
        let repeated = Self.start.replacing("numbers%5B", with: "numbers")
        let brackets = Self.start.replacing("numbers%5B", with: "numbers%5B%5D")
        let inner = "&inner%5Bname%5D=x&inner%5Bdeeper%5D%5Bk%5D"
        #expect(try text(Values(), FormURLEncoder()) == repeated + inner + "=true&inner%5Bdeeper%5D%5Bk%5D=false")
        #expect(
            try text(Values(), FormURLEncoder(arrays: .brackets))
                == brackets + inner + "%5B%5D=true&inner%5Bdeeper%5D%5Bk%5D%5B%5D=false"
        )
        let dots = try text(Values(), FormURLEncoder(nesting: .dots, dates: .secondsSince1970))
        #expect(dots.hasSuffix("&inner.name=x&inner.deeper.k=true&inner.deeper.k=false"))
        #expect(dots.contains("&date=0&"))
        #expect(
            try FormURLEncoder(arrays: .indexed).items(of: People()).formEncoded.removingPercentEncoding
                == "people[0][name]=x&people[1][name]=y&rows[0][0]=1&rows[0][1]=2&rows[1][0]=3"
        )
        #expect(
            try FormURLEncoder(arrays: .indexed, nesting: .dots).items(of: People()).percentEncoded
                == "people.0.name=x&people.1.name=y&rows.0.0=1&rows.0.1=2&rows.1.0=3"
        )
    }

    /// Nested without end, as a cycle of objects would be.
    private struct Endless: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(Endless(), forKey: .next)
        }
        enum Key: CodingKey { case next }
    }

    private struct Failing: Encodable {
        func encode(to encoder: any Encoder) throws { throw CancellationError() }
    }

    private func error(_ value: some Encodable, _ encoder: FormURLEncoder = FormURLEncoder()) -> FormEncodingError? {
        do {
            _ = try encoder.items(of: value)
            return nil
        } catch { return error as? FormEncodingError }
    }

    @Test func whatAFormCannotExpressIsRefused() throws {
        let values: [(any Encodable, FormEncodingError.Code)] = [
            ("text", .noNames), (5, .noNames), (["a"], .noNames), ([] as [String], .noNames), (Date(), .noNames),
            (People(), .nestedInArray), (["a": [[1]]], .nestedInArray), (["a": [[Int]()]], .nestedInArray),
            (["a": Double.nan], .nonFiniteNumber), (["a": Decimal.nan], .nonFiniteNumber),
            (["a": Date(timeIntervalSince1970: .nan)], .invalidDate), (Endless(), .tooDeep),
        ]
        for (value, code) in values { #expect(error(value)?.code == code, "\(value)") }
        #expect(error(People())?.path == ["people", "0"])
        #expect(error(["a": [-Float.infinity]])?.path == ["a", "0"])
        #expect(error(People(), FormURLEncoder(arrays: .brackets))?.code == .nestedInArray)
        let far = ["a": Date(timeIntervalSince1970: 1e300)]
        #expect(error(far, FormURLEncoder(dates: .secondsSince1970))?.code == .invalidDate)
        #expect(throws: CancellationError.self) { try FormURLEncoder().encode(["a": Failing()]) }
        #expect(error(["secret": Double.nan])?.description == "A number is infinite or not a number: secret")
    }

    @Test func requestIsUnchangedIfEncodingFails() {
        var request = Fixture.request
        #expect(throws: FormEncodingError.self) { try request.setFormBody(encodable: [1]) }
        #expect(request.httpBody == nil)
        #expect(request[.contentType] == nil)
    }

    @Test func bodyIsSetFromAnEncodableValue() throws {
        var request = Fixture.request
        try request.setFormBody(encodable: Inner(deeper: ["a": [true]]), encoder: FormURLEncoder(nesting: .dots))
        #expect(request.httpBody == Data("name=x&deeper.a=true".utf8))
        #expect(request[.contentType] == "application/x-www-form-urlencoded")
    }

    private class Base: Encodable { var a = 1 }
    private final class Derived: Base {
        var b = 2
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(b, forKey: .b)
            try super.encode(to: container.superEncoder())
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode("x")
            try list.encodeNil()
            try container.encodeNil(forKey: .nothing)
            var inner = container.nestedContainer(keyedBy: Key.self, forKey: .inner)
            try inner.encode(true, forKey: .b)
        }
        enum Key: CodingKey { case b, list, nothing, inner }
    }

    @Test func everyContainerWrites() throws {
        let items = try FormURLEncoder().items(of: Derived())
        #expect(items.percentEncoded.removingPercentEncoding == "b=2&super[a]=1&list=x&inner[b]=true")
    }
}
