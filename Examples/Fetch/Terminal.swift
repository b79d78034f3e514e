import Foundation

/// The terminal that standard error goes to, if it does.
enum Terminal {
    /// Whether there is one that can go back in its line.
    static var isThere: Bool {
        isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// How many columns may be written to.
    static var width: Int {
        var size = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        // Some terminals go to the next line as soon as the last column is written.
        return (isKnown ? Int(size.ws_col) : 80) - 1
    }

    /// Writes a text over the line where the cursor is.
    static func replaceLine(_ text: String) {
        Output.write("\r\(text)\u{1B}[K", to: STDERR_FILENO)
    }
}
