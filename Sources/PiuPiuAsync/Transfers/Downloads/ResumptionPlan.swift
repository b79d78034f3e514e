/// What to ask for, and what to make of the answer, when a download continues: pure rules.
struct ResumptionPlan: Equatable {
    /// How many bytes there are already; 0 for a download from the start.
    let offset: Int64
    let record: ResumptionRecord?

    /// A download from the start.
    static let fromTheStart = ResumptionPlan(offset: 0, record: nil)

    /// Looks at what an earlier download left.
    ///
    /// - Parameters:
    ///   - record: What is known about the part.
    ///   - length: How long the part is.
    init(record: ResumptionRecord?, partLength length: Int64) {
        guard let record, length > 0, length <= record.size ?? .max else {
            self = .fromTheStart
            return
        }
        // A complete part is asked for its last byte: a range beyond the end would be refused with 416, from which it
        // cannot be told whether the server still has the same.
        offset = length == record.size ? length - 1 : length
        self.record = offset > 0 ? record : nil
    }

    private init(offset: Int64, record: ResumptionRecord?) {
        self.offset = offset
        self.record = record
    }

    /// The fields to send (RFC 9110 §13.1.5, §14.2).
    var fields: [(name: String, value: String)] {
        guard let record, offset > 0 else { return [] }
        return [("Range", "bytes=\(offset)-"), ("If-Range", record.validator)]
    }

    enum Decision: Equatable {
        /// The body belongs at an offset, and the file will have a length, if that is known.
        case write(at: Int64, total: Int64?)
        /// The answer cannot be used; ask again, without a range.
        case askAgain
        /// An answer like any other, with a status code that may be a failure.
        case other
    }

    /// Decides what to do with an answer.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - length: How long its body is, if that is known.
    /// - Returns: What to do.
    func decide(_ head: ResponseHead, length: Int64?) -> Decision {
        switch head.statusCode.rawValue {
        case 206 where offset > 0:
            guard let range = ContentRange(head.firstValue(of: "Content-Range")), range.first == offset,
                // Otherwise what is written would not be that range.
                length ?? range.count == range.count,
                record?.agrees(with: head) == true,
                // Without a total nobody could tell whether the file is complete.
                let total = range.total ?? record?.size, total == record?.size ?? total, range.last < total
            else { return .askAgain }
            return .write(at: offset, total: total)
        case 416 where offset > 0: return .askAgain
        // Not the same any more, or a server that knows no ranges: from the start.
        case 200..<300: return .write(at: 0, total: length)
        default: return .other
        }
    }
}

/// `Content-Range: bytes 5-9/10` (RFC 9110 §14.4).
struct ContentRange: Equatable {
    let first: Int64
    let last: Int64
    /// How long the whole is; `nil` for `*`.
    let total: Int64?

    /// How many bytes it has.
    ///
    /// That of all numbers there are would be one more than there is a number for.
    var count: Int64 { last - first == .max ? .max : last - first + 1 }

    /// Reads a field's value.
    ///
    /// - Parameter value: The value.
    init?(_ value: String?) {
        guard let value, value.utf8.count < 100 else { return nil }
        let words = value.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]), first <= last
        else {
            return nil
        }
        self.first = first
        self.last = last
        guard parts[1] != "*" else {
            total = nil
            return
        }
        guard let total = Self.number(parts[1]), last < total else { return nil }
        self.total = total
    }

    private static func number(_ text: Substring) -> Int64? {
        // `Int64(_:)` would take a sign.
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }
}
