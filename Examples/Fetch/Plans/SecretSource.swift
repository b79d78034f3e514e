import Foundation

/// Where a secret is: never in the command line itself, which every user of the machine can see.
enum SecretSource: Equatable {
    case variable(String)
    case file(String)

    /// Reads the value of an option.
    ///
    /// - Parameters:
    ///   - text: The name of an environment variable, or a file after `@`.
    ///   - option: The option, for the message.
    /// - Throws: ``Arguments/Mistake``, which does not show the text: it may be the secret.
    init(_ text: String, of option: String) throws(Arguments.Mistake) {
        if text.hasPrefix("@"), text.count > 1 {
            self = .file(String(text.dropFirst()))
        } else if text.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil {
            self = .variable(text)
        } else {
            throw Arguments.Mistake(
                description:
                    "\(option) takes the name of an environment variable, or @FILE, and not the secret itself: "
                    + "others could see it in the list of processes."
            )
        }
    }

    /// Reads the secret.
    ///
    /// - Parameters:
    ///   - option: The option, for the message.
    ///   - environment: The environment.
    /// - Returns: The secret, without white space and line ends around it.
    /// - Throws: ``Arguments/Mistake``.
    func read(_ option: String, environment: [String: String]) throws(Arguments.Mistake) -> String {
        let text: String?
        switch self {
        case .variable(let name): text = environment[name]
        case .file(let path): text = try? String(contentsOfFile: path, encoding: .utf8)
        }
        guard let secret = text?.trimmingCharacters(in: .whitespacesAndNewlines), !secret.isEmpty else {
            switch self {
            case .variable(let name):
                // A word that looks like a token and was meant as one must not be shown.
                let shown = name.utf8.count <= 32 ? " \(name)" : ""
                throw Arguments.Mistake(
                    description: "The environment variable\(shown) of \(option) is empty or not set."
                )
            case .file(let path):
                throw Arguments.Mistake(description: "The file of \(option) is empty or unreadable: \(path)")
            }
        }
        return secret
    }
}
