import PiuPiuAsync

/// A question for a password, which the terminal does not show.
///
/// Whatever interrupts it, the terminal shows again what is typed.
enum PasswordPrompt {
    private struct Hidden {
        let terminal: Int32
        let settings: termios
    }

    /// The terminal that does not show what is typed, and its settings before.
    private static let hidden = Locked<Hidden?>(nil)
    private static let queue = DispatchQueue(label: "Fetch.PasswordPrompt")

    /// Asks for a password.
    ///
    /// - Parameter prompt: What to ask.
    /// - Returns: The password; `nil` if there is no terminal to ask at.
    static func ask(_ prompt: String) -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        _ = isWatching
        guard hide(terminal) else { return nil }
        defer { show() }
        _ = Output.write(Array(SafeText.line(prompt).utf8), to: terminal)
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != 0x0A else { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Lets the terminal show what is typed, if a question keeps it from doing so.
    static func show() {
        hidden.withLock { hidden in
            guard let question = hidden else { return }
            hidden = nil
            var settings = question.settings
            tcsetattr(question.terminal, TCSAFLUSH, &settings)
            _ = Output.write(Array("\n".utf8), to: question.terminal)
        }
    }

    private static func hide(_ terminal: Int32) -> Bool {
        hidden.withLock { hidden in
            var settings = termios()
            guard tcgetattr(terminal, &settings) == 0 else { return false }
            let before = settings
            settings.c_lflag &= ~tcflag_t(ECHO)
            guard tcsetattr(terminal, TCSAFLUSH, &settings) == 0 else { return false }
            hidden = Hidden(terminal: terminal, settings: before)
            return true
        }
    }

    /// Watches the signals that end or stop the process, but for those that ``Interruption`` takes.
    private static let isWatching: Void = {
        for number in [SIGHUP, SIGQUIT, SIGTSTP] {
            Signals.watch(number, on: queue) {
                let terminal = hidden.withLock { $0?.terminal }
                show()
                guard number == SIGTSTP else { _exit(128 + number) }
                // Sent to this thread, which thereby goes on only when the process does.
                raise(SIGSTOP)
                if let terminal { _ = hide(terminal) }
            }
        }
    }()
}
