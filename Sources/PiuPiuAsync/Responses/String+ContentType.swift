extension String {
    /// Creates a text from the bytes of a body; `nil` if UTF-8 does not restore exactly the same bytes.
    ///
    /// - Parameter data: The bytes.
    package init?(lossless data: Data) {
        self.init(validating: data, as: UTF8.self)
    }

    /// The charset of a content type, in lower case; `nil` if it names none.
    package var charset: String? {
        parameter("charset")?.lowercased()
    }

    /// Returns a parameter of a field such as `Content-Type`.
    ///
    /// - Parameter name: The parameter's name, in any case.
    /// - Returns: The value without quotation marks; `nil` if there is no such parameter.
    package func parameter(_ name: String) -> String? {
        for part in split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2, pair[0].isEqualIgnoringASCIICase(to: name) else { continue }
            return pair[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        }
        return nil
    }
}
