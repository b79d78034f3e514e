/// A field of a form, as `--form` describes it.
struct FormField: Equatable {
    let name: String
    let content: Arguments.Content
    var type: String?
    var fileName: String?

    /// Reads a description, such as `name=value` or `name=@file;type=image/png;filename=a.png`.
    ///
    /// - Parameter text: The description.
    /// - Throws: ``Arguments/Mistake``, which does not show the value: it may be a secret.
    init(_ text: String) throws(Arguments.Mistake) {
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
            throw Arguments.Mistake(description: "A field of --form is written as name=value or name=@file.")
        }
        name = String(text[..<sign])
        let value = text[text.index(after: sign)...]
        guard value.first == "@" else {
            // A semicolon belongs to the text.
            content = .text(String(value))
            return
        }
        var parts = value.dropFirst().split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        while let last = parts.last, parts.count > 1 {
            if last.hasPrefix("type=") {
                type = String(last.dropFirst(5))
            } else if last.hasPrefix("filename=") {
                fileName = String(last.dropFirst(9))
            } else {
                // A part of the file's name.
                break
            }
            parts.removeLast()
        }
        let path = parts.joined(separator: ";")
        guard !path.isEmpty, path != "-" else {
            throw Arguments.Mistake(description: "The file of the field \(SafeText.line(name, limit: 40)) is missing.")
        }
        content = .file(path)
    }
}
