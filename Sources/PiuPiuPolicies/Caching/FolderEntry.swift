/// The file of an entry in a ``FolderStorage``.
///
///     magic  length of head  length of body  checksum of body  checksum of all before, the name and the head    head    body
///     8      8               8               8                 8 bytes
///
/// The file is written under another name, its beginning last, and then renamed, so that an interrupted write leaves no entry.
/// A file with wrong lengths or checksums is not an entry.
struct FolderEntry {
    static let headerSize = 40
    /// The longest head that is read, in bytes.
    static let longestHead: UInt64 = 1 << 24
    private static let magic: UInt64 = 0x3143_7569_5075_6950  // "PiuPiuC1"

    let headLength: UInt64
    let bodyLength: UInt64
    let bodyChecksum: UInt64

    /// The first bytes of the file.
    func header(_ head: Data, name: Data) -> Data {
        var header = Data()
        for number in [Self.magic, headLength, bodyLength, bodyChecksum] {
            withUnsafeBytes(of: number.littleEndian) { header.append(contentsOf: $0) }
        }
        withUnsafeBytes(of: BodyChecksum.of(header + name + head).littleEndian) { header.append(contentsOf: $0) }
        return header
    }

    private init(headLength: UInt64, bodyLength: UInt64, bodyChecksum: UInt64) {
        self.headLength = headLength
        self.bodyLength = bodyLength
        self.bodyChecksum = bodyChecksum
    }

    /// Creates an entry for a head and a body.
    init(head: Data, bodyLength: Int64, bodyChecksum: UInt64) {
        self.init(
            headLength: UInt64(head.count),
            bodyLength: UInt64(bodyLength),
            bodyChecksum: bodyChecksum
        )
    }

