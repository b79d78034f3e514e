import Foundation
import PiuPiuAsync
import PiuPiuRecording

/// Checks files against HAR 1.2, by Foundation's parser and without a type of ours.
enum HARFileCheck {
    /// What is wrong with a file.
    static func problems(_ data: Data) -> [String] {
        guard let file = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let log = file["log"] as? [String: Any], log["version"] as? String == "1.2",
            let creator = log["creator"] as? [String: Any], creator["name"] is String, creator["version"] is String,
            let pages = log["pages"] as? [[String: Any]], let entries = log["entries"] as? [[String: Any]]
        else { return ["It is not a HAR."] }
        var problems: [String] = []
        let ids = pages.compactMap { $0["id"] as? String }
        if ids.count != (entries.isEmpty ? 0 : 1) { problems.append("\(ids.count) pages") }
        for page in pages {
            let hasAll =
                page["title"] is String && page["pageTimings"] is [String: Any]
                && (page["startedDateTime"] as? String).flatMap { RFC3339.date(from: $0) } != nil
            if !hasAll { problems.append("a page lacks something") }
        }
        var last = ""
        for (index, entry) in entries.enumerated() {
            problems += self.problems(entry, ids).map { "entry \(index): \($0)" }
            let start = entry["startedDateTime"] as? String ?? ""
            if start < last { problems.append("entry \(index) starts before the one before it") }
            last = start
        }
        return problems
    }

    private static func problems(_ entry: [String: Any], _ pages: [String]) -> [String] {
        guard let request = entry["request"] as? [String: Any], let response = entry["response"] as? [String: Any],
            let content = response["content"] as? [String: Any], let timings = entry["timings"] as? [String: Double],
            let time = entry["time"] as? Double, entry["cache"] is [String: Any]
        else { return ["parts are missing"] }
        var problems: [String] = []
        func expect(_ keys: [String], in object: [String: Any], _ isRight: (Any?) -> Bool) {
            for key in keys where !isRight(object[key]) { problems.append("\(key) is not as it must be") }
        }
        expect(["startedDateTime"], in: entry) { ($0 as? String).flatMap { RFC3339.date(from: $0) } != nil }
        expect(["pageref"], in: entry) { ($0 as? String).map { pages.contains($0) } == true }
        expect(["method", "url", "httpVersion"], in: request) { $0 is String }
        expect(["statusText", "httpVersion", "redirectURL"], in: response) { $0 is String }
        expect(["status"], in: response) { $0 is Int }
        expect(["cookies", "headers", "queryString"], in: request) { $0 is [[String: Any]] }
        expect(["cookies", "headers"], in: response) { $0 is [[String: Any]] }
        expect(["headersSize", "bodySize"], in: request) { ($0 as? Int).map { $0 >= -1 } == true }
        expect(["headersSize", "bodySize"], in: response) { ($0 as? Int).map { $0 >= -1 } == true }
        expect(["size"], in: content) { ($0 as? Int).map { $0 >= 0 } == true }
        expect(["mimeType"], in: content) { $0 is String }
        expect(["blocked", "dns", "connect", "ssl"], in: timings) {
            ($0 as? Double).map { $0 >= 0 || $0 == -1 } == true
        }
        expect(["send", "wait", "receive"], in: timings) { ($0 as? Double).map { $0 >= 0 } == true }
        let sum = ["blocked", "dns", "connect", "send", "wait", "receive"].reduce(0) { $0 + max(0, timings[$1] ?? 0) }
        if abs(sum - time) > 0.0005 { problems.append("the phases take \(sum), all in all \(time)") }
        if timings["ssl", default: -1] > timings["connect", default: -1] {
            problems.append("ssl is longer than connect")
        }
        return problems
    }
}
