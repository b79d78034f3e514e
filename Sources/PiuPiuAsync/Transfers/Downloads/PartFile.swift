/// Names of incomplete files next to a destination.
struct PartNames {
    let part: URL
    /// The record of the part; `nil` if the part cannot be resumed.
    let record: URL?

    /// Returns the names for one download, which the next one finds again if it is resumable.
    static func of(_ destination: URL, isResumable: Bool) -> PartNames {
        isResumable ? .resumable(destination) : .unique(destination)
    }

    /// Returns names that the next download to the same destination finds again.
    static func resumable(_ destination: URL) -> PartNames {
        let part = name(destination, ".part")
        return PartNames(part: part, record: part.appendingPathExtension("json"))
    }

    /// Returns a name that is used only once.
    static func unique(_ destination: URL) -> PartNames {
        PartNames(
            part: name(destination, "." + String(UInt64.random(in: .min ... .max), radix: 36) + ".part"),
            record: nil
        )
    }

    private static func name(_ destination: URL, _ suffix: String) -> URL {
        let name = destination.lastPathComponent
        // A file name has at most 255 bytes; a long one is shortened to its beginning and its hash.
        let stem =
            name.utf8.count <= 200
            ? name : String(name.unicodeScalars.prefix(40).map(Character.init)) + StableHash.text(of: name)
        return destination.deletingLastPathComponent().appending(
            path: "." + stem + suffix,
            directoryHint: .notDirectory
        )
    }
}

/// A hash of a text for use in files: the same in every process, and revealing no secrets.
enum StableHash {
    /// Returns the 64-bit FNV-1a hash, as text.
    static func text(of text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}

/// Identifies the resource that a part file belongs to.
struct ResumptionRecord: Codable, Equatable {
    /// A hash of the resource, because URLs can contain secrets.
    let resource: String
    /// The value for `If-Range`: a strong entity tag, or a date.
    let validator: String
    /// The total number of bytes, if known.
    let size: Int64?
    /// The content codings of the bytes, in lowercase; `nil` if there are none.
    let coding: String?

    /// Creates a record from a response's head; `nil` if its bytes cannot be resumed.
    ///
    /// That requires a validator, which shows later whether the server still has the same version. Bytes that the server
    /// compressed on the fly need not be the same again.
    init?(_ head: ResponseHead, resource: String, size: Int64?) {
        guard let validator = Self.validator(of: head) else { return nil }
        self.resource = resource
        self.validator = validator
        self.size = size
        coding = Self.coding(of: head)
        if coding != nil, size == nil { return nil }
    }

    /// Returns a strong validator (RFC 9110 §8.8): a strong tag, or a date at least a second before the response's.
    ///
    /// Servers such as nginx and Caddy make their strong tags from a date in seconds and a length, so the one-second rule
    /// (RFC 9110 §8.8.2.2) also applies to a tag if the response has both dates.
    static func validator(of head: ResponseHead) -> String? {
        let modified = head.firstValue(of: "Last-Modified")
        var age: TimeInterval?
        if let modifiedAt = modified.flatMap({ HTTPDate.parse($0) }),
            let sentAt = head.firstValue(of: "Date").flatMap({ HTTPDate.parse($0) })
        {
            age = sentAt.timeIntervalSince(modifiedAt)
        }
        if let tag = head.firstValue(of: "ETag") { return isStrongTag(tag) && age ?? 1 >= 1 ? tag : nil }
        return age ?? 0 >= 1 ? modified : nil
    }

    /// Returns the content codings of a response, in lowercase; `nil` if there are none.
    private static func coding(of head: ResponseHead) -> String? {
        let value = head.headers.values(for: "Content-Encoding").joined(separator: ",").lowercased()
        let names = value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let codings = names.filter { !["", "identity"].contains($0) }
        return codings.isEmpty ? nil : codings.joined(separator: ",")
    }

    /// Whether a tag is strong (RFC 9110 §8.8.3); spaces are allowed, because some servers send them.
    private static func isStrongTag(_ text: String) -> Bool {
        text.hasPrefix("\"") && text.hasSuffix("\"") && (2...1024).contains(text.utf8.count) && text.isFieldValue
            && !text.utf8.contains(0x09)
    }

    /// Whether a response matches this record: it has the same coding, and the same validator or none.
    ///
    /// A validator of the other kind, such as a date instead of the tag, says nothing about the version (RFC 9110 §15.3.7.3). A
    /// missing coding means none: a server that compresses on the fly may do so for one response only.
    func agrees(with head: ResponseHead) -> Bool {
        let (own, other) = validator.hasPrefix("\"") ? ("ETag", "Last-Modified") : ("Last-Modified", "ETag")
        let values = head.headers.values(for: own)
        return values.allSatisfy { $0 == validator } && (!values.isEmpty || head.firstValue(of: other) == nil)
            && Self.coding(of: head) == coding
    }

    /// Returns a hash that identifies a request's resource: its method, its URL, its host and the codings that it accepts.
    static func resource(of request: URLRequest) -> String? {
        guard let url = request.url, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return nil
        }
        components.user = nil
        components.password = nil
        components.fragment = nil
        let method = request.httpMethod ?? "GET"
        // RFC 9110 §7.1: another host is another resource.
        let host = request.value(forHTTPHeaderField: "Host").map { "\nHost: " + $0.lowercased() } ?? ""
        let codings = request.value(forHTTPHeaderField: "Accept-Encoding").map { "\n" + $0 } ?? ""
        return components.string.map { StableHash.text(of: "\(method) \($0)\(host)\(codings)") }
    }

    /// Reads a record; returns `nil` if there is none or it cannot be used.
    static func read(_ url: URL, resource: String) -> ResumptionRecord? {
        // Another user's record could combine two versions of a file.
        guard let (file, length) = try? OpenFile.readingOwn(url), length <= 16 * 1024,
            let data = try? file.read(at: 0, count: Int(length)),
            let record = try? JSONDecoder().decodeGuarded(ResumptionRecord.self, from: data),
            record.resource == resource,
            // Another program may have written the record, and the validator becomes a field value.
            record.validator.isFieldValue,
            isStrongTag(record.validator) || HTTPDate.parse(record.validator) != nil
        else { return nil }
        return record
    }

    /// Writes the record, replacing any other.
    func write(to url: URL) throws {
        OpenFile.remove(url)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try OpenFile.creating(url).write(encoder.encode(self), at: 0)
    }
}
