import Testing

@testable import PiuPiuEngine

struct FieldListTests {
    private static let rows: [(name: String, value: String, line: String, trimmed: String)] = [
        ("A", "b", "A: b", "b"), ("A", "", "A:", ""), ("A", " \t ", "A:", ""), ("A", " b c\t", "A:  b c\t", "b c"),
        ("A", "b:", "A: b:", "b:"), ("A", ":", "A: :", ":"), ("A", "b;", "A: b;", "b;"),
        ("A", "schön", "A: schön", "schön"),
        // Its caller refuses these, but no field may become two.
        ("A", "b\r\nC: d", "A: b", "b"), ("A", "b\nC: d", "A: b", "b"), ("A", "b\rC: d", "A: b", "b"),
    ]

    private func fields(_ list: FieldList) -> [String] {
        var fields: [String] = []
        list.forEach { name, value in
            fields.append("\(String(decoding: name, as: UTF8.self))=\(String(decoding: value, as: UTF8.self))")
        }
        return fields
    }

    @Test func aFieldIsALine() {
        for row in Self.rows {
            let list = FieldList(row.name, row.value)
            #expect(list.lines == Array((row.line + "\r\n").utf8), "\(row)")
            #expect(list.text == [row.line], "\(row)")
            #expect(fields(list) == ["\(row.name)=\(row.trimmed)"], "\(row)")
        }
    }

    @Test func fieldsKeepTheirOrder() {
        var list = FieldList(capacity: 64)
        #expect(list.isEmpty && list.text.isEmpty && fields(list).isEmpty)
        list.append("A", "1")
        list.append("b", "")
        #expect(fields(list + FieldList("a", "2")) == ["A=1", "b=", "a=2"])
        #expect(list + FieldList() == list && FieldList() + list == list)
        list.append(FieldList("C", "3"))
        #expect(list.text == ["A: 1", "b:", "C: 3"])
    }

    @Test func fieldsOfANameAreFoundWhateverItsCase() {
        var list = FieldList()
        for (name, value) in [("Expect", "1"), ("X", "expect"), ("EXPECT", "2"), ("Expect-More", "")] {
            list.append(name, value)
        }
        #expect(list.contains("expect") && list.contains("x") && !list.contains("more"))
        #expect(list.filter("expect", isKept: true).text == ["Expect: 1", "EXPECT: 2"])
        #expect(list.filter("expect", isKept: false).text == ["X: expect", "Expect-More:"])
        #expect(list.filter("y", isKept: false) == list && list.filter("y", isKept: true).isEmpty)
    }
}
