// Folders by their paths. Only the system resolves a path: this code never finds out where one leads.
extension OpenFile {
    /// Returns whether a folder, or a link to one, exists at a location.
    static func isFolder(_ url: URL) -> Bool {
        var status = stat()
        return stat(path(of: url), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Creates a folder and its missing parents, as `mkdir -p` does; returns the new folders, deepest first.
    ///
    /// The parents are the prefixes of the path as written. The system resolves `..` and symbolic links, perhaps in a folder
    /// that was just created.
    package static func createFolders(_ url: URL) throws -> [URL] {
        let path = path(of: url)
        guard !path.isEmpty else { throw error(EINVAL, url) }
        // Most folders exist, or only their last name is missing. The system refuses a path that is too long here.
        switch try createFolder(path, mayMissParent: true) {
        case .exists: return []
        case .created: return [url]
        case .isMissingParent: break
        }
        var created: [URL] = []
        do {
            for beginning in beginnings(of: path) {
                guard try createFolder(beginning, mayMissParent: false) == .created else { continue }
                created.insert(URL(filePath: beginning, directoryHint: .isDirectory), at: 0)
            }
        } catch {
            removeFolders(created)
            throw error
        }
        return created
    }

    /// Returns the prefixes of a path that end with a name, shortest first, without trailing slashes; the last is the path.
    ///
    /// Together, they have at most the square of the path's length, which the system limits.
    static func beginnings(of path: String) -> [String] {
        let bytes = path.utf8
        let slash = UInt8(ascii: "/")
        return bytes.indices.compactMap { index in
            let next = bytes.index(after: index)
            let endsName = bytes[index] != slash && (next == bytes.endIndex || bytes[next] == slash)
            return endsName ? String(path[..<next]) : nil
        }
    }

    /// Returns the shortest prefix of a path that exists and is not a folder; `nil` if there is none any more.
    static func obstacle(in path: String) -> URL? {
        let obstacle = beginnings(of: path).first { beginning in
            var status = stat()
            return stat(beginning, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
        }
        return obstacle.map { URL(filePath: $0, directoryHint: .notDirectory) }
    }

    private enum Creation {
        case exists, created, isMissingParent
    }

    /// Creates a folder whose parent exists; with `mayMissParent`, a missing parent is a result instead of an error.
    private static func createFolder(_ path: String, mayMissParent: Bool) throws -> Creation {
        guard mkdir(path, 0o777) != 0 else { return .created }
        let number = errno
        let folder = URL(filePath: path, directoryHint: .isDirectory)
        // Some systems have other errors than `EEXIST` for folders in which nothing may be created.
        if isFolder(folder) { return .exists }
        switch number {
        case ENOENT where mayMissParent: return .isMissingParent
        // The folder existed and was removed in the meantime; the caller may try again.
        case EEXIST where access(path, F_OK) != 0 && errno == ENOENT: throw error(ENOENT, folder)
        case EEXIST: throw error(ENOTDIR, folder)
        default: throw error(number, folder)
        }
    }

    /// Removes folders, deepest first, up to the first one that is not empty.
    package static func removeFolders(_ folders: [URL]) {
        for folder in folders where rmdir(path(of: folder)) != 0 { return }
    }

    /// Flushes a folder to disk, so that the names of its files survive a power loss.
    package static func synchronizeFolder(_ folder: URL) throws {
        let path = path(of: folder)
        let descriptor = retrying { Foundation.open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw error(errno, folder) }
        defer { _ = close(descriptor) }
        // Some file systems have nothing to flush for a folder, and return `EINVAL`.
        guard retrying({ fsync(descriptor) }) == 0 || errno == EINVAL else { throw error(errno, folder) }
    }
}
