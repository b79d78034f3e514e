import PiuPiuAsync

/// A question for a password, which the terminal does not show.
///
/// Whatever interrupts it, the terminal shows again what is typed. Stopped by Ctrl-Z, it is asked again when Fetch goes on.
enum PasswordPrompt {
    private struct Hidden {
        let terminal: Int32
        let settings: termios
    }

    /// The terminal that does not show what is typed, and its settings before.
    private static let hidden = Locked<Hidden?>(nil)

    /// Asks for a password.
    ///
    /// - Parameter prompt: What to ask.
    /// - Returns: The password; `nil` if there is no terminal to ask at.
    static func ask(_ prompt: String) -> String? {
        while true {
            let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
            guard terminal >= 0 else { return nil }
            guard let interruption = QuestionInterruption(terminal) else {
                close(terminal)
                return nil
            }
            let answer = answer(prompt, terminal, interruption)
            show()
            close(terminal)
            switch interruption.end() {
            case nil: return answer
            // What the system does with it: it stops the process, unless nobody could continue it. Sent to this thread,
            // which thereby goes on only when the process does.
            case SIGTSTP?: raise(SIGTSTP)
            case let number?: _exit(128 + number)
            }
        }
    }

    private static func answer(_ prompt: String, _ terminal: Int32, _ interruption: QuestionInterruption) -> String? {
        // In the background, this stops the process until it is in the foreground.
        guard hide(terminal) else { return nil }
        _ = Output.write(Array(SafeText.line(prompt).utf8), to: terminal)
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while interruption.allowsReading() {
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
            while tcsetattr(terminal, TCSAFLUSH, &settings) != 0 {
                guard errno == EINTR else { return false }
            }
            hidden = Hidden(terminal: terminal, settings: before)
            return true
        }
    }
}
