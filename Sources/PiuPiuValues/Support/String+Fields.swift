extension String {
    /// Returns whether two strings are equal, ignoring the case of A–Z and a–z.
    package func isEqualIgnoringASCIICase(to other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).allSatisfy { $0 == $1 || ($0.asciiLowercased == $1.asciiLowercased) }
    }
}

extension String {
    /// Whether the string can be a field value: not empty, and without control characters (RFC 9110 §5.5).
    package var isFieldValue: Bool { !isEmpty && utf8.allSatisfy(\.isFieldCharacter) }
}

extension Substring {
    /// Splits at the first occurrence of a character; the second part is `nil` if there is none.
    package func splitAtFirst(_ separator: Character) -> (Substring, Substring?) {
        guard let index = firstIndex(of: separator) else { return (self, nil) }
        return (self[..<index], self[self.index(after: index)...])
    }
}

extension String {
    /// Creates a text from the bytes of a body; `nil` if UTF-8 does not restore exactly the same bytes.
    package init?(lossless data: Data) {
        self.init(validating: data, as: UTF8.self)
    }

    /// The charset of a content type, in lower case; `nil` if it names none.
    package var charset: String? {
        parameter("charset")?.lowercased()
    }

    /// Returns a parameter of a field such as `Content-Type`, without quotation marks; `nil` if there is none.
    package func parameter(_ name: String) -> String? {
        FieldScanner.parameters(of: self)[name.lowercased()]?.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    }
}
