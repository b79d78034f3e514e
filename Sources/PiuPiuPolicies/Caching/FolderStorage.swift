/// A storage that keeps responses in the files of a folder, which other processes can use at the same time.
///
/// Each entry is one file. Other users of the system cannot see any of it: files have the mode 0600, and folders 0700. Names
/// are salted hashes, from which neither a URL nor a credential can be recovered. Heads and bodies are not encrypted. A file
/// becomes an entry in one step, when it is complete, and has checksums: the remains of a crash or a full disk are a miss, and
/// are removed.
///
/// Creating a storage reads nothing, however many entries there are. The storage removes the least recently used entries in the
/// background if the bytes that this process, or perhaps others, have written could exceed the limit.
///
/// A body that takes more than an eighth of the limit is not stored.
public final class FolderStorage: ResponseStorage {
    private struct State {
        var salt: Data?
        var ledger: FolderLedger
        var isCleaning = false
    }

    private let folder: URL
    private let limit: Int64
    private let worker = FileWorker()
    private let state: Locked<State>

    /// Creates a storage.
    ///
    /// The storage creates the folder when it first stores a response.
    ///
    /// - Parameters:
    ///   - folder: The folder, which should contain nothing else.
    ///   - limit: The approximate maximum size of all files in bytes; a negative number counts as 0.
    public init(folder: URL, limit: Int64) {
        self.folder = folder
        self.limit = max(0, limit)
        state = Locked(State(ledger: FolderLedger(limit: max(0, limit))))
    }

    /// Returns the response for a key, and records its use.
    ///
    /// - Parameter key: The key.
    /// - Returns: The response; `nil` if there is none, or if it is damaged, in which case it is removed.
    public func response(for key: CacheKey) async -> StoredResponse? {
        guard let place = await place(of: key, creates: false) else { return nil }
        let reader = FolderReader()
        guard let (head, body, length) = await reader.open(place.url, name: place.name) else { return nil }
        if let body { return StoredResponse(head: head, body: .data(body)) }
        let stream = ResponseBody(
            expectedLength: length,
            next: { try await reader.next() },
            cancel: { Task { await reader.close() } }
        )
        return StoredResponse(head: head, body: .stream(stream))
    }

    /// Starts to store a response.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - key: The key.
    ///   - length: The length of the body, in bytes; `nil` if it is unknown.
    /// - Returns: A writer for the body; `nil` if the response is too large, or the folder cannot be used.
    public func begin(_ head: StoredHead, for key: CacheKey, length: Int64?) async -> (any ResponseStorageWriter)? {
        guard length ?? 0 <= limit / 8, let place = await place(of: key, creates: true) else { return nil }
        return writer(head, place)
    }

    private func writer(_ head: StoredHead, _ place: (url: URL, name: Data)) -> FolderWriter {
        let temporary = Self.newName(in: newFolder)
        return FolderWriter(self, place.url, name: place.name, head: head, temporary: temporary, largest: limit / 8)
    }

    /// Returns a name that no other part has.
    static func newName(in folder: URL) -> URL {
        let name = String(UInt64.random(in: .min ... .max), radix: 36)
        return folder.appending(path: name, directoryHint: .notDirectory)
    }

    /// Replaces the head of a response, and copies its body.
    ///
    /// - Parameters:
    ///   - head: The new head.
    ///   - key: The key.
    public func update(_ head: StoredHead, for key: CacheKey) async {
        guard let place = await place(of: key, creates: false) else { return }
        let reader = FolderReader()
        guard let (_, body, _) = await reader.open(place.url, name: place.name) else { return }
        let writer = writer(head, place)
        if let body {
            guard await writer.write(body) else { return }
        } else {
            while let piece = try? await reader.next() { guard await writer.write(piece) else { return } }
        }
        _ = await writer.commit()
    }

    /// Removes a response.
    ///
    /// - Parameter key: The key.
    public func remove(_ key: CacheKey) async {
        guard let place = await place(of: key, creates: false) else { return }
        await worker.run { OpenFile.remove(place.url) }
    }

