import Foundation

/// Where a response goes.
enum Destination: Equatable {
    case standardOutput
    case file(File)

    struct File: Equatable {
        /// The path as the user is shown it.
        var path: String
        /// Whether a file that exists is replaced.
        var replaces: Bool
        /// Whether the name that the server proposes is used instead.
        var usesProposedName = false

        var url: URL { URL(filePath: path, directoryHint: .notDirectory).absoluteURL }
    }

    /// Decides where each response goes: a pure function.
    ///
    /// - Parameter arguments: What the user asks for.
    /// - Returns: A destination for each URL.
    /// - Throws: ``Arguments/Mistake`` if two responses would go to the same file.
    static func all(for arguments: Arguments) throws(Arguments.Mistake) -> [Destination] {
        if arguments.asksForHeadOnly { return arguments.urls.map { _ in .standardOutput } }
        let destinations: [Destination]
        if !arguments.outputs.isEmpty {
            // The user wrote the name, and means it.
            destinations = arguments.outputs.map { $0 == "-" ? .standardOutput : .file(File(path: $0, replaces: true)) }
        } else if arguments.savesByName || arguments.resumes || arguments.urls.count > 1 {
            destinations = arguments.urls.map { url in
                let name = FileName.of(url)
                let path = arguments.folder.map { $0.hasSuffix("/") ? $0 + name : "\($0)/\(name)" } ?? name
                let usesProposedName = arguments.usesRemoteHeaderName
                return .file(File(path: path, replaces: arguments.replaces, usesProposedName: usesProposedName))
            }
        } else {
            destinations = [.standardOutput]
        }
        var paths: Set<String> = []
        for case .file(let file) in destinations where !paths.insert(file.url.standardizedFileURL.path).inserted {
            throw Arguments.Mistake(
                description: "Two URLs would be saved as \(SafeText.line(file.path)): name a file for each with -o."
            )
        }
        return destinations
    }
}
