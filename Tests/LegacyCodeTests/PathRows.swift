import Foundation
import PiuPiuFutures
import Testing

class PathReader {
    let pattern: [PathComponent] = [.constant("posts"), .wildcard(type: .integer), .wildcard(type: .string)]

    // Row: pathValues(matching:), pathMatches(pattern:), integerValue(atIndex:matching:), stringValue(atIndex:matching:) of
    // URL and URLRequest
    func values(_ url: URL, _ request: URLRequest) -> [String] {
        guard url.pathMatches(pattern: pattern), request.pathMatches(pattern: pattern) else { return [] }
        return [
            "\(url.pathValues(matching: pattern) ?? [])", "\(request.pathValues(matching: pattern) ?? [])",
            "\(url.integerValue(atIndex: 1, matching: pattern) ?? 0)",
            "\(request.integerValue(atIndex: 1, matching: pattern) ?? 0)",
            url.stringValue(atIndex: 2, matching: pattern) ?? "",
            request.stringValue(atIndex: 2, matching: pattern) ?? "",
        ]
    }

    // Row: PathComponent, .constant(_:), .wildcard(type:), .description, .displayValue
    func text(_ component: PathComponent) -> String {
        switch component {
        case .constant(let text): return text
        case .wildcard(type: .integer): return component.displayValue
        case .wildcard(type: .string): return component.description
        }
    }

    // Row: PathValue, .integer(_:), .string(_:), .description, PathValue.string
    func text(_ value: PathValue) -> String {
        switch value {
        case .integer: return value.string
        case .string(let text): return text + value.description
        }
    }

    // Row: Sequence<PathComponent>.displayValue, Sequence<PathValue>.string
    func texts(_ url: URL) -> [String] {
        return [pattern.displayValue, url.pathValues(matching: pattern)?.string ?? ""]
    }

    // Row: WildcardType, .integer, .string
    func text(_ type: WildcardType) -> String {
        switch type {
        case .integer: return "integer"
        case .string: return "string"
        }
    }

    // Row: URL.temporaryDirectory
    let folder = URL.temporaryDirectory
}

struct PathRowsTests {
    @Test func pathsAreRead() throws {
        let reader = PathReader()
        let url = try #require(URL(string: "https://example.com/posts/1/comments"))
        let values = reader.values(url, URLRequest(url: url, method: .get))
        #expect(values.suffix(4) == ["1", "1", "comments", "comments"])
        #expect(reader.texts(url) == ["posts/:integer/:string", "posts/1/comments"])
        #expect(reader.pattern.map { reader.text($0) } == ["posts", ":integer", ":string"])
        #expect(reader.text(PathValue.integer(1)) == "1" && reader.text(WildcardType.integer) == "integer")
    }
}
