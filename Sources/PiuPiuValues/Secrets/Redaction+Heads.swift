extension Redaction {
    /// Returns a response's head for an error: without secret values, and without user information in URLs.
    ///
    /// One pass over the head finds any number of secrets: a server may send a large head, and repeat everything it received.
    ///
    /// - Parameters:
    ///   - head: The original head.
    ///   - request: The answered request, as sent: a server may echo its secrets in any field. By default, the request that the
    ///     head is known to answer.
    /// - Returns: A head that is safe to print, and that does not keep the request and its body in memory.
    package func head(_ head: ResponseHead, answering request: URLRequest? = nil) -> ResponseHead {
        let record = head.record
        let secrets = (request ?? record.values.urlRequest).map { self.secrets(of: $0) } ?? SecretFinder([[UInt8]]())
        let shownURL = url(head.url)
        var source: ResponseRecord.Source?
        switch record.values.source {
        case .raw(let raw):
            source = raw.redacted(self, hiding: secrets).map { .raw($0) }
        case .fields, .foundation:
            source = fields(record.headers, hiding: secrets).map { .fields(version: head.httpVersion, $0) }
        }
        var isInformationSecret = false
        let informational = head.informational.map { response in
            guard let fields = fields(response.headers, hiding: secrets) else { return response }
            isInformationSecret = true
            return InformationalResponse(response.statusCode, headers: fields)
        }
        guard source != nil || shownURL != head.url || isInformationSecret else {
            return ResponseHead(record: record.alone)
        }
        var values = record.alone.values
        values.url = shownURL
        if let source { values.source = source }
        if isInformationSecret { values.extras = .make(informational: informational) }
        // Values that the record has already derived from its source still contain the secrets.
        return ResponseHead(record: ResponseRecord(values))
    }

    /// Returns header fields for an error, without the secrets that the finder knows; `nil` if they contain none.
    package func fields(_ fields: HTTPHeaderFields, hiding secrets: SecretFinder) -> HTTPHeaderFields? {
        var allowance = SecretFinder.allowance(for: fields.reduce(0) { $0 + $1.value.utf8.count })
        var isChanged = false
        let shown = fields.map { field in
            let value = shownValue(of: field, hiding: secrets, &allowance)
            if value != field.value { isChanged = true }
            return HTTPHeaderField(name: field.name, value: value)
        }
        return isChanged ? HTTPHeaderFields(shown) : nil
    }

    private func shownValue(
        of field: HTTPHeaderField,
        hiding secrets: SecretFinder,
        _ allowance: inout SecretFinder.Allowance
    ) -> String {
        guard !isSensitive(field.name) else { return Self.placeholder }
        let value =
            Self.isReference(field.name)
            ? Self.withoutUserInformation(field.value) : Self.withoutUserInformation(inText: field.value)
        return secrets.hidden(in: value, &allowance)
    }

    /// Whether the whole value of a field is a URL (RFC 9110 §8.7 and §10.2.2).
    static func isReference(_ name: String) -> Bool {
        name.isEqualIgnoringASCIICase(to: "Location") || name.isEqualIgnoringASCIICase(to: "Content-Location")
    }

    /// Returns a finder of the texts that must stay hidden if a server repeats them in a head.
    ///
    /// The request is the one that was sent.
    package func secrets(of request: URLRequest) -> SecretFinder {
        var texts = SecretTexts()
        texts.add(request, isSecret: isSensitive)
        return texts.finder
    }
}

extension RawHead {
    /// Removes the secrets from the head.
    ///
    /// A line whose name is not a token, which no reader takes for a field, is left out.
    ///
    /// - Parameters:
    ///   - redaction: Tells which fields are secrets.
    ///   - secrets: The secrets to hide in the values of all fields.
    /// - Returns: The head; `nil` if it contains no secret.
    func redacted(_ redaction: Redaction, hiding secrets: SecretFinder) -> RawHead? {
        var allowance = SecretFinder.allowance(for: bytes.count)
        let hasUserInformation = bytes.withUnsafeBytes { $0.firstOffset(of: UInt8(ascii: "@")) } != nil
        var result: [UInt8] = []
        // The start of the bytes that are not copied yet.
        var copied = 0
        forEachField { name, lines in
            let shown = shownValue(name, lines, redaction, secrets, hasUserInformation, &allowance)
            guard let shown else { return true }
            if result.isEmpty { result.reserveCapacity(bytes.count) }
            result += bytes[copied..<name.lowerBound]
            copied = min(lines.upperBound + 1, bytes.count)
            // The name may be an echo, too.
            if case .value(let value) = shown {
                result += bytes[name]
                result += ": ".utf8
                result += value
                result += "\r\n".utf8
            }
            return true
        }
        guard copied > 0 else { return nil }
        result += bytes[copied...]
        return RawHead(bytes: result)
    }

    private enum Shown {
        case value([UInt8])
        /// The line is left out.
        case nothing
    }

    /// Returns the replacement of a field; `nil` if the field is shown unchanged.
    private func shownValue(
        _ name: Range<Int>,
        _ lines: Range<Int>,
        _ redaction: Redaction,
        _ secrets: SecretFinder,
        _ hasUserInformation: Bool,
        _ allowance: inout SecretFinder.Allowance
    ) -> Shown? {
        bytes.withUnsafeBufferPointer { all -> Shown? in
            let nameBytes = UnsafeBufferPointer(rebasing: all[name])
            guard nameBytes.allSatisfy(\.isTokenCharacter) else { return .nothing }
            if redaction.isSensitive(token: nameBytes) { return .value(Array(Redaction.placeholder.utf8)) }
            if secrets.hidden(in: nameBytes, &allowance) != nil { return .nothing }
            let lineBytes = UnsafeBufferPointer(rebasing: all[lines])
            // Text that is read as one value must be searched as one.
            let isOdd = UnsafeRawBufferPointer(lineBytes).firstOffset(of: 0) != nil || Self.isBroken(lineBytes)
            let hasMark = hasUserInformation && UnsafeRawBufferPointer(lineBytes).firstOffset(of: 0x40) != nil
            guard isOdd || hasMark else {
                return secrets.hidden(in: lineBytes, &allowance).map { .value(Self.trimmed($0[...])) }
            }
            let isReference = Redaction.isReference(String(decoding: nameBytes, as: UTF8.self))
            if !isOdd, !isReference {
                let value = Self.trimmed(lineBytes)
                let shown = value.withUnsafeBufferPointer(Redaction.withoutUserInformation)
                let hidden = shown.withUnsafeBufferPointer { secrets.hidden(in: $0, &allowance) }
                return hidden == nil && shown == value ? nil : .value(hidden ?? shown)
            }
            let text = value(of: lines)
            let shown =
                isReference ? Redaction.withoutUserInformation(text) : Redaction.withoutUserInformation(inText: text)
            let hidden = secrets.hidden(in: shown, &allowance)
            return hidden == text ? nil : .value(Array(hidden.utf8))
        }
    }

    /// Whether a value has a line end or a CR before its end.
    private static func isBroken(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(line)
        if raw.firstOffset(of: 0x0A) != nil { return true }
        return raw.firstOffset(of: 0x0D).map { $0 < line.count - 1 } ?? false
    }

    private static func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
        let start = bytes.firstIndex { !$0.isHTTPWhitespace } ?? bytes.endIndex
        let last = bytes[start...].lastIndex { $0 != 0x0D && !$0.isHTTPWhitespace }
        return last.map { Array(bytes[start...$0]) } ?? []
    }
}
