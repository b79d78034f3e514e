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

    /// Asks for a password, which the terminal does not show.
    ///
    /// - Parameter prompt: What to ask.
    /// - Returns: The password; `nil` if there is no terminal to ask at.
    static func askForPassword(_ prompt: String) -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else { return nil }
        let before = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(terminal, TCSAFLUSH, &settings) == 0 else { return nil }
        defer {
            var before = before
            tcsetattr(terminal, TCSAFLUSH, &before)
            _ = Output.write(Array("\n".utf8), to: terminal)
        }
        _ = Output.write(Array(SafeText.line(prompt).utf8), to: terminal)
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(terminal, &byte, 1) == 1, byte != 0x0A { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
