/// The fields of a head, in the order in which they are sent.
///
/// One array contains all of them as the lines of HTTP/1.1 (RFC 9112 §5). This takes one allocation, and HTTP/1.1 sends the
/// lines unchanged.
package struct FieldList: Hashable, Sendable {
    /// The lines, each with its line end; an empty value has no space before it.
    package private(set) var lines: [UInt8] = []

    /// Creates an empty list that reserves room for lines of `capacity` bytes.
    package init(capacity: Int = 0) {
        if capacity > 0 { lines.reserveCapacity(capacity) }
    }

    /// Creates a list of one field; see ``append(_:_:)``.
    package init(_ name: String, _ value: String) {
        append(name, value)
    }

    /// Whether there are no fields.
    package var isEmpty: Bool { lines.isEmpty }

    /// Appends a field.
    ///
    /// - Parameters:
    ///   - name: The name, a token (RFC 9110 §5.1).
    ///   - value: The value. A value that is only white space counts as empty. The caller has checked that the value has
    ///     no control characters; if it has a line end anyway, the rest is left out.
    package mutating func append(_ name: String, _ value: String) {
        lines.append(contentsOf: name.utf8)
        lines.append(0x3A)
        let isEmpty = value.utf8.allSatisfy(\.isHTTPWhitespace)
        if !isEmpty {
            lines.append(0x20)
            let start = lines.count
            lines.append(contentsOf: value.utf8)
            if let end = lines[start...].firstIndex(where: { $0 == 0x0D || $0 == 0x0A }) {
                lines.removeSubrange(end...)
            }
        }
        lines.append(0x0D)
        lines.append(0x0A)
    }

    /// Appends the fields of another list.
    package mutating func append(_ other: FieldList) { lines += other.lines }

    /// Returns the fields of one list, and then those of another.
    package static func + (first: FieldList, second: FieldList) -> FieldList {
        guard !first.isEmpty else { return second }
        guard !second.isEmpty else { return first }
        var sum = first
        sum.append(second)
        return sum
    }

    /// Calls a closure with each field: its name, and its value without surrounding white space, both valid until the closure
    /// returns.
    package func forEach(_ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) {
        forEachLine { line in
            if let (name, value) = Self.split(line) { body(name, value) }
        }
    }

    /// Calls a closure with each line, which is valid until the closure returns and has no line end: "Name: value", or "Name:"
    /// for an empty value.
    package func forEachLine(_ body: (_ line: UnsafeRawBufferPointer) -> Void) {
        lines.withUnsafeBytes { lines in
            var rest = lines
            while let end = rest.firstOffset(of: 0x0A) {
                body(UnsafeRawBufferPointer(rebasing: rest[..<max(0, end - 1)]))
                rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
            }
        }
    }

    /// Splits a line into its name and its value; returns `nil` if it has no name.
    package static func split(
        _ line: UnsafeRawBufferPointer
    ) -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
        guard let colon = line.firstOffset(of: 0x3A), colon > 0 else { return nil }
        var (lower, upper) = (colon + 1, line.count)
        while lower < upper, line[lower].isHTTPWhitespace { lower += 1 }
        while upper > lower, line[upper - 1].isHTTPWhitespace { upper -= 1 }
        return (
            UnsafeRawBufferPointer(rebasing: line[..<colon]), UnsafeRawBufferPointer(rebasing: line[lower..<upper])
        )
    }

    /// Whether there is a field with a name, which is given in lower case and matches in any case.
    package func contains(_ name: StaticString) -> Bool {
        var isFound = false
        forEach { other, _ in isFound = isFound || other.isName(name) }
        return isFound
    }

    /// Returns the fields with a name, or all others, in their order.
    ///
    /// - Parameters:
    ///   - name: The name, in lower case.
    ///   - isKept: `true` to keep the fields with the name, `false` to keep the others.
    /// - Returns: The fields.
    package func filter(_ name: StaticString, isKept: Bool) -> FieldList {
        var kept = FieldList()
        forEachLine { line in
            guard Self.split(line)?.name.isName(name) == isKept else { return }
            kept.lines.append(contentsOf: line)
            kept.lines.append(0x0D)
            kept.lines.append(0x0A)
        }
        return kept
    }

    /// The fields as text, each as "Name: value", or "Name:" for an empty value.
    package var text: [String] {
        String(decoding: lines, as: UTF8.self).split(separator: "\r\n").map { String($0) }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes equal a name in any case; the name is given in lower case.
    package func isName(_ name: StaticString) -> Bool {
        guard count == name.utf8CodeUnitCount else { return false }
        for index in 0..<count where self[index].asciiLowercased != name.utf8Start[index] { return false }
        return true
    }
}
