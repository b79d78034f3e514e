/// Searches bytes with the algorithm of Knuth, Morris and Pratt, which looks at each byte once.
///
/// Foundation's `range(of:)` on Linux copies everything it searches, so finding one occurrence after another takes
/// quadratic time.
package struct ByteSearch {
    private let wanted: [UInt8]
    /// For each index, the length of the longest proper prefix that ends there.
    private let fallbacks: [Int]

    /// Prepares a search for a pattern; an empty one is never found.
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

    /// Returns the range of the first occurrence at or after an index; `nil` if there is none.
    package func firstPlace(in data: Data, from start: Data.Index) -> Range<Data.Index>? {
        guard !wanted.isEmpty, (data.startIndex...data.endIndex).contains(start) else { return nil }
        let end = data.withUnsafeBytes { bytes -> Int? in
            var matched = 0
            var offset = start - data.startIndex
            while offset < bytes.count {
                if matched == 0 {
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
                    guard let next = rest.firstOffset(of: wanted[0]) else { return nil }
                    offset += next
                }
                while matched > 0, wanted[matched] != bytes[offset] { matched = fallbacks[matched - 1] }
                if wanted[matched] == bytes[offset] { matched += 1 }
                offset += 1
                if matched == wanted.count { return offset }
            }
            return nil
        }
        return end.map { data.startIndex + $0 - wanted.count..<data.startIndex + $0 }
    }
}

extension Data {
    /// Splits the data at each occurrence of a separator: into one more piece than there are occurrences.
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
