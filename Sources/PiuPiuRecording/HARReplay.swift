import PiuPiuAsync

/// The exchanges of a recording, and which of them were replayed.
final class HARReplay: Sendable {
    /// An exchange that answers a request.
    struct Answer {
        let index: Int
        let entry: HAR.Entry
    }

    private let entries: [HAR.Entry]
    private let matching: HARMatching
    /// The exchanges that have a response, in order.
    private let candidates: [HARCandidate]
    /// The exchanges by method, origin and path, because a recording may be long.
    private let places: [String: [HARCandidate]]
    private let used: Locked<Set<Int>>

    init(_ har: HAR, matching: HARMatching) {
        entries = har.entries
        self.matching = matching
        candidates = har.entries.enumerated().compactMap { index, entry in
            (200...999).contains(entry.response.status) && !entry.isSuperseded
                ? HARCandidate(index: index, request: entry.request) : nil
        }
        places = Dictionary(grouping: candidates) { Self.place($0.request.method, $0.target) }
        used = Locked([])
    }

    var unusedEntries: [HAR.Entry] {
        let used = used.withLock { $0 }
        return candidates.filter { !used.contains($0.index) }.map { entries[$0.index] }
    }

    /// Finds the next matching exchange and marks it as replayed.
    func entry(for question: HARQuestion) throws -> Answer {
        let near = places[Self.place(question.method, question.target)] ?? []
        var matches = near.filter { matching.differences($0, question).isEmpty }
        if !matching.comparesBody, matches.count > 1 {
            let same = matches.filter { matching.isSameBody($0.request, question) }
            if !same.isEmpty { matches = same }
        }
        guard let last = matches.last?.index else { throw noMatch(question) }
        let indices = matches.map(\.index)
        let chosen: Int? = used.withLock { [repeatsLast = matching.repeatsLast] used in
            let index = indices.first { !used.contains($0) } ?? (repeatsLast ? last : nil)
            if let index { used.insert(index) }
            return index
        }
        guard let chosen else {
            throw HARError(
                .usedUp,
                reason: "\(question.description) was recorded \(indices.count) times, and asked for once more",
                entryIndex: last
            )
        }
        return Answer(index: chosen, entry: entries[chosen])
    }

    private static func place(_ method: String, _ target: HARTarget) -> String {
        "\(method) \(target.origin)\(target.path)"
    }

    // MARK: Finding the nearest exchange

    private func noMatch(_ question: HARQuestion) -> HARError {
        let reason = "No recorded exchange matches \(question.description)"
        // The first of the nearest exchanges.
        let nearest = candidates.min { distance($0, question) < distance($1, question) }
        guard let nearest else { return HARError(.noMatch, reason: reason + ": the recording has none") }
        let differences = matching.differences(nearest, question).joined(separator: ", ")
        return HARError(
            .noMatch,
            reason: "\(reason). The nearest is \(nearest.request), which differs in \(differences)",
            path: "log.entries[\(nearest.index)]",
            entryIndex: nearest.index
        )
    }

    private func distance(_ candidate: HARCandidate, _ question: HARQuestion) -> Int {
        var distance = 0
        if candidate.request.method != question.method { distance += 300 }
        if candidate.target.origin != question.target.origin { distance += 1000 }
        if candidate.target.path != question.target.path {
            let recorded = candidate.target.path.split(separator: "/")
            let asked = question.target.path.split(separator: "/")
            let common = zip(recorded, asked).prefix { $0 == $1 }.count
            distance += 400 + 10 * min(50, recorded.count + asked.count - 2 * common)
        } else {
            // Details matter only among requests for the same path.
            distance += min(200, 10 * matching.differences(candidate, question).count)
        }
        return distance
    }
}

extension HARReplay: Redacted {
    /// The number of entries, without the entries.
    package var shown: KeyValuePairs<String, Any> { ["entries": entries.count] }
}
