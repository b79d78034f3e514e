extension OpenFile {
    /// The number of names that are tried.
    private static let manyNames = 10_000

    /// Moves a file into a folder of its disk, under a name that nothing else has there.
    ///
    /// If the name is taken, a number is added, as in `report (1).pdf`. Nothing is replaced, whoever else creates files.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - folder: The folder.
    ///   - name: The name.
    /// - Returns: The file's new URL.
    /// - Throws: ``TransferError``.
    static func move(_ source: URL, into folder: URL, as name: String) throws -> URL {
        for number in 0..<manyNames {
            let url = folder.appending(path: numbered(name, number), directoryHint: .notDirectory)
            if try moveToFreeName(source, url) { return url }
        }
        throw error(EEXIST, folder)
    }

    /// Returns a name with a number in front of its extension; 0 for none.
    static func numbered(_ name: String, _ number: Int) -> String {
        guard number > 0 else { return name }
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "\(name) (\(number))" }
        return "\(name[..<dot]) (\(number))\(name[dot...])"
    }

    /// Renames a file unless the name is taken.
    ///
    /// - Returns: Whether it was free.
    private static func moveToFreeName(_ source: URL, _ destination: URL) throws -> Bool {
        if link(path(of: source), path(of: destination)) == 0 {
            remove(source)
            return true
        }
        switch errno {
        case EEXIST: return false
        // Not every disk has links; there, an empty file takes the name first.
        case EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK, EINVAL:
            do {
                _ = try open(destination, O_WRONLY | O_CREAT | O_EXCL)
            } catch let error as TransferError where error.systemErrorNumber == EEXIST {
                return false
            }
            try move(source, to: destination)
            return true
        case let number: throw error(number, destination)
        }
    }
}
