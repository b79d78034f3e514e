import PiuPiuAsync

/// A recording of HTTP exchanges in the HAR 1.2 format (<http://www.softwareishard.com/blog/har-12-spec/>).
///
/// ``HARRecorder`` creates a recording and ``HARReplayer`` answers requests from one. Files of browsers and proxies can also be
/// read:
///
/// ```swift
/// let har = try HAR(contentsOf: fileURL)
/// let dispatcher = URLRequestDispatcher(interceptors: [HARReplayer(har)])
/// ```
///
/// A written file has one page with all of its entries, so that viewers draw them as one timeline. Pages of a file that was
/// read, caches and most custom fields of tools are not kept. Data that the format stores twice is kept once: the query in the
/// URL, cookies in the header fields.
public struct HAR: Sendable, Hashable {
    /// The exchanges, in the order in which they started.
    public var entries: [Entry]
    /// A comment about the recording.
    public var comment: String?

    /// Creates a recording.
    ///
    /// - Parameters:
    ///   - entries: The exchanges.
    ///   - comment: A comment about the recording.
    public init(entries: [Entry] = [], comment: String? = nil) {
        self.entries = entries
        self.comment = comment
    }

    /// Reads a recording from a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - maximumSize: The maximum size of the file, in bytes; 256 MiB by default. Reading uses several times as much
    ///     memory.
    /// - Throws: ``HARError`` with the code `tooLarge`, or `malformed` and the place; `TransferError` if the file
    ///   cannot be read.
    public init(contentsOf file: URL, maximumSize: Int = HAR.maximumSize) throws {
        let (open, length) = try OpenFile.reading(file)
        guard length <= Int64(maximumSize) else { throw HARError.tooLarge(maximumSize) }
        try self.init(open.read(at: 0, count: Int(clamping: length)), maximumSize: maximumSize)
    }

    /// Reads a recording.
    ///
    /// Half of a surrogate pair, which browsers write as `\ud800`, and bytes that are not UTF-8 become U+FFFD.
    ///
    /// - Parameters:
    ///   - data: The contents of a file: JSON in UTF-8, with or without a byte order mark.
    ///   - maximumSize: The maximum size, in bytes; 256 MiB by default.
    /// - Throws: ``HARError`` with the code `tooLarge`, or `malformed` and the place.
    public init(_ data: Data, maximumSize: Int = HAR.maximumSize) throws {
        guard data.count <= maximumSize else { throw HARError.tooLarge(maximumSize) }
        do {
            let hasMark = data.starts(with: [0xEF, 0xBB, 0xBF])
            let text = hasMark ? data.dropFirst(3) : data
            do {
                self = try JSONDecoder().decodeGuarded(HAR.self, from: text)
            } catch {
                guard let repaired = HARText.repaired(text) else { throw error }
                self = try JSONDecoder().decodeGuarded(HAR.self, from: repaired)
            }
        } catch {
            throw HARError.malformed(error)
        }
    }

    /// The default maximum size of a file, in bytes.
    public static let maximumSize = 256 * 1024 * 1024

    /// Encodes the recording as JSON; the same exchanges always give the same bytes.
    ///
    /// This method does not redact anything; see ``redacted(_:)``.
    ///
    /// - Returns: The contents of a file.
    /// - Throws: `EncodingError` for a time that is not a finite number.
    public func data() throws -> Data {
        let encoder = JSONEncoder()
        // A small change of the recording results in a small change of the file.
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// Writes the recording to a file atomically, with a temporary file.
    ///
    /// Symbolic links stay, and the file that they lead to is replaced. A pipe or a device is written to directly; if no
    /// process reads a pipe for ten seconds, that is an error.
    ///
    /// - Parameter file: The file. An existing file is replaced; missing directories are created.
    /// - Throws: `TransferError` if the file cannot be written, and the errors of ``data()``.
    public func write(to file: URL) throws {
        // Create nothing for a recording that cannot be encoded.
        let data = try data()
        let (destination, folders) = try FileDestination.preparing(file)
        guard case .file(let target) = destination else { return try OpenFile.stream(data, to: destination.url) }
        let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
        let temporary = target.deletingLastPathComponent().appending(
            path: ".\(target.lastPathComponent).\(suffix).part",
            directoryHint: .notDirectory
        )
        do {
            try OpenFile.creating(temporary).write(data, at: 0)
            try OpenFile.move(temporary, to: target)
        } catch {
            OpenFile.remove(temporary)
            OpenFile.removeFolders(folders)
            throw error
        }
    }

    /// Returns the recording without secrets, for a file that another tool wrote.
    ///
    /// - Parameter redaction: The rules for what is a secret.
    /// - Returns: The recording, with each secret replaced, as ``HARRedaction`` describes.
    public func redacted(_ redaction: HARRedaction = .default) -> HAR {
        redacted(redaction, SecretStandIns())
    }

    func redacted(_ redaction: HARRedaction, _ standIns: SecretStandIns) -> HAR {
        var copy = self
        for index in copy.entries.indices { redaction.apply(to: &copy.entries[index], standIns) }
        return copy
    }
}

extension HAR: Codable {
    private enum Keys: String, CodingKey {
        case log, version, creator, name, pages, entries, comment
    }

    /// Reads a recording; only the entries are required.
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
        try creator.encode(PiuPiuVersion.current, forKey: .version)
        try log.encodeIfPresent(comment, forKey: .comment)
        // Viewers draw the entries of a page on one time axis.
        try log.encode(entries.first.map { [HARPage(startedDateTime: $0.startedDateTime)] } ?? [], forKey: .pages)
        try log.encode(entries, forKey: .entries)
    }
}

extension HAR: Redacted {
    /// The entries, without secrets.
    package var shown: KeyValuePairs<String, Any> { ["entries": entries] }
}
