import Foundation

/// The terminals that standard output and standard error go to, if they do.
enum Terminal {
    /// Whether a descriptor is a terminal that can move its cursor and knows colours.
    ///
    /// - Parameter descriptor: The descriptor.
    /// - Returns: Whether it is one.
    static func isThere(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// How many columns of standard error may be written to, and how many lines it has.
    static var size: (width: Int, height: Int) {
        var size = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        // Some terminals go to the next line as soon as the last column is written.
        return isKnown ? (Int(size.ws_col) - 1, max(1, Int(size.ws_row))) : (79, 24)
    }
}