    /// Removes all responses of a resource, for all users.
    ///
    /// - Parameter resource: The resource.
    public func removeAll(of resource: CacheKey.Resource) async {
        guard let salt = await salt(creates: false) else { return }
        let name = Self.text(resource.digest(salt: salt).prefix(16))
        let folder = folder.appending(path: String(name.prefix(2)), directoryHint: .isDirectory)
        await worker.run {
            for file in Self.names(in: folder) where file.hasPrefix(name) {
                OpenFile.remove(folder.appending(path: file, directoryHint: .notDirectory))
            }
        }
    }

    /// Removes everything that this storage, or a previous one, has stored.
    public func removeAll() async {
        await worker.run {
            for folder in self.entryFolders + [self.newFolder] {
                for file in Self.names(in: folder) {
                    OpenFile.remove(folder.appending(path: file, directoryHint: .notDirectory))
                }
            }
        }
        state.withLock { $0.ledger = FolderLedger(limit: limit) }
    }

    // MARK: Names

    private var newFolder: URL { folder.appending(path: "new", directoryHint: .isDirectory) }

    private var entryFolders: [URL] {
        (0..<256).map { folder.appending(path: Self.text([UInt8($0)]), directoryHint: .isDirectory) }
    }

    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private func place(of key: CacheKey, creates: Bool) async -> (url: URL, name: Data)? {
        guard let salt = await salt(creates: creates) else { return nil }
        let digest = key.digest(salt: salt)
        let name = Self.text(key.resource.digest(salt: salt).prefix(16))
        let path = "\(name.prefix(2))/\(name)-\(Self.text(digest.prefix(16)))"
        return (folder.appending(path: path, directoryHint: .notDirectory), digest)
    }

    private static func names(in folder: URL) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: OpenFile.path(of: folder))) ?? []
    }

    static func createFolders(_ url: URL) throws {
        for folder in try OpenFile.createFolders(url).prefix(2) { _ = chmod(OpenFile.path(of: folder), 0o700) }
    }

    /// Returns the salt of the folder; `nil` if there is none.
    private func salt(creates: Bool) async -> Data? {
        if let salt = state.withLock({ $0.salt }) { return salt }
        let (newFolder, url) = (newFolder, folder.appending(path: "salt", directoryHint: .notDirectory))
        let salt: Data? = await worker.run {
            // A process that removes the remains of crashes may remove the new salt before it is in place.
            for _ in 0..<100 {
                if let salt = Self.readSalt(url) { return salt }
                guard creates else { return nil }
                do {
                    try Self.makeSalt(url, in: newFolder)
                } catch TransferError.Code.fileNotFound {
                    continue
                } catch {
                    return nil
                }
            }
            return nil
        }
        guard let salt else { return nil }
        return state.withLock { state in
            state.salt = state.salt ?? salt
            return state.salt
        }
    }

    private static func makeSalt(_ url: URL, in newFolder: URL) throws {
        let temporary = newFolder.appending(path: "salt-\(UInt64.random(in: .min ... .max))")
        defer { OpenFile.remove(temporary) }
        try createFolders(newFolder)
        let file = try OpenFile.creating(temporary)
        _ = fchmod(file.descriptor, 0o600)
        try file.write(Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }), at: 0)
        // This fails if another process was first; a salt with the wrong length is replaced.
        let isFirst = link(OpenFile.path(of: temporary), OpenFile.path(of: url)) == 0
        if !isFirst, readSalt(url) == nil { try OpenFile.move(temporary, to: url) }
    }

    private static func readSalt(_ url: URL) -> Data? {
        guard let (file, length) = try? OpenFile.readingOwn(url), length == 32 else { return nil }
        return try? file.read(at: 0, count: 32)
    }

    // MARK: The limit

    /// Counts written bytes, and removes the oldest entries if there may be too many.
    func noteWritten(_ count: Int64) {
        let begins = state.withLock { state in
            guard state.ledger.needsCount(after: count), !state.isCleaning else { return false }
            state.isCleaning = true
            return true
        }
        if begins { Task { await clean() } }
    }

    /// Measures the stored files, removes the oldest entries if they exceed the limit, and removes the remains of crashes.
    package func clean() async {
        let (folders, limit) = (entryFolders + [newFolder], limit)
        let remaining = await worker.run { () -> Int64 in
            for name in Self.names(in: self.newFolder) {
                Self.removeIfLeft(self.newFolder.appending(path: name, directoryHint: .notDirectory))
            }
            // Usually there is nothing to remove, so avoid a list of a hundred thousand files.
            var total: Int64 = 0
            Self.forEachFile(in: folders) { total += $0.cost }
            guard total > limit else { return total }
            var files: [FolderLedger.File] = []
            Self.forEachFile(in: folders) { files.append($0) }
            let plan = FolderLedger.plan(files, limit: limit, temporaries: folders.count - 1)
            for file in plan.removed {
                OpenFile.remove(folders[file.folder].appending(path: file.name, directoryHint: .notDirectory))
            }
            return plan.remaining
        }
        state.withLock { state in
            state.ledger.wasCounted(remaining)
            state.isCleaning = false
        }
    }

    /// Removes a part that is no longer being written: its writer held a lock while it existed.
    private static func removeIfLeft(_ url: URL) {
        guard let file = try? OpenFile.open(url, O_RDWR | O_NOFOLLOW | O_NONBLOCK),
            flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        OpenFile.remove(url)
    }

    private static func forEachFile(in folders: [URL], _ body: (FolderLedger.File) -> Void) {
        for (index, folder) in folders.enumerated() {
            for name in names(in: folder) {
                var status = stat()
                let path = OpenFile.path(of: folder) + "/" + name
                guard lstat(path, &status) == 0 else { continue }
                #if canImport(Darwin)
                let time = status.st_mtimespec
                #else
                let time = status.st_mtim
                #endif
                let use = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
                body(FolderLedger.File(folder: index, name: name, size: Int64(status.st_size), lastUse: use))
            }
        }
    }
}

