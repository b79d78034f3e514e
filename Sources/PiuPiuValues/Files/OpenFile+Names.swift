#if os(Linux)
import CShims
#endif

extension OpenFile {
    /// The number of names to try.
    private static let manyNames = 10_000

    /// Moves a file into a folder on its disk, under a name that is free there; returns the file's new URL.
    ///
    /// If the name is taken, a number is added, as in `report (1).pdf`. A name that the disk refuses, as some do with `:` or
    /// `?`, becomes `download`. Throws ``TransferError`` with the code `fileFailed` if too many names are taken.
    package static func move(_ source: URL, into folder: URL, as name: String) throws -> URL {
        do {
            return try moveToFreeName(source, folder, name)
        } catch let error as TransferError {
            let isRefused = [EINVAL, ENAMETOOLONG, EILSEQ].contains(error.systemErrorNumber)
            guard isRefused, name != SuggestedFileName.none else { throw error }
            return try moveToFreeName(source, folder, SuggestedFileName.none)
        }
    }

    private static func moveToFreeName(_ source: URL, _ folder: URL, _ name: String) throws -> URL {
        let isName = !name.utf8.contains(UInt8(ascii: "/")) && ![".", "..", ""].contains(name)
        guard isName else { throw error(EISDIR, folder) }
        for number in 0..<manyNames {
            let url = folder.appending(path: numbered(name, number), directoryHint: .notDirectory)
            if try moveIfFree(source, url) { return url }
        }
        throw error(EEXIST, folder)
    }

    /// Returns a name with a number before its extension; 0 adds none.
    static func numbered(_ name: String, _ number: Int) -> String {
        guard number > 0 else { return name }
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "\(name) (\(number))" }
        return "\(name[..<dot]) (\(number))\(name[dot...])"
    }

    /// Renames a file unless the name is taken; returns whether it was free.
    private static func moveIfFree(_ source: URL, _ destination: URL) throws -> Bool {
        let (from, to) = (path(of: source), path(of: destination))
        #if canImport(Darwin)
        let hasMoved = renamex_np(from, to, UInt32(RENAME_EXCL)) == 0
        #else
        let hasMoved = pp_rename_to_free_name(from, to) == 0
        #endif
        if hasMoved { return true }
        guard errno != EEXIST else { return false }
        // NFS does not support such renaming, but it supports links, which fail in the same way for an invalid name.
        if link(from, to) == 0 || errno == EEXIST && isSame(from, to) {
            remove(source)
            return true
        }
        switch errno {
        case EEXIST: return false
        case EPERM, EACCES, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK: return try moveToOwnName(source, destination)
        case let number: throw error(number, destination)
        }
    }

    /// Whether two names belong to one file: a link over a network may have been made although the response was lost.
    private static func isSame(_ path: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        return lstat(path, &first) == 0 && lstat(other, &second) == 0 && first.st_dev == second.st_dev
            && first.st_ino == second.st_ino
    }

    /// Reserves a name with an empty file, and renames a file to it: a last resort, as the file is empty for a moment.
    private static func moveToOwnName(_ source: URL, _ destination: URL) throws -> Bool {
        do {
            _ = try open(destination, O_WRONLY | O_CREAT | O_EXCL)
        } catch let error as TransferError where error.systemErrorNumber == EEXIST {
            return false
        }
        do {
            try move(source, to: destination)
        } catch {
            remove(destination)
            throw error
        }
        return true
    }
}
