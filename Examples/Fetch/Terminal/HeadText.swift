import PiuPiuAsync

/// The head of a response as text: a pure function.
enum HeadText {
    /// Writes a head, with an empty line after it.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - colours: The colours.
    /// - Returns: The bytes, in which nothing is left that a terminal would obey.
    static func bytes(_ head: ResponseHead, _ colours: Colours) -> [UInt8] {
        let status = head.statusCode.rawValue
        let kind: Colours.Kind = status < 300 ? .good : status < 400 ? .name : .bad
        let name = SafeText.line(head.statusCode.localizedDescription)
        var text = colours.paint(SafeText.line(head.httpVersion), .faint) + " "
        text += colours.paint("\(status) \(name)", kind) + "\n"
        for field in head.headers {
            text += colours.paint(SafeText.line(field.name), .name) + ": " + SafeText.line(field.value) + "\n"
        }
        return Array((text + "\n").utf8)
    }
}
