#if os(Linux)
import Foundation
import Glibc

/// How far a run is, in a file that outlives a process that crashes.
final class Progress: @unchecked Sendable {
    // `@unchecked` is sound because each lane writes to a part of its own; all else is read when no lane writes.

    private static let lanes = Arguments.maximumLanes
    /// How calls end, beside `other`.
    static let names = [
        "success", "givenUp", "cancelled", "elsewhere", "connectionLost", "truncatedBody", "malformedHead",
        "malformedBody",
        "headTooLarge", "bodyTooLarge", "decompressionLimit", "tooManyRedirects", "redirectLoop", "unsafeRedirect",
        "invalidRedirect",
        "cannotConnect", "invalidURL", "invalidRequest", "unsupportedScheme", "http2", "tls", "proxy", "outOfResources",
        "timeout(idle)", "timeout(queue)", "timeout(connect)", "timeout(head)", "timeout(total)", "shutDown",
        "unacceptableStatus", "sizeMismatch", "bodyAlreadyRead", "fileFailed", "other",
    ]
    private static let words = 64
    private static let firstName = 8
    private static let firstKind = 48
    private static let size = lanes * words * 8

    let path: String
    private let base: UnsafeMutablePointer<UInt64>

    /// Maps a file, which is created if need be; `nil` if the system refuses.
    init?(path: String) {
        self.path = path
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard ftruncate(file, Self.size) == 0,
            let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED
        else { return nil }
        base = memory.bindMemory(to: UInt64.self, capacity: Self.size / 8)
    }

    deinit {
        munmap(base, Self.size)
    }

    private func word(_ lane: Int, _ index: Int) -> UnsafeMutablePointer<UInt64> {
        base + lane * Self.words + index
    }

    /// How many exchanges of a lane are done or given up.
    func rounds(of lane: Int) -> Int { Int(word(lane, 0).pointee) }

    /// Whether a lane was at work.
    func isAtWork(_ lane: Int) -> Bool { word(lane, 1).pointee != 0 }

    /// Notes that a lane begins its next exchange.
    func begin(_ lane: Int) {
        word(lane, 1).pointee = 1
    }

    /// Notes that a lane's exchange is over.
    func end(_ lane: Int) {
        word(lane, 0).pointee += 1
        word(lane, 1).pointee = 0
    }

    /// Counts the end of a call for a mutated response.
    func count(_ lane: Int, _ name: String) {
        word(lane, Self.firstName + (Self.names.firstIndex(of: name) ?? Self.names.count - 1)).pointee += 1
    }

    /// Counts a finding.
    func count(_ lane: Int, _ kind: Finding.Kind) {
        word(lane, 2).pointee += 1
        word(lane, Self.firstKind + (Finding.Kind.allCases.firstIndex(of: kind) ?? 0)).pointee += 1
    }

    /// Counts a call that failed although the response was whole.
    func countRefusal(_ lane: Int) {
        word(lane, 3).pointee += 1
    }

    private func sum(_ index: Int) -> Int {
        (0..<Self.lanes).reduce(0) { $0 + Int(word($1, index).pointee) }
    }

    var responses: Int { Self.names.indices.reduce(0) { $0 + sum(Self.firstName + $1) } }
    var findings: Int { sum(2) }
    var refusals: Int { sum(3) }

    /// How many findings there are of each kind.
    var kinds: [(kind: Finding.Kind, count: Int)] {
        Finding.Kind.allCases.enumerated().map { ($1, sum(Self.firstKind + $0)) }.filter { $0.1 > 0 }
    }

    /// How often calls ended how, the most frequent first.
    var ends: [(name: String, count: Int)] {
        Self.names.enumerated().map { ($1, sum(Self.firstName + $0)) }.filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }
    }
}
#endif
