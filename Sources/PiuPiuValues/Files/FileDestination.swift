/// The destination of a file that replaces another: the file that a path leads to, through symbolic links.
///
/// Renaming a file over a link would replace the link, and leave the file that it leads to unchanged. As root, it would even
/// replace `/dev/null`.
package enum FileDestination: Equatable {
    /// A regular file or nothing: a new file may be renamed to this name.
    case file(URL)
    /// A terminal, a pipe, another character device, or the file of an open descriptor: it is written in place, and never
    /// removed.
    case stream(URL)

    /// The number of links after which a path counts as a loop, as on Linux.
    private static let maximumLinks = 40

    /// Follows a path.
    ///
    /// Throws `TransferError` with the code `notARegularFile` for a folder, a socket, a block device, a loop of links, or a
    /// path that ends with `/`, `.` or `..`.
    package init(_ url: URL) throws {
        guard url.isFileURL else { throw TransferError(.fileNotFound, reason: "The URL is not a file URL", file: url) }
        var path = OpenFile.path(of: url)
        guard !path.isEmpty else { throw OpenFile.error(EINVAL, url) }
        for _ in 0...Self.maximumLinks {
            let (folder, name) = Self.parts(of: path)
            guard !["", ".", ".."].contains(name) else { throw OpenFile.error(EISDIR, url) }
            // These folders have a process's descriptors, whose links need not be the names of files.
            if ["/proc/", "/dev/fd/"].contains(where: path.hasPrefix) {
                self = .stream(try Self.stream(path, url))
                return
            }
            var status = stat()
            guard lstat(path, &status) == 0 else {
                // A missing file is created later, and every other error is reported when that fails.
                self = .file(Self.url(path, url))
                return
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                self = .file(Self.url(path, url))
                return
            case S_IFLNK:
                let target = try Self.target(of: path, url)
                path = target.utf8.first == UInt8(ascii: "/") ? target : folder + target
            case S_IFIFO, S_IFCHR:
                self = .stream(Self.url(path, url))
                return
            default: throw OpenFile.error(ENXIO, url)
            }
        }
        throw OpenFile.error(ELOOP, url)
    }

    /// The file to write.
    package var url: URL {
        switch self {
        case .file(let url), .stream(let url): url
        }
    }

    /// Splits a path at its last slash, which belongs to the folder.
    private static func parts(of path: String) -> (folder: Substring, name: Substring) {
        let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        return (path[..<start], path[start...])
    }

    /// Returns the URL as it was given, unless a link led elsewhere.
    private static func url(_ path: String, _ original: URL) -> URL {
        path == OpenFile.path(of: original) ? original : URL(filePath: path, directoryHint: .notDirectory)
    }

    private static func stream(_ path: String, _ original: URL) throws -> URL {
        var status = stat()
        guard stat(path, &status) == 0 else { throw OpenFile.error(errno, original) }
        guard [S_IFREG, S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT) else {
            throw OpenFile.error(ENXIO, original)
        }
        return url(path, original)
    }

    private static func target(of path: String, _ original: URL) throws -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        guard count > 0 else { throw OpenFile.error(count == 0 ? EINVAL : errno, original) }
        guard let target = String(validating: bytes.prefix(count), as: UTF8.self) else {
            throw OpenFile.error(EILSEQ, original)
        }
        return target
    }
}

extension FileDestination {
    /// Follows a path, and creates the missing folders of the file that it leads to; returns these, deepest first.
    ///
    /// If it throws a `TransferError`, no folders are left.
    package static func preparing(_ url: URL) throws -> (destination: FileDestination, folders: [URL]) {
        var folders: [URL] = []
        do {
            var destination = try FileDestination(url)
            while case .file(let file) = destination {
                let created = try OpenFile.createFolders(folder(of: file))
                folders = created + folders
                // In a path such as `new/../link`, the target of the link is known only now.
                let next = created.isEmpty ? destination : try FileDestination(url)
                guard next != destination else { break }
                destination = next
            }
            return (destination, folders)
        } catch {
            OpenFile.removeFolders(folders)
            throw error
        }
    }

    /// The folder of a file, as written in its path.
    private static func folder(of file: URL) -> URL {
        URL(filePath: String(parts(of: OpenFile.path(of: file)).folder), directoryHint: .isDirectory)
    }
}
