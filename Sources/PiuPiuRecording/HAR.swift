import PiuPiuAsync

/// A recording of HTTP exchanges, in the format HAR 1.2 (<http://www.softwareishard.com/blog/har-12-spec/>).
///
/// ``HARRecorder`` makes one, ``HARReplayer`` answers from one, and so do browsers and proxies, whose files are read too:
///
/// ```swift
/// let har = try HAR(contentsOf: fileURL)
/// let dispatcher = URLRequestDispatcher(interceptors: [HARReplayer(har)])
/// ```
///
/// What a replay has no use for, such as pages, caches and fields of a tool's own, is neither kept nor written again. What
/// the format has twice is kept once: the query is in the URL, cookies are in the header fields.
public struct HAR: Sendable, Hashable {
    /// The exchanges, in the order in which they began.
    public var entries: [Entry]
    /// What somebody wrote about the recording.
    public var comment: String?

    /// Creates a recording.
    ///
    /// - Parameters:
    ///   - entries: The exchanges.
    ///   - comment: Something about them.
    public init(entries: [Entry] = [], comment: String? = nil) {
        self.entries = entries
        self.comment = comment
    }

    /// Reads a recording from a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - maximumSize: How large it may be, in bytes; 256 MiB by default. Reading takes several times that in memory.
    /// - Throws: ``HARError`` with the code `tooLarge`, or `malformed` and the place; `TransferError` where the file
    ///   cannot be read.
    public init(contentsOf file: URL, maximumSize: Int = HAR.maximumSize) throws {
        let (open, length) = try OpenFile.reading(file)
        guard length <= Int64(maximumSize) else { throw HARError.tooLarge(maximumSize) }
        try self.init(open.read(at: 0, count: Int(clamping: length)), maximumSize: maximumSize)
    }

    /// Reads a recording.
    ///
    /// - Parameters:
    ///   - data: The contents of a file: JSON in UTF-8, with or without a byte order mark.
    ///   - maximumSize: How large it may be, in bytes; 256 MiB by default.
    /// - Throws: ``HARError`` with the code `tooLarge`, or `malformed` and the place.
    public init(_ data: Data, maximumSize: Int = HAR.maximumSize) throws {
        guard data.count <= maximumSize else { throw HARError.tooLarge(maximumSize) }
        do {
            let hasMark = data.starts(with: [0xEF, 0xBB, 0xBF])
            self = try JSONDecoder().decodeGuarded(HAR.self, from: hasMark ? data.dropFirst(3) : data)
        } catch {
            throw HARError.malformed(error)
        }
    }

    /// How large a file may be by default, in bytes.
    public static let maximumSize = 256 * 1024 * 1024

    /// Writes the recording as JSON, the same bytes for the same exchanges.
    ///
    /// Nothing is redacted here: see ``redacted(_:)``.
    ///
    /// - Returns: The contents of a file.
    /// - Throws: `EncodingError` for a time that is not a finite number.
    public func data() throws -> Data {
        let encoder = JSONEncoder()
        // So that a change of the recording is a small change of the file.
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// Writes the recording to a file, which is complete or not there at all: it is written under another name first.
    ///
    /// - Parameter file: The file; one that is there already is replaced, missing folders are made.
    /// - Throws: `TransferError` where the file cannot be written; as ``data()``.
    public func write(to file: URL) throws {
        guard file.isFileURL else { throw TransferError(.fileNotFound, reason: "The URL is not a file's", file: file) }
        guard OpenFile.mayBeReplaced(file) else { throw TransferError(.notARegularFile, file: file) }
        let data = try data()
        let folder = file.deletingLastPathComponent()
        let folders = try OpenFile.createFolders(folder)
        let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
        let name = ".\(file.lastPathComponent).\(suffix).part"
        let temporary = folder.appending(path: name, directoryHint: .notDirectory)
        do {
            try OpenFile.creating(temporary).write(data, at: 0)
            try OpenFile.move(temporary, to: file)
        } catch {
            OpenFile.remove(temporary)
            OpenFile.removeFolders(folders)
            throw error
        }
    }

    /// The same recording without secrets, for a file that another tool has written.
    ///
    /// - Parameter redaction: What is a secret.
    /// - Returns: The recording; secrets have made place for `<redacted>`.
    public func redacted(_ redaction: HARRedaction = .default) -> HAR {
        var copy = self
        for index in copy.entries.indices { redaction.apply(to: &copy.entries[index]) }
        return copy
    }
}

extension HAR: Codable {
    private enum Keys: String, CodingKey {
        case log, version, creator, name, entries, comment
    }

    /// Reads a recording, of which only the entries are needed.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let log = try decoder.container(keyedBy: Keys.self).nestedContainer(keyedBy: Keys.self, forKey: .log)
        self.init(entries: try log.decode([Entry].self, forKey: .entries), comment: log.lenient(.comment))
    }

    /// Writes a recording.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: `EncodingError`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var log = container.nestedContainer(keyedBy: Keys.self, forKey: .log)
        try log.encode("1.2", forKey: .version)
        var creator = log.nestedContainer(keyedBy: Keys.self, forKey: .creator)
        try creator.encode("PiuPiu", forKey: .name)
        try creator.encode("2", forKey: .version)
        try log.encodeIfPresent(comment, forKey: .comment)
        try log.encode(entries, forKey: .entries)
    }
}

extension HAR: Redacted {
    /// The entries, without secrets.
    package var shown: KeyValuePairs<String, Any> { ["entries": entries] }
}
