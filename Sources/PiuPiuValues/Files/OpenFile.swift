/// An open file descriptor.
///
/// Foundation's `FileHandle` ends the process on Linux if the disk is full; this type throws a ``TransferError`` for
/// every failure. It is not sendable: one owner reads or writes. The file is closed when the object is released.
package final class OpenFile {
    package let url: URL
    package let descriptor: Int32
    /// The number of bytes that were written to a pipe or a device, which has no length; `nil` for a file.
    var streamed: Int64?

    private init(url: URL, descriptor: Int32) {
        self.url = url
        self.descriptor = descriptor
    }

    deinit {
        // A child process that another thread just forked holds a copy of the descriptor, and the lock, until it calls `exec`.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    // MARK: Opening

    /// Opens a regular file for reading, after checking its type; returns its length in bytes, too.
    ///
    /// Throws ``TransferError`` with the code `notARegularFile` for a folder, a device or a pipe.
    package static func reading(_ url: URL) throws -> (file: OpenFile, length: Int64) {
        let (file, status) = try readingWithStatus(url)
        return (file, Int64(status.st_size))
    }

    /// Opens a regular file for reading, as ``reading(_:)`` does; `nil` for a file of another user than this process's.
    package static func readingOwn(_ url: URL) throws -> (file: OpenFile, length: Int64)? {
        let (file, status) = try readingWithStatus(url)
        return status.st_uid == geteuid() ? (file, Int64(status.st_size)) : nil
    }

    private static func readingWithStatus(_ url: URL) throws -> (file: OpenFile, status: stat) {
        // Do not wait for a writer if the file is a pipe.
        let file = try open(url, O_RDONLY | O_NONBLOCK)
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG else { throw TransferError(.notARegularFile, file: url) }
        return (file, status)
    }

    /// Creates a file for writing where nothing exists yet; only this process's user may read a private one.
    package static func creating(_ url: URL, isPrivate: Bool = false) throws -> OpenFile {
        try open(url, O_RDWR | O_CREAT | O_EXCL, mode: isPrivate ? 0o600 : 0o666)
    }

    /// Opens or creates a file for reading and writing, and locks it.
    ///
    /// A file that belongs to another user, or that has another hard link, is not continued: it is unlinked, and a new file is
    /// created. Throws ``TransferError`` with the code `fileInUse` if the file is locked elsewhere.
    package static func continuing(_ url: URL) throws -> OpenFile {
        // Limit the attempts, because another process could recreate the file again and again.
        for _ in 0..<100 {
            let file = try open(url, O_RDWR | O_CREAT | O_NOFOLLOW)
            guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
                throw errno == EWOULDBLOCK ? TransferError(.fileInUse, file: url) : Self.error(errno, url)
            }
            // The previous owner may have moved the file between the open and the lock.
            let mine = try file.status()
            guard mine.st_mode & S_IFMT == S_IFREG else { throw TransferError(.notARegularFile, file: url) }
            if file.hasName(url) {
                if mine.st_uid == geteuid(), mine.st_nlink == 1 { return file }
                // The file belongs to another user, who could read and change what is written, or it has another
                // hard link: remove this name and leave the file itself unchanged.
                guard unlink(path(of: url)) == 0 else { throw error(errno, url) }
            }
        }
        throw TransferError(.fileInUse, file: url)
    }

    package static func open(_ url: URL, _ flags: Int32, mode: mode_t = 0o666) throws -> OpenFile {
        guard url.isFileURL else { throw TransferError(.fileNotFound, reason: "The URL is not a file URL", file: url) }
        let descriptor = url.withUnsafeFileSystemRepresentation { path -> Int32 in
            guard let path, !Self.path(of: url).isEmpty else {
                errno = EINVAL
                return -1
            }
            // Permissions follow the umask, as for any file that a program creates.
            return retrying { Foundation.open(path, flags | O_CLOEXEC, mode) }
        }
        guard descriptor >= 0 else { throw error(errno, url) }
        return OpenFile(url: url, descriptor: descriptor)
    }

    /// Returns a file's path for system calls.
    ///
    /// If the path contains a NUL, at which the system would cut it off, this returns an empty path, which is never found.
    package static func path(of url: URL) -> String {
        let path = url.path(percentEncoded: false)
        return path.utf8.contains(0) ? "" : path
    }

    // MARK: Reading and writing

    /// Reads from an offset in the file; returns fewer than `count` bytes only at its end.
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
        // Take over the memory, because `Data(count:)` would fill it with zeros first. Small data is copied and freed
        // at once.
        return Data(bytesNoCopy: memory, count: position, deallocator: .free)
    }

    /// Writes all bytes at an offset in the file.
    ///
    /// Throws ``TransferError`` with the code `noSpace` if the disk or the quota is full. Some of the bytes may have been
    /// written in that case.
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

    /// Truncates the file to a length in bytes.
    package func truncate(to length: Int64) throws {
        guard Self.retrying({ ftruncate(descriptor, off_t(length)) }) == 0 else { throw Self.error(errno, url) }
    }

    /// Flushes the file to disk, so that it survives a power loss.
    package func synchronize() throws {
        #if canImport(Darwin)
        // On Darwin, `fsync(2)` leaves the bytes in the disk's own cache.
        let result = Self.retrying { fcntl(descriptor, F_FULLFSYNC) }
        #else
        let result = Self.retrying { fdatasync(descriptor) }
        #endif
        guard result == 0 else { throw Self.error(errno, url) }
    }

    /// Returns the current length of the file, in bytes; for a pipe or a device, the number of bytes written to it.
    package func length() throws -> Int64 {
        try streamed ?? Int64(status().st_size)
    }

    /// The space available for writing this file, in bytes; `nil` if the system does not report it.
    package var availableSpace: Int64? {
        var status = statvfs()
        guard streamed == nil, fstatvfs(descriptor, &status) == 0 else { return nil }
        let (space, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? nil : Int64(clamping: space)
    }

    /// Returns the length of a regular file, in bytes; `nil` if there is none.
    package static func size(of url: URL) -> Int64? {
        var status = stat()
        guard stat(path(of: url), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    package func status() throws -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.error(errno, url) }
        return status
    }

    // MARK: Names

    /// Returns whether a name is that of this file and not of a replacement; a symbolic link is another file.
    package func hasName(_ url: URL) -> Bool {
        var named = stat()
        guard lstat(Self.path(of: url), &named) == 0, let mine = try? status() else { return false }
        return named.st_dev == mine.st_dev && named.st_ino == mine.st_ino
    }

    /// Renames a file on its disk, replacing any file at the destination.
    ///
    /// Throws ``TransferError`` with the code `notARegularFile` if the destination is a folder.
    package static func move(_ source: URL, to destination: URL) throws {
        guard rename(path(of: source), path(of: destination)) == 0 else {
            throw error(errno, destination)
        }
    }

    /// Removes a file, if it exists.
    package static func remove(_ url: URL) {
        _ = unlink(path(of: url))
    }

    /// Returns the error for an `errno` value.
    static func error(_ number: Int32, _ url: URL) -> TransferError {
        let code: TransferError.Code =
            switch number {
            case ENOENT: .fileNotFound
            case EACCES, EPERM, EROFS: .permissionDenied
            case ENOSPC, EDQUOT, EFBIG: .noSpace
            case EISDIR, ENOTDIR, ENXIO, ELOOP: .notARegularFile
            default: .fileFailed
            }
        if number == ENOTDIR {
            let file = obstacle(in: path(of: url)) ?? url
            return TransferError(code, reason: TransferError.missingFolder, file: file, systemErrorNumber: number)
        }
        return TransferError(code, file: url, systemErrorNumber: number)
    }

    /// Repeats a system call that a signal interrupted.
    static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }
}
