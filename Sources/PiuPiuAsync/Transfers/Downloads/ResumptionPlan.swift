/// The rules for resuming a download: the fields to send, and how to treat the response.
struct ResumptionPlan: Equatable {
    /// The number of bytes already present; 0 for a download from the start.
    let offset: Int64
    let record: ResumptionRecord?

    /// A download from the start.
    static let fromTheStart = ResumptionPlan(offset: 0, record: nil)

    /// Creates a plan from the record of an earlier download and the length of its part, in bytes.
    init(record: ResumptionRecord?, partLength length: Int64) {
        guard let record, length > 0, length <= record.size ?? .max else {
            self = .fromTheStart
            return
        }
        // For a complete part, request its last byte: a range beyond the end gets a 416, which does not show whether
        // the server still has the same version.
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
        /// Write the body at an offset; the file will have the total length, if known.
        case write(at: Int64, total: Int64?)
        /// The response cannot be used; request again without a range.
        case askAgain
        /// Any other response, with a status code that may be a failure.
        case other
    }

    /// Decides what to do with a response, given the length of its body, if known.
    func decide(_ head: ResponseHead, length: Int64?) -> Decision {
        let ranges = Set(head.headers.values(for: "Content-Range"))
        switch head.statusCode.rawValue {
        case 206 where offset > 0:
            // Contradictory fields are useless.
            guard ranges.count == 1, let range = ContentRange(ranges.first), range.first == offset,
                // Otherwise the body would not be that range.
                length ?? range.count == range.count,
                record?.agrees(with: head) == true,
                // Without a total, the end of the file is unknown.
                let total = range.total ?? record?.size, total == record?.size ?? total, range.last < total
            else { return .askAgain }
            return .write(at: offset, total: total)
        // A response that cannot have content is not a version of the file (RFC 9110 §15.3.5, §15.3.6).
        case 204 where offset > 0, 205 where offset > 0, 416 where offset > 0: return .askAgain
        // Some servers send the range with the status code of a whole response.
        case 200..<300 where offset > 0 && (!ranges.isEmpty || contradicts(head, length: length)): return .askAgain
        // The resource changed, or the server does not support ranges: start over.
        case 200..<300: return .write(at: 0, total: length)
        default: return .other
        }
    }
}

extension ResumptionPlan {
    /// Returns whether a whole response has the wrong length.
    ///
    /// Its length is wrong if it differs from the known length of the same version, or equals the length of the requested rest.
    func contradicts(_ head: ResponseHead, length: Int64?) -> Bool {
        guard offset > 0, let record, let size = record.size, let length, length != size else { return false }
        // Other successes may be about another representation (RFC 9110 §15.3.4).
        return head.statusCode == .ok && record.agrees(with: head) || length == size - offset
    }

    /// Returns the offset in the file at which a body ends: the end of its range, or the length of the file, if known.
    static func end(of head: ResponseHead, total: Int64?) -> Int64? {
        guard head.statusCode == .partialContent, let range = ContentRange(head.firstValue(of: "Content-Range")),
            range.last < total ?? .max
        else { return total }
        return range.last + 1
    }

    /// Returns whether a response to a request without a range has only a part of the resource, whatever its status.
    static func isPart(_ head: ResponseHead) -> Bool {
        head.headers.values(for: "Content-Range").contains { value in
            guard let range = ContentRange(value) else { return false }
            return range.first > 0 || range.total.map { range.last + 1 < $0 } ?? false
        }
    }
}

/// A `Content-Range` value, such as `bytes 5-9/10` (RFC 9110 §14.4).
struct ContentRange: Equatable {
    let first: Int64
    let last: Int64
    /// The length of the whole resource; `nil` for `*`.
    let total: Int64?

    /// The number of bytes in the range.
    ///
    /// The largest possible range has one byte more than an `Int64` can count, so it is capped.
    var count: Int64 { last - first == .max ? .max : last - first + 1 }

    /// Parses a field's value; `nil` if it is missing or malformed.
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
        // `Int64(_:)` would accept a sign.
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }
}