/// The size of a folder, as far as one process knows: the last count, and the bytes written since.
struct FolderLedger {
    struct File: Equatable {
        /// The index of the folder.
        let folder: Int
        let name: String
        let size: Int64
        /// The time of the last use in microseconds since 1970.
        let lastUse: Int64

        /// The approximate size on the disk.
        var cost: Int64 { (size + 4095) & ~4095 }
    }

    let limit: Int64
    private var counted: Int64?
    private var written: Int64 = 0

    init(limit: Int64) {
        self.limit = limit
    }

    /// Adds written bytes; returns whether to count everything.
    ///
    /// The limit may be exceeded if nothing was counted yet, or if this process has written so much since that others may have,
    /// too.
    mutating func needsCount(after count: Int64) -> Bool {
        written += (count + 4095) & ~4095
        guard let counted else { return true }
        return written > limit / 4 || counted + written > limit
    }

    /// Records the result of a count.
    mutating func wasCounted(_ total: Int64) {
        (counted, written) = (total, 0)
    }

    /// Decides which files to remove: the least recently used, until an eighth of the limit is free.
    ///
    /// - Parameters:
    ///   - files: All files.
    ///   - limit: The maximum cost of all files.
    ///   - temporaries: The folder of the files that are being written, which stay.
    /// - Returns: The files to remove, and the cost of the others.
    static func plan(
        _ files: [File],
        limit: Int64,
        temporaries: Int
    ) -> (removed: [File], remaining: Int64) {
        var removed: [File] = []
        var total = files.reduce(0) { $0 + $1.cost }
        guard total > limit else { return (removed, total) }
        for file in files.filter({ $0.folder != temporaries }).sorted(by: { $0.lastUse < $1.lastUse }) {
            guard total > limit - limit / 8 else { break }
            total -= file.cost
            removed.append(file)
        }
        return (removed, total)
    }
}

extension FolderStorage: Redacted {
    /// The folder and the limit.
    package var shown: KeyValuePairs<String, Any> { ["folder": folder.path(percentEncoded: false), "limit": limit] }
}