    /// Reads the beginning of a file with an expected name; `nil` if it is damaged, or another file.
    static func read(_ file: OpenFile, length: Int64, name: Data) throws -> (entry: FolderEntry, head: StoredHead)? {
        // Most heads fit into one read.
        let beginning = try file.read(at: 0, count: 4096)
        guard beginning.count >= headerSize else { return nil }
        func number(_ index: Int) -> UInt64 {
            beginning[8 * index..<8 * index + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let entry = FolderEntry(headLength: number(1), bodyLength: number(2), bodyChecksum: number(3))
        guard number(0) == magic, entry.headLength <= longestHead, entry.bodyLength <= UInt64(Int64.max / 2),
            UInt64(length) == UInt64(headerSize) + entry.headLength + entry.bodyLength
        else { return nil }
        let end = headerSize + Int(entry.headLength)
        let bytes = end <= beginning.count ? beginning : try file.read(at: 0, count: end)
        guard bytes.count >= end else { return nil }
        let head = Data(bytes[headerSize..<end])
        guard entry.header(head, name: name) == bytes.prefix(headerSize), let stored = StoredHead(bytes: head) else {
            return nil
        }
        return (entry, stored)
    }

    /// The position of the body.
    var bodyOffset: Int64 { Int64(Self.headerSize) + Int64(headLength) }
}

/// Reads one entry, on a thread for files.
actor FolderReader {
    static let pieceSize = 256 * 1024
    /// The length of the longest body that is read at once, in bytes.
    private static let smallBody: UInt64 = 1 << 20

    private let queue = FileQueue()
    private var file: OpenFile?
    private var offset: Int64 = 0
    private var end: Int64 = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// Opens an entry and verifies it; `nil` if there is none.
    ///
    /// The reader removes a damaged entry. It returns the body only if it is short.
    func open(_ url: URL, name: Data) -> (head: StoredHead, body: Data?, length: Int64)? {
        // Ignore another user's file, a link or a pipe.
        guard let (file, length) = try? OpenFile.readingOwn(url) else { return nil }
        guard let (entry, head) = try? FolderEntry.read(file, length: length, name: name),
            let body = try? checked(file, entry)
        else {
            OpenFile.remove(url)
            return nil
        }
        // The time of the last use, by which the oldest entries are found.
        _ = futimens(file.descriptor, nil)
        if !body.isWhole { self.file = file }
        (offset, end) = (entry.bodyOffset, entry.bodyOffset + Int64(entry.bodyLength))
        return (head, body.isWhole ? body.data : nil, Int64(entry.bodyLength))
    }

    private func checked(_ file: OpenFile, _ entry: FolderEntry) throws -> (data: Data, isWhole: Bool)? {
        if entry.bodyLength <= Self.smallBody {
            let data = try file.read(at: entry.bodyOffset, count: Int(entry.bodyLength))
            guard data.count == entry.bodyLength, BodyChecksum.of(data) == entry.bodyChecksum else { return nil }
            return (data, true)
        }
        var checksum = BodyChecksum()
        var position = entry.bodyOffset
        while true {
            let piece = try file.read(at: position, count: Self.pieceSize)
            if piece.isEmpty { break }
            checksum.take(piece)
            position += Int64(piece.count)
        }
        guard position == entry.bodyOffset + Int64(entry.bodyLength), checksum.value == entry.bodyChecksum else {
            return nil
        }
        return (Data(), false)
    }

    /// Reads the next piece of a long body; `nil` at the end.
    func next() throws -> Data? {
        guard let file, offset < end else { return nil }
        let piece = try file.read(at: offset, count: Int(min(Int64(Self.pieceSize), end - offset)))
        guard !piece.isEmpty else { throw TransferError(.fileChanged, file: file.url) }
        offset += Int64(piece.count)
        return piece
    }

    /// Closes the file.
    func close() { file = nil }
}

/// Writes one entry, on a thread for files.
actor FolderWriter: ResponseStorageWriter {
    private let queue = FileQueue()
    private let storage: FolderStorage
    private let url: URL
    private let name: Data
    private let head: Data
    private let largest: Int64
    private var temporary: TemporaryFile
    private var file: OpenFile?
    private var length: Int64 = 0
    private var checksum = BodyChecksum()

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(_ storage: FolderStorage, _ url: URL, name: Data, head: StoredHead, temporary: URL, largest: Int64) {
        self.storage = storage
        self.url = url
        self.name = name
        self.head = head.bytes
        self.largest = largest
        self.temporary = TemporaryFile(temporary)
    }

    func write(_ chunk: Data) -> Bool {
        guard Int64(chunk.count) <= largest - length, head.count <= FolderEntry.longestHead else { return drop() }
        do {
            let file = try open()
            try file.write(chunk, at: Int64(FolderEntry.headerSize + head.count) + length)
            length += Int64(chunk.count)
            checksum.take(chunk)
            return true
        } catch {
            return drop()
        }
    }

    func commit() async -> Bool {
        do {
            let file = try open()
            try file.write(head, at: Int64(FolderEntry.headerSize))
            let entry = FolderEntry(head: head, bodyLength: length, bodyChecksum: checksum.value)
            try file.write(entry.header(head, name: name), at: 0)
            _ = mkdir(OpenFile.path(of: url.deletingLastPathComponent()), 0o700)
            try OpenFile.move(temporary.url, to: url)
            temporary.wasMoved()
            self.file = nil
        } catch {
            return drop()
        }
        storage.noteWritten(length + Int64(FolderEntry.headerSize + head.count))
        return true
    }

    private func drop() -> Bool {
        file = nil
        temporary.remove()
        return false
    }

    private func open() throws -> OpenFile {
        if let file { return file }
        let folder = temporary.url.deletingLastPathComponent()
        for _ in 0..<100 {
            let opened: OpenFile
            do { opened = try OpenFile.creating(temporary.url) } catch {
                // The system may have deleted the folder.
                try FolderStorage.createFolders(folder)
                opened = try OpenFile.creating(temporary.url)
            }
            _ = fchmod(opened.descriptor, 0o600)
            // The lock tells other processes that the part is being written, until the process ends. Another process may have
            // removed the part as a remainder of a crash first; the part then gets another name, because this file may be
            // unlinked at any moment. If files cannot be locked at all, no process removes them: that needs the lock, too.
            let isOthers = flock(opened.descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
            if !isOthers, try opened.status().st_nlink > 0 {
                file = opened
                return opened
            }
            temporary = TemporaryFile(FolderStorage.newName(in: folder))
        }
        throw TransferError(.fileInUse, file: temporary.url)
    }
}

/// A file that is removed with this object, unless it was moved.
private final class TemporaryFile: Sendable {
    let url: URL
    private let isOurs = Locked(true)

    init(_ url: URL) {
        self.url = url
    }

    deinit { remove() }

    func wasMoved() { isOurs.withLock { $0 = false } }

    func remove() {
        let remains = isOurs.withLock { isOurs in
            defer { isOurs = false }
            return isOurs
        }
        if remains { OpenFile.remove(url) }
    }
}
