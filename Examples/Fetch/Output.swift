import Foundation

/// Prints: results to standard output, and everything about the way there to standard error.
enum Output {
    /// Prints a result.
    static func result(_ text: String) {
        write(printable(text) + "\n", to: STDOUT_FILENO)
    }

    /// Prints something to standard error.
    static func note(_ text: String) {
        write(printable(text) + "\n", to: STDERR_FILENO)
    }

    /// Prints a failure, in one line.
    static func problem(_ text: String) {
        note(printable(text).replacing(#/\s*\n\s*/#, with: " "))
    }

    /// Writes a text as it is.
    ///
    /// Nothing is held back, so that the two outputs come in order if they go to one place. What is no longer read is
    /// dropped: that is no reason to leave half a file behind.
    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// The text without control characters: what a server sends must not move the cursor.
    static func printable(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t" ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
