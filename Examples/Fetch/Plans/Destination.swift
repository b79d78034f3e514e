import PiuPiuAsync

/// Where a response goes.
enum Destination: Equatable {
    case standardOutput
    case file(File)
    /// A device, a pipe or a descriptor, and what the user calls it.
    case channel(Place.Channel, path: String)

    struct File: Equatable {
        /// The path as the user is shown it.
        var path: String
        /// Whether a file that exists is replaced.
        var replaces: Bool
        /// Whether the name that the server proposes is used instead.
        var usesProposedName = false
        /// The file that the path leads to through links; `nil` if the path is no link.
        var target: String?

        var url: URL { URL(filePath: target ?? path, directoryHint: .notDirectory).absoluteURL }
    }

    /// Decides where each response goes: a pure function.
    ///
    /// - Parameters:
    ///   - arguments: What the user asks for.
    ///   - takesSeveral: Whether what has a path is no file, and takes one response after the other.
    /// - Returns: A destination for each URL.
    /// - Throws: ``Arguments/Mistake`` if two responses would go to the same file.
    static func all(
        for arguments: Arguments,
        takesSeveral: (String) -> Bool = { _ in false }
    ) throws(Arguments.Mistake) -> [Destination] {
        if arguments.asksForHeadOnly { return arguments.urls.map { _ in .standardOutput } }
        let destinations: [Destination]
        if !arguments.outputs.isEmpty {
            // The user wrote the name, and means it.
            destinations = arguments.outputs.map { $0 == "-" ? .standardOutput : .file(File(path: $0, replaces: true)) }
        } else if arguments.savesByName || arguments.resumes || arguments.urls.count > 1 {
            destinations = arguments.urls.map { url in
                let name = SuggestedFileName.lastPart(of: url) ?? SuggestedFileName.none
                let path = arguments.folder.map { $0.hasSuffix("/") ? $0 + name : "\($0)/\(name)" } ?? name
                let usesProposedName = arguments.usesRemoteHeaderName
                return .file(File(path: path, replaces: arguments.replaces, usesProposedName: usesProposedName))
            }
        } else {
            destinations = [.standardOutput]
        }
        var paths: Set<String> = []
        for case .file(let file) in destinations
        where !paths.insert(file.url.standardizedFileURL.path).inserted && !takesSeveral(file.path) {
            throw Arguments.Mistake(
                description: "Two URLs would be saved as \(SafeText.line(file.path)): name a file for each with -o."
            )
        }
        return destinations
    }

    /// Follows the links of the path, so that what they lead to is written and they stay.
    ///
    /// - Parameter arguments: What the user asks for.
    /// - Returns: The destination to write to.
    /// - Throws: ``Arguments/Mistake`` or ``FetchError`` if nothing can be written there.
    func resolved(_ arguments: Arguments) throws -> Destination {
        // A name that is not to be replaced is refused later if there is anything. One that a server has a part in does
        // not lead elsewhere.
        guard case .file(var file) = self, file.replaces, !file.usesProposedName else { return self }
        switch try Place.of(file.path) {
        case .folder: return self
        case .file(let path):
            if path != file.path { file.target = path }
            return .file(file)
        case .channel(let channel):
            guard !arguments.resumes else {
                throw Arguments.Mistake(description: "--resume needs a file, and \(SafeText.line(file.path)) is none.")
            }
            return channel == .descriptor(STDOUT_FILENO) ? .standardOutput : .channel(channel, path: file.path)
        }
    }
}
