import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// A parser that is fuzzed, with what has to be so for every input.
struct FuzzTarget: Sendable, CustomTestStringConvertible {
    /// Looks at an input, and throws what is wrong.
    typealias Check = @Sendable (_ input: [UInt8], _ random: inout SeededRandom) async throws -> Void

    /// The name, which is also that of the folder of its corpus.
    let name: String
    /// The inputs that mutations start from: good ones, and some that are known to be bad.
    let seeds: [[UInt8]]
    /// Texts that mean something in the format, which mutations insert.
    let tokens: [[UInt8]]
    /// How many bytes an input may have.
    let limit: Int
    let check: Check

    var testDescription: String { name }

    /// Creates a target.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - seeds: Inputs as texts.
    ///   - bytes: More inputs.
    ///   - tokens: Texts that mean something in the format.
    ///   - limit: How many bytes an input may have.
    ///   - check: Looks at an input.
    init(
        _ name: String,
        seeds: [String] = [],
        bytes: [[UInt8]] = [],
        tokens: [String],
        limit: Int = 2048,
        check: @escaping Check
    ) {
        self.name = name
        self.seeds = seeds.map { Array($0.utf8) } + bytes
        self.tokens = tokens.map { Array($0.utf8) }
        self.limit = limit
        self.check = check
    }

    /// All targets.
    static let all: [FuzzTarget] =
        [
            headCollector, rawHead, headerFields, mediaType, http2Trace, requestTarget, preparedRequest, redaction,
            lines, jsonLines, serverSentEvents, contentRange, httpDate, resumptionRecord, resumptionPlan, redirects,
            har, harBody, secretScrubber, jsonScrubber, harPattern, harTarget, multipart, pathValues, rfc3339,
            transforms, jsonDecoder, jsonObject, markdown, links, altSvc, loopbackHead, loopbackBody, sessionHead,
            certificate, printableText,
        ] + decoding + proxies + caching + cookies
}

/// Throws unless something is so.
///
/// - Parameters:
///   - condition: What has to be so.
///   - problem: What is wrong otherwise, with nothing in it that differs from input to input.
/// - Throws: ``FuzzFailure``.
func demand(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
    guard condition else { throw FuzzFailure(problem()) }
}

extension [UInt8] {
    /// What separates the parts of an input that has several.
    static let partSeparator: UInt8 = 0x1E

    /// The parts of an input as texts; missing ones are empty, and the last one has the rest.
    func texts(_ count: Int) -> [String] {
        parts(count).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The parts of an input; missing ones are empty, and the last one has the rest.
    func parts(_ count: Int) -> [[UInt8]] {
        let parts = split(separator: Self.partSeparator, maxSplits: count - 1, omittingEmptySubsequences: false)
        return (0..<count).map { $0 < parts.count ? Array(parts[$0]) : [] }
    }

    /// The lines, each with its line feed; the last one may have none.
    var lines: [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = self[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            lines.append([UInt8](rest[..<end]))
            rest = rest[end...]
        }
        return lines
    }
}
