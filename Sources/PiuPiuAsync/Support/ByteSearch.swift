/// Looks for some bytes in others, by the algorithm of Knuth, Morris and Pratt: each byte is looked at once.
///
/// Foundation's `range(of:)` on Linux copies all that it searches, so that a search for one place after another takes the
/// square of the time.
package struct ByteSearch {
    private let wanted: [UInt8]
    /// For each place, how much of the beginning stands right before it.
    private let fallbacks: [Int]

    /// Prepares a search.
    ///
    /// - Parameter bytes: What to look for; no bytes stand nowhere.
    package init(_ bytes: Data) {
        wanted = Array(bytes)
        var fallbacks = [Int](repeating: 0, count: max(1, wanted.count))
        var matched = 0
        for index in wanted.indices.dropFirst() {
            while matched > 0, wanted[matched] != wanted[index] { matched = fallbacks[matched - 1] }
            if wanted[matched] == wanted[index] { matched += 1 }
            fallbacks[index] = matched
        }
        self.fallbacks = fallbacks
    }

    /// The first place.
    ///
    /// - Parameters:
    ///   - data: Where to look.
    ///   - start: Where to begin.
    /// - Returns: The place; `nil` if there is none.
    package func firstPlace(in data: Data, from start: Data.Index) -> Range<Data.Index>? {
        guard !wanted.isEmpty, (data.startIndex...data.endIndex).contains(start) else { return nil }
        let end = data.withUnsafeBytes { bytes -> Int? in
            var matched = 0
            for offset in (start - data.startIndex)..<bytes.count {
                while matched > 0, wanted[matched] != bytes[offset] { matched = fallbacks[matched - 1] }
                if wanted[matched] == bytes[offset] { matched += 1 }
                if matched == wanted.count { return offset + 1 }
            }
            return nil
        }
        return end.map { data.startIndex + $0 - wanted.count..<data.startIndex + $0 }
    }
}

extension Data {
    /// What stands between the places of some bytes.
    ///
    /// - Parameter separator: The bytes.
    /// - Returns: The pieces, one more than there are places.
    package func pieces(between separator: Data) -> [Data] {
        let search = ByteSearch(separator)
        var pieces: [Data] = []
        var start = startIndex
        while let place = search.firstPlace(in: self, from: start) {
            pieces.append(self[start..<place.lowerBound])
            start = place.upperBound
        }
        return pieces + [self[start...]]
    }
}
