/// Names beside a destination, for what is not complete yet.
struct PartNames {
    let part: URL
    /// What is known about the part; only where it may be continued.
    let record: URL?

    /// Names that the next download to the same destination finds again.
    static func resumable(_ destination: URL) -> PartNames {
        let part = name(destination, ".part")
        return PartNames(part: part, record: part.appendingPathExtension("json"))
    }

    /// A name that nobody else uses.
    static func unique(_ destination: URL) -> PartNames {
        PartNames(
            part: name(destination, "." + String(UInt64.random(in: .min ... .max), radix: 36) + ".part"),
            record: nil
        )
    }

    private static func name(_ destination: URL, _ suffix: String) -> URL {
        let name = destination.lastPathComponent
        // A name has 255 bytes at most; a long one is told by its beginning and its digest.
        let stem =
            name.utf8.count <= 200
            ? name : String(name.unicodeScalars.prefix(40).map(Character.init)) + StableHash.text(of: name)
        return destination.deletingLastPathComponent().appending(
            path: "." + stem + suffix,
            directoryHint: .notDirectory
        )
    }
}

/// A number that stands for a text in files: the same in every process, and no secret can be read from it.
enum StableHash {
    /// FNV-1a with 64 bits, as text.
    static func text(of text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}

/// What a part file is a part of.
struct ResumptionRecord: Codable, Equatable {
    /// Which resource, without saying it: URLs can hold secrets.
    let resource: String
    /// What goes into `If-Range`: a strong entity tag, or a date.
    let validator: String
    /// How many bytes there are in all, if that is known.
    let size: Int64?

    /// Notes what a response says about itself.
    ///
    /// - Returns: `nil` where nothing tells whether the server still has the same later.
    init?(_ head: ResponseHead, resource: String, size: Int64?) {
        guard let validator = Self.validator(of: head) else { return nil }
        self.resource = resource
        self.validator = validator
        self.size = size
    }

    /// A strong validator (RFC 9110 §8.8): a strong tag, or a date at least a second before the response's.
    static func validator(of head: ResponseHead) -> String? {
        if let tag = head.firstValue(of: "ETag") {
            return isStrongTag(tag) ? tag : nil
        }
        guard let modified = head.firstValue(of: "Last-Modified"), let sent = head.firstValue(of: "Date"),
            let modifiedAt = HTTPDate.parse(modified), let sentAt = HTTPDate.parse(sent),
            sentAt.timeIntervalSince(modifiedAt) >= 1
        else { return nil }
        return modified
    }

    /// Whether a tag is strong (RFC 9110 §8.8.3), but that spaces may be in it, which some servers send.
    private static func isStrongTag(_ text: String) -> Bool {
        text.hasPrefix("\"") && text.hasSuffix("\"") && (2...1024).contains(text.utf8.count) && text.isFieldValue
            && !text.utf8.contains(0x09)
    }

    /// Whether a head is about what this record is about, as far as it says.
    func agrees(with head: ResponseHead) -> Bool {
        let name = validator.hasPrefix("\"") ? "ETag" : "Last-Modified"
        return head.firstValue(of: name).map { $0 == validator } ?? true
    }

    /// Which resource a request is about.
    static func resource(of request: URLRequest) -> String? {
        guard let url = request.url, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return nil
        }
        components.user = nil
        components.password = nil
        components.fragment = nil
        return components.string.map { StableHash.text(of: (request.httpMethod ?? "GET") + " " + $0) }
    }

    /// Reads a record; `nil` where there is none, or none that can be used.
    static func read(_ url: URL, resource: String) -> ResumptionRecord? {
        // Another user's could join two versions of a file.
        guard let (file, length) = try? OpenFile.readingOwn(url), length <= 16 * 1024,
            let data = try? file.read(at: 0, count: Int(length)),
            let record = try? JSONDecoder().decodeGuarded(ResumptionRecord.self, from: data),
            record.resource == resource,
            // Something else may have written it, and it goes into a field.
            record.validator.isFieldValue,
            isStrongTag(record.validator) || HTTPDate.parse(record.validator) != nil
        else { return nil }
        return record
    }

    /// Writes the record, in the place of another.
    func write(to url: URL) throws {
        OpenFile.remove(url)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try OpenFile.creating(url).write(encoder.encode(self), at: 0)
    }
}
