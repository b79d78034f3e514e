import Foundation
import PiuPiuAsync
import SuiteSupport
import TestSupport

@testable import PiuPiuPolicies
@testable import PiuPiuValues

extension FuzzTarget {
    static let caching = [cacheControl, freshness, cacheStatus, storedHead, folderEntry]

    // MARK: CacheControl

    static let cacheControl = FuzzTarget(
        "CacheControl",
        seeds: [
            "max-age=3600, stale-while-revalidate=60, stale-if-error=\"600\"", "no-cache=\"a, b\", private, no-store",
            "max-age=99999999999999999999, max-stale, min-fresh=x", "a=\"\\\"\", max-age=1;, ,, =, \"no-store",
            "public,immutable,must-revalidate , must-understand\t,only-if-cached",
        ],
        tokens: ["max-age=", "no-store", "no-cache", ", ", "\"", "\\", "=", "1", "-", " ", "\t", ";", "é"],
        limit: 300
    ) { input, _ in
        let lines = input.texts(2)
        let directives = CacheControl(lines)
        let numbers = [
            directives.maxAge, directives.staleIfError, directives.staleWhileRevalidate, directives.minFresh,
        ]
        try demand(
            numbers.allSatisfy { (0...CacheControl.longestTime).contains($0 ?? 0) },
            "a number of seconds is out of bounds"
        )
        // Whatever came before, in the same line or another, does not hide what forbids storing.
        try demand(CacheControl([lines[0] + ", no-store"]).noStore, "no-store is hidden in its line")
        try demand(CacheControl(lines + ["no-store"]).noStore, "no-store is hidden by another line")
        try demand(
            CacheControl([lines[0] + ", no-cache"]).noCache || CacheControl([lines[0]]).noStore,
            "no-cache is hidden"
        )
        try demand(directives.noCacheFields.allSatisfy { $0 == $0.lowercased() && !$0.isEmpty }, "a field has no name")
    }

    // MARK: Freshness, and the names in Vary

    static let freshness = FuzzTarget(
        "Freshness",
        seeds: [
            "Tue, 14 Nov 2023 22:13:20 GMT\u{1E}Wed, 15 Nov 2023 22:13:20 GMT\u{1E}5, 6\u{1E}Accept, Foo",
            "Sunday, 06-Nov-94 08:49:37 GMT\u{1E}0\u{1E}-1\u{1E}*",
            "Sun Nov  6 08:49:37 1994\u{1E}\u{1E}99999999999\u{1E},",
            "Fri, 31 Dec 9999 23:59:59 GMT\u{1E}Sat, 01 Jan 0000 00:00:00 GMT\u{1E}x\u{1E}a,*,b",
        ],
        tokens: [" GMT", "Mon, ", " Feb ", "29", "60", ":", "0000", "9999", "-", ",", "*", "\u{1E}"],
        limit: 300
    ) { input, _ in
        let texts = input.texts(4)
        var headers: HTTPHeaderFields = [:]
        for (name, text) in zip(["Date", "Expires", "Age", "Vary"], texts) { headers[name] = text }
        headers["Last-Modified"] = texts[1]
        for names in [["Date", "Expires", "Age", "Vary"], ["Date", "Last-Modified", "Age"]] {
            var fields = headers
            fields.removeAll { !names.contains($0.name) }
            let now = 1_700_000_000.0
            let head = StoredHead(
                statusCode: 200,
                httpVersion: "HTTP/1.1",
                headers: fields,
                requestTime: now - 1,
                responseTime: now
            )
            let freshness = head.freshness
            try demand(
                (0...Double(CacheControl.longestTime)).contains(freshness.lifetime),
                "the lifetime is out of bounds"
            )
            try demand(freshness.initialAge >= 0 && freshness.initialAge.isFinite, "the age is out of bounds")
            try demand(
                freshness.remaining(at: now + 10) <= freshness.remaining(at: now),
                "the response becomes fresher"
            )
            try demand(freshness.remaining(at: now - 100) <= 0, "the response is fresh before it arrived")
            _ = head.lastModified
        }
        let names = CacheRules.variedFields(headers)
        try demand(
            (names ?? []).allSatisfy { $0 == $0.lowercased() && !$0.isEmpty && $0 != "*" },
            "a field has no name"
        )
        let isAny = CacheControl.names(texts[3]).contains("*")
        try demand((names == nil) == isAny, "a star is not seen")
    }

    // MARK: CacheStatus

    static let cacheStatus = FuzzTarget(
        "CacheStatus",
        seeds: [
            "PiuPiu; hit; ttl=5", "PiuPiu; fwd=stale; fwd-status=304; stored; detail=x",
            "PiuPiu;ttl=-99999999999999999999",
        ],
        tokens: ["PiuPiu", "; ", "hit", "fwd=", "fwd-status=", "ttl=", "detail=", "=", "é"],
        limit: 200
    ) { input, _ in
        guard let status = CacheStatus(fieldValue: input.texts(1)[0]) else { return }
        guard let again = CacheStatus(fieldValue: status.fieldValue) else { throw FuzzFailure("a status is none") }
        try demand(again.outcome == status.outcome, "written and read it is another")
    }

    // MARK: Files

    private static let storedBytes: [[UInt8]] = [
        StoredHead(
            statusCode: 200,
            httpVersion: "HTTP/1.1",
            headers: ["Cache-Control": "max-age=5", "ETag": "\"1\"", "Empty": ""],
            requestTime: 1_700_000_000,
            responseTime: 1_700_000_001.5
        ),
        StoredHead.variants(["accept", "foo"]),
        StoredHead(statusCode: 301, httpVersion: "", headers: [:], requestTime: 0, responseTime: 0, isBodiless: true),
    ].map { Array($0.bytes) }

    static let storedHead = FuzzTarget("StoredHead", bytes: storedBytes, tokens: ["\u{0}", "\u{1}", "é"], limit: 400) {
        input,
        _ in
        guard let head = StoredHead(bytes: Data(input)) else { return }
        try demand(Array(head.bytes) == input, "written and read it is another")
        try demand(head.freshness.lifetime.isFinite && head.freshness.initialAge.isFinite, "a time has no end")
        _ = CacheMachine.decide(CacheMachine.Request(), stored: head, now: 1_700_000_000)
    }

    // Computed: the leak sanitizer does not find the bytes of a global `Data`.
    private static var entryName: Data { Data(repeating: 7, count: 32) }
    private static let entryFolder = try? DownloadFolder()

    private static func entry(_ head: Data, _ body: Data) -> Data {
        let entry = FolderEntry(head: head, bodyLength: Int64(body.count), bodyChecksum: BodyChecksum.of(body))
        return entry.header(head, name: entryName) + head + body
    }

    static let folderEntry = FuzzTarget(
        "FolderEntry",
        bytes: storedBytes.map { Array(entry(Data($0), Data("the body".utf8))) },
        tokens: ["\u{0}", "\u{1}", "PiuPiuC1"],
        limit: 500
    ) { input, random in
        guard let folder = entryFolder else { return }
        let file = folder["\(random.next())"]
        try Data(input).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        guard let (head, body, length) = await FolderReader().open(file, name: entryName) else {
            try demand(!FileManager.default.fileExists(atPath: file.path), "a damaged entry stays")
            return
        }
        try demand(body?.count == Int(length), "the length is another")
        try demand(Array(entry(head.bytes, body ?? Data())) == input, "a damaged entry is read")
    }
}
