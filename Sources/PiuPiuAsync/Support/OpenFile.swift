/// An open file of the system.
///
/// Foundation's `FileHandle` ends the process on Linux where the disk is full; here every refusal is a thrown
/// ``TransferError``. Not sendable: one owner reads or writes. Closed when it is released.
package final class OpenFile {
    let url: URL
    private let descriptor: Int32

    private init(url: URL, descriptor: Int32) {
        self.url = url
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    // MARK: Opening

    /// Opens a regular file for reading, after looking at what it is.
    ///
    /// - Parameter url: The file.
    /// - Returns: The file and its length in bytes.
    /// - Throws: ``TransferError``, with the code `notARegularFile` for a folder, a device or a pipe.
    package static func reading(_ url: URL) throws -> (file: OpenFile, length: Int64) {
        let (file, status) = try readingWithStatus(url)
        return (file, Int64(status.st_size))
    }

    /// Opens a regular file of this process's user for reading.
    ///
    /// - Parameter url: The file.
    /// - Returns: The file and its length in bytes; `nil` for a file of another user.
    /// - Throws: As ``reading(_:)``.
    static func readingOwn(_ url: URL) throws -> (file: OpenFile, length: Int64)? {
        let (file, status) = try readingWithStatus(url)
        return status.st_uid == geteuid() ? (file, Int64(status.st_size)) : nil
    }

    private static func readingWithStatus(_ url: URL) throws -> (file: OpenFile, status: stat) {
        // Not to wait for a writer, should it be a pipe.
        let file = try open(url, O_RDONLY | O_NONBLOCK)
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG else { throw TransferError(.notARegularFile, file: url) }
        return (file, status)
    }

    /// Creates a file for writing.
    ///
    /// - Parameter url: Where; nothing may be there yet.
    /// - Returns: The file.
    /// - Throws: ``TransferError``.
    package static func creating(_ url: URL) throws -> OpenFile {
        try open(url, O_RDWR | O_CREAT | O_EXCL)
    }

    /// Opens a file for reading and writing, creates it where it is missing, and keeps others from doing the same.
    ///
    /// - Parameter url: Where. A file of another user, or one with another name beside, is not continued: it loses the
    ///   name, and a new one is created.
    /// - Returns: The file, with its contents.
    /// - Throws: ``TransferError``, with the code `fileInUse` where somebody else has it.
    static func continuing(_ url: URL) throws -> OpenFile {
        // Whoever puts the same back again and again would keep us here.
        for _ in 0..<100 {
            let file = try open(url, O_RDWR | O_CREAT | O_NOFOLLOW)
            guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
                throw errno == EWOULDBLOCK ? TransferError(.fileInUse, file: url) : Self.error(errno, url)
            }
            // Whoever had it before may have moved it away between our opening and our lock.
            var named = stat()
            let mine = try file.status()
            guard mine.st_mode & S_IFMT == S_IFREG else { throw TransferError(.notARegularFile, file: url) }
            if lstat(path(of: url), &named) == 0, named.st_ino == mine.st_ino,
                named.st_dev == mine.st_dev
            {
                if mine.st_uid == geteuid(), mine.st_nlink == 1 { return file }
                // Somebody else's, who could read and change what is written, or another file's name: the name is taken
                // away, and what it led to stays as it is.
                guard unlink(path(of: url)) == 0 else { throw error(errno, url) }
            }
        }
        throw TransferError(.fileInUse, file: url)
    }

    static func open(_ url: URL, _ flags: Int32) throws -> OpenFile {
        guard url.isFileURL else { throw TransferError(.fileNotFound, reason: "The URL is not a file's", file: url) }
        let descriptor = url.withUnsafeFileSystemRepresentation { path -> Int32 in
            guard let path, !Self.path(of: url).isEmpty else {
                errno = EINVAL
                return -1
            }
            // As the umask allows, like every file a program makes.
            return retrying { Foundation.open(path, flags | O_CLOEXEC, 0o666) }
        }
        guard descriptor >= 0 else { throw error(errno, url) }
        return OpenFile(url: url, descriptor: descriptor)
    }

    /// A file's path for the system.
    ///
    /// - Parameter url: The file.
    /// - Returns: The path; an empty one, which is found nowhere, where the system would take it for another that ends
    ///   before a NUL.
    private static func path(of url: URL) -> String {
        let path = url.path(percentEncoded: false)
        return path.utf8.contains(0) ? "" : path
    }

    // MARK: Reading and writing

    /// Reads from a place in the file.
    ///
    /// - Parameters:
    ///   - offset: Where to begin.
    ///   - count: How many bytes at most.
    /// - Returns: The bytes; fewer than asked only at the end of the file.
    /// - Throws: ``TransferError``.
    package func read(at offset: Int64, count: Int) throws -> Data {
        guard count > 0, let memory = malloc(count) else { return Data() }
        var position = 0
        while position < count {
            let result = Self.retrying {
                pread(descriptor, memory + position, count - position, off_t(offset) + off_t(position))
            }
            guard result >= 0 else {
                let number = errno
                free(memory)
                throw Self.error(number, url)
            }
            guard result > 0 else { break }
            position += result
        }
        // Taken over as it is: `Data(count:)` would have been filled with zeros first. A little is copied and freed at once.
        return Data(bytesNoCopy: memory, count: position, deallocator: .free)
    }

    /// Writes all of some bytes to a place in the file.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - offset: Where to begin.
    /// - Throws: ``TransferError``, with the code `noSpace` where the disk or the quota is full. Some of the bytes may
    ///   have been written then.
    package func write(_ data: Data, at offset: Int64) throws {
        try data.withUnsafeBytes { buffer in
            var position = 0
            while position < buffer.count, let base = buffer.baseAddress {
                let result = Self.retrying {
                    pwrite(descriptor, base + position, buffer.count - position, off_t(offset) + off_t(position))
                }
                guard result > 0 else { throw Self.error(result == 0 ? ENOSPC : errno, url) }
                position += result
            }
        }
    }

    /// Cuts the file off.
    ///
    /// - Parameter length: What is to be left, in bytes.
    /// - Throws: ``TransferError``.
    func truncate(to length: Int64) throws {
        guard Self.retrying({ ftruncate(descriptor, off_t(length)) }) == 0 else { throw Self.error(errno, url) }
    }

    /// Flushes the file to the disk, so that it survives a loss of power.
    ///
    /// - Throws: ``TransferError`` if the disk fails.
    func synchronize() throws {
        #if canImport(Darwin)
        // fsync(2) there leaves the bytes in the disk's own cache.
        let result = Self.retrying { fcntl(descriptor, F_FULLFSYNC) }
        #else
        let result = Self.retrying { fdatasync(descriptor) }
        #endif
        guard result == 0 else { throw Self.error(errno, url) }
    }

    /// How long the file is now, in bytes.
    ///
    /// - Returns: The length.
    /// - Throws: ``TransferError``.
    func length() throws -> Int64 {
        Int64(try status().st_size)
    }

    /// How much space there is for whoever writes this file, in bytes; `nil` where the system does not say.
    var availableSpace: Int64? {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { return nil }
        let (space, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? nil : Int64(clamping: space)
    }

    private func status() throws -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.error(errno, url) }
        return status
    }

    // MARK: Names

    /// Gives a file another name, in the place of whatever has it.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - destination: Its new name, on the same disk.
    /// - Throws: ``TransferError``, with the code `notARegularFile` where the new name is a folder's.
    package static func move(_ source: URL, to destination: URL) throws {
        guard rename(path(of: source), path(of: destination)) == 0 else {
            throw error(errno, destination)
        }
    }

    /// Flushes a folder to the disk, so that the names of its files survive a loss of power.
    ///
    /// - Parameter folder: The folder.
    /// - Throws: ``TransferError`` if the disk fails.
    static func synchronizeFolder(_ folder: URL) throws {
        let path = path(of: folder)
        let descriptor = retrying { Foundation.open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw error(errno, folder) }
        defer { _ = close(descriptor) }
        // Some file systems have nothing to flush of a folder, and say EINVAL.
        guard retrying({ fsync(descriptor) }) == 0 || errno == EINVAL else { throw error(errno, folder) }
    }

    /// Removes a file; does nothing where there is none.
    ///
    /// - Parameter url: The file.
    package static func remove(_ url: URL) {
        _ = unlink(path(of: url))
    }

    /// Whether there is a folder.
    ///
    /// - Parameter url: Where.
    /// - Returns: `true` for a folder, or a link to one.
    static func isFolder(_ url: URL) -> Bool {
        var status = stat()
        return stat(path(of: url), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a file may come here: nothing is there yet, or a regular file.
    ///
    /// - Parameter url: Where.
    /// - Returns: `false` for a folder, a device, a pipe or a socket, or a link to one.
    package static func mayBeReplaced(_ url: URL) -> Bool {
        var status = stat()
        return stat(url.path(percentEncoded: false), &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    /// Creates a folder and those above it.
    ///
    /// - Parameter url: The folder.
    /// - Returns: Those that were missing, the deepest first.
    /// - Throws: ``TransferError``.
    package static func createFolders(_ url: URL) throws -> [URL] {
        var created: [URL] = []
        func create(_ folder: URL) throws {
            let path = Self.path(of: folder)
            guard mkdir(path, 0o777) != 0 else { return created.insert(folder, at: 0) }
            switch errno {
            case EEXIST where isFolder(folder): return
            // It was there, and is gone already: whoever asks may try again.
            case EEXIST where access(path, F_OK) != 0: throw error(ENOENT, folder)
            case ENOENT where path.count > 1:
                try create(folder.deletingLastPathComponent())
                guard mkdir(path, 0o777) != 0 else { return created.insert(folder, at: 0) }
                guard errno == EEXIST, isFolder(folder) else { throw error(errno, folder) }
            default: throw error(errno, folder)
            }
        }
        do {
            try create(url)
        } catch {
            removeFolders(created)
            throw error
        }
        return created
    }

    /// Removes folders, as far as they are empty.
    ///
    /// - Parameter folders: The folders, the deepest first.
    package static func removeFolders(_ folders: [URL]) {
        for folder in folders where rmdir(path(of: folder)) != 0 { return }
    }

    /// The error for a number of the system's.
    static func error(_ number: Int32, _ url: URL) -> TransferError {
        let code: TransferError.Code =
            switch number {
            case ENOENT: .fileNotFound
            case EACCES, EPERM, EROFS: .permissionDenied
            case ENOSPC, EDQUOT, EFBIG: .noSpace
            case EISDIR, ENOTDIR, ENXIO, ELOOP: .notARegularFile
            default: .fileFailed
            }
        return TransferError(code, file: url, systemErrorNumber: number)
    }

    /// Calls again where a signal came in between.
    private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }
}
