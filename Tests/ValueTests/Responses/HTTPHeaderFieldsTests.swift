import PiuPiuAsync
import SuiteSupport
import Testing

struct HTTPHeaderFieldsTests {
    private let fields: HTTPHeaderFields = [
        "Accept": "a", "Set-Cookie": "x=1", "accept": "b", "SET-COOKIE": "y=2", "Server": "test",
    ]

    @Test func orderAndSpellingAreKept() {
        #expect(fields.map(\.name) == ["Accept", "Set-Cookie", "accept", "SET-COOKIE", "Server"])
        #expect(fields.count == 5)
    }

    @Test func aNameIsFoundInAnyCase() {
        #expect(fields["sErVeR"] == "test")
        #expect(fields.contains("SERVER"))
        #expect(fields["Absent"] == nil)
        #expect(!fields.contains("Absent"))
    }

    @Test func severalLinesAreJoined() {
        #expect(fields["ACCEPT"] == "a, b")
        #expect(fields.values(for: "ACCEPT") == ["a", "b"])
        #expect(fields.values(for: "Absent").isEmpty)
    }

    @Test func setCookieIsNeverJoined() {
        #expect(fields["set-cookie"] == "x=1")
        #expect(fields.values(for: "set-cookie") == ["x=1", "y=2"])
    }

    @Test func settingReplacesEveryLineAtTheFirstPlace() {
        var fields = fields
        fields["ACCEPT"] = "c"
        #expect(fields.map(\.value) == ["c", "x=1", "y=2", "test"])
        #expect(fields[0].name == "ACCEPT")
    }

    @Test func settingAnAbsentFieldAppends() {
        var fields = HTTPHeaderFields()
        fields["A"] = "1"
        fields["B"] = "2"
        #expect(Array(fields) == [HTTPHeaderField(name: "A", value: "1"), HTTPHeaderField(name: "B", value: "2")])
    }

    @Test func settingNilRemovesEveryLine() {
        var fields = fields
        fields["set-cookie"] = nil
        fields["absent"] = nil
        #expect(fields.map(\.name) == ["Accept", "accept", "Server"])
    }

    @Test func appendingKeepsWhatIsThere() {
        var fields = fields
        fields.append(name: "Accept", value: "c")
        #expect(fields.values(for: "accept") == ["a", "b", "c"])
    }

    @Test func namesAreComparedWithoutCaseAndValuesWithIt() {
        let lower: HTTPHeaderFields = ["a": "1", "b": "2"]
        #expect(lower == ["A": "1", "B": "2"])
        #expect(lower.hashValue == (["A": "1", "B": "2"] as HTTPHeaderFields).hashValue)
        #expect(lower != ["b": "2", "a": "1"])
        #expect(lower != ["a": "1"])
        #expect((["a": "x"] as HTTPHeaderFields) != ["a": "X"])
    }

    @Test func aRangeCanBeReplaced() {
        var fields = fields
        fields.replaceSubrange(1..<4, with: [HTTPHeaderField(name: "New", value: "1")])
        #expect(fields.map(\.name) == ["Accept", "New", "Server"])
        fields.removeAll()
        #expect(fields.isEmpty)
    }

    @Test func theDescriptionHidesSecretsOnly() {
        #expect("\(fields)" == "Accept: a\nSet-Cookie: <redacted>\naccept: b\nSET-COOKIE: <redacted>\nServer: test")
    }
}
