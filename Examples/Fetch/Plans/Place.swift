import Foundation

/// What a path leads to, with every link followed.
enum Place: Equatable {
    /// A file, or a name that nothing has yet.
    case file(path: String)
    case folder
    /// A device, a pipe or a socket: it is opened and written to, and never replaced.
    case channel(Channel)

    /// What is written to without being a file.
    enum Channel: Equatable {
        case path(String)
        /// A descriptor of this process, such as 1 for `/dev/stdout`.
        case descriptor(Int32)
    }

    /// How many links may follow each other, as for the system.
    private static let longestChain = 40

    /// Follows a path.
    ///
    /// - Parameter path: The path.
    /// - Returns: What is there.
    /// - Throws: ``FetchError`` if the links lead in a circle.
    static func of(_ path: String) throws(FetchError) -> Place {
        var next = path
        for _ in 0..<longestChain {
            let folder = realPath(of: folder(of: next))
            if let descriptor = descriptor(name(of: next), in: folder) { return .channel(.descriptor(descriptor)) }
            // What a link in /proc leads to need not have a name.
            if let folder, folder.hasPrefix("/proc/") { return .channel(.path(next)) }
            switch kind(of: next) {
            case S_IFREG?, nil: return .file(path: next)
            case S_IFDIR?: return .folder
            case S_IFLNK?:
                guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: next) else {
                    return .file(path: next)
                }
                // The system reads what comes after a folder, so that `..` means the folder that is there.
                next = target.utf8.first == UInt8(ascii: "/") ? target : Self.folder(of: next) + "/" + target
            default: return .channel(.path(next))
            }
        }
        throw FetchError(.notWritten, "\(SafeText.line(path)) is a link that leads to itself.")
    }

    /// Whether a path leads to what is no file.
    static func isChannel(_ path: String) -> Bool {
        if case .channel? = try? of(path) { true } else { false }
    }

    /// Whether something has this name, if only a link that leads nowhere.
    static func exists(_ path: String) -> Bool { kind(of: path) != nil }

    /// Whether a regular file has this name, itself and not by a link.
    static func isFile(_ path: String) -> Bool { kind(of: path) == S_IFREG }

    /// One spelling for all paths of a file that need not exist.
    static func canonical(_ path: String) -> String {
        var missing = [name(of: path)]
        var folder = folder(of: path)
        while true {
            if let real = realPath(of: folder) {
                let prefix = real == "/" ? "" : real
                return prefix + "/" + missing.reversed().joined(separator: "/")
            }
            let parent = URL(filePath: folder).standardizedFileURL.deletingLastPathComponent().path
            guard parent.utf8.count < URL(filePath: folder).standardizedFileURL.path.utf8.count else {
                return URL(filePath: path).standardizedFileURL.path
            }
            missing.append(URL(filePath: folder).standardizedFileURL.lastPathComponent)
            folder = parent
        }
    }

    /// The file itself, whatever it is called: another spelling can lead to it on a disk that ignores case.
    ///
    /// - Returns: The numbers of the disk and the file; `nil` if there is none.
    static func identity(_ path: String) -> String? {
        var status = stat()
        return lstat(path, &status) == 0 ? "\(status.st_dev):\(status.st_ino)" : nil
    }

    /// The folder in a path; `.` if it has none.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func name(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    private static func realPath(of path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(validatingCString: real)
    }

    private static func descriptor(_ name: String, in folder: String?) -> Int32? {
        let own = ["/dev/fd", "/proc/\(getpid())/fd"]
        guard let folder, own.contains(folder), let number = Int32(name), number >= 0 else { return nil }
        return number
    }
}
