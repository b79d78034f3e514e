/// One download: requests, writes and verifies a file, and moves it to its destination.
///
///     part opened ──▶ asked ──▶ written ──▶ checked ──▶ moved to the destination
///           └───────────┴──────────┴───────────┴──▶ removed, or kept for the next download
///
/// The destination is the file that the caller's path leads to. A pipe or a device receives the bytes directly, without a part
/// to move. In a folder, the response gives the file its name, and no file is replaced.
///
/// It runs on its own queue, so that a slow disk blocks nothing else.
actor Download {
    /// The maximum number of bytes of a failed response's body to keep in the error.
    private static let errorBodyLimit = 64 * 1024

    private let queue = FileQueue()
    /// Sends one of the download's requests.
    private let send: @Sendable (URLRequest) async throws -> Response<ResponseBody>
    let sensitiveHeaders: [String]
    let request: URLRequest
    let destination: URL
    /// Whether the destination is a folder, in which the response gives the file its name.
    private let isFolder: Bool
    let options: DownloadOptions
    private let reporter: TransferReporter?
    /// The file to replace: the destination, or the file that a link there leads to.
    private var target: URL
    var names: PartNames
    /// Whether the bytes go to a pipe or a device, from which nothing can be taken back.
    private var isStream = false
    /// Identifies the resource of the part file; `nil` if the download cannot be resumed.
    private let resource: String?
    var digest: (any MessageDigest)?
    /// Whether the part is kept for the next download if this one fails.
    var partFate = PartFate.removed(.noValidator)
    /// Whether the bytes in the part begin with those of an earlier download.
    private var isContinued = false
    /// Whether the file was moved to its destination.
    private var isMoved = false

    /// What becomes of the part if the download fails.
    enum PartFate: Equatable {
        /// The next download continues the part, because the server sent a validator for it.
        case kept
        /// The part is removed.
        case removed(Reason)

        enum Reason {
            /// The server sent no validator for the bytes.
            case noValidator
            /// The server does not continue the part.
            case notContinued
            /// The server contradicts itself, so that no byte is certain.
            case contradiction
            /// The file is complete but wrong, which resuming cannot fix.
            case wrongFile
            /// Another process changed the part.
            case changed
            /// It is unknown how much of the file reached the disk.
            case unknownOnDisk
        }
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(
        _ request: URLRequest,
        to destination: URL,
        isFolder: Bool = false,
        options: DownloadOptions,
        sensitiveHeaders: [String],
        reporter: TransferReporter?,
        send: @escaping @Sendable (URLRequest) async throws -> Response<ResponseBody>
    ) {
        self.send = send
        self.sensitiveHeaders = sensitiveHeaders
        self.destination = destination
        self.isFolder = isFolder
        self.options = options
        self.reporter = reporter
        // A caller that sets a range wants exactly that range.
        let mayResume =
            options.resume == .ifPossible && !options.acceptsCompression && !isFolder
            && request.value(forHTTPHeaderField: "Range") == nil
        var request = request
        if !options.acceptsCompression, request.url != nil,
            request.value(forHTTPHeaderField: "Accept-Encoding") == nil
        {
            request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        self.request = request
        resource = mayResume ? ResumptionRecord.resource(of: request) : nil
        target = destination
        let name = isFolder ? destination.appending(path: SuggestedFileName.none) : destination
        names = PartNames.of(name, isResumable: resource != nil)
    }

    /// Runs the download; throws the errors of ``DownloadDispatcher/download(for:to:options:)``.
    func run() async throws -> Response<URL> {
        try Task.checkCancellation()
        let (file, folders) = try await openPart()
        do {
            do {
                let response = try await run(file, folders)
                // If there is nothing new, the folders stay empty.
                if response.statusCode == .notModified { OpenFile.removeFolders(folders) }
                return response
            } catch {
                discard(file)
                throw error
            }
        } catch {
            if !isMoved { OpenFile.removeFolders(folders) }
            throw named(error)
        }
    }

    /// Opens the part, or the pipe or device, and creates missing folders; returns these, deepest first.
    private func openPart() async throws -> (file: OpenFile, folders: [URL]) {
        guard destination.isFileURL else {
            throw TransferError(.fileNotFound, reason: "The URL is not a file URL", file: destination)
        }
        var attempts = 0
        while true {
            var folders: [URL] = []
            do {
                guard !isFolder else {
                    folders = try OpenFile.createFolders(destination)
                    return (try OpenFile.creating(names.part), folders)
                }
                let place: FileDestination
                (place, folders) = try FileDestination.preparing(destination)
                guard case .file(let file) = place else { return (try await openStream(place.url), folders) }
                target = file
                names = PartNames.of(file, isResumable: resource != nil)
                return (
                    try names.record == nil ? OpenFile.creating(names.part) : OpenFile.continuing(names.part), folders
                )
            } catch {
                OpenFile.removeFolders(folders)
                attempts += 1
                // Another download that failed may have removed its folders in the meantime.
                guard TransferError.Code.fileNotFound ~= error, attempts < 10 else { throw named(error) }
            }
        }
    }

    private func openStream(_ url: URL) async throws -> OpenFile {
        // There is no file to verify.
        guard options.verify == nil else { throw TransferError(.notARegularFile, file: destination) }
        isStream = true
        target = url
        return try await OpenFile.streaming(to: url)
    }

    /// Returns the error with the destination's name in place of the hidden part or record file.
    private func named(_ error: any Error) -> any Error {
        guard var error = error as? TransferError, let file = error.file,
            file == names.part || file == names.record || file == target
        else { return error }
        error.file = destination
        return error
    }

    private func run(_ file: OpenFile, _ folders: [URL]) async throws -> Response<URL> {
        let (response, size) = try await receiveChecked(into: file)
        // The server reports that the destination is still current, so leave it unchanged.
        guard let size else {
            discard(file)
            return response
        }
        do {
            try await options.verify?(names.part)
            try Task.checkCancellation()
        } catch {
            if !(error is CancellationError) { partFate = .removed(.wrongFile) }
            throw error
        }
        guard !isStream else { return response }
        do {
            if options.isDurable { try file.synchronize() }
        } catch {
            partFate = .removed(.unknownOnDisk)
            throw error
        }
        // Another process may have replaced or cut the part in the meantime.
        guard file.hasName(names.part), try file.length() == size else { throw partChanged() }
        if isFolder {
            target = try OpenFile.move(names.part, into: destination, as: SuggestedFileName.name(for: response))
        } else {
            try OpenFile.move(names.part, to: target)
        }
        isMoved = true
        if let record = names.record { OpenFile.remove(record) }
        let saved = isFolder ? response.map { _ in target } : response
        guard options.isDurable else { return saved }
        // The entry of a new folder is in its parent folder, which needs a flush, too.
        do {
            for name in [target] + folders { try OpenFile.synchronizeFolder(name.deletingLastPathComponent()) }
        } catch {
            // The caller would not learn the name of a file in a folder.
            if isFolder { OpenFile.remove(target) }
            throw error
        }
        return saved
    }

    private func discard(_ file: OpenFile) {
        // Another download may use the part's name by now.
        guard !isMoved, !isStream else { return }
        // Another process may have put its own file in the part's place.
        let isOwn = file.hasName(names.part)
        if partFate == .kept, isOwn, let length = try? file.length(), length > 0 { return }
        // Remove the record first, because it is valid only with the part.
        if let record = names.record { OpenFile.remove(record) }
        if isOwn { OpenFile.remove(names.part) }
    }

    // MARK: Receiving

    /// Receives the file, and checks its size and its digest.
    ///
    /// The bytes of an earlier download may be damaged, so a wrong digest starts the download over, once. A wrong size comes
    /// from the server, which says where its range ends.
    ///
    /// - Returns: The last response, and the length of the file; `nil` if the server has nothing new.
    private func receiveChecked(into file: OpenFile) async throws -> (Response<URL>, size: Int64?) {
        do {
            return try await receive(into: file, by: initialPlan(file))
        } catch TransferError.Code.digestMismatch where isContinued {
            reporter?.willSendAgain()
            return try await receive(into: file, by: .fromTheStart)
        }
    }

    /// Receives the file according to a plan, and checks its size and its digest.
    private func receive(into file: OpenFile, by plan: ResumptionPlan) async throws -> (Response<URL>, size: Int64?) {
        let (response, size) = try await receiveAll(into: file, by: plan)
        guard let size else { return (response, nil) }
        if let expected = options.expectedSize, size != expected {
            partFate = .removed(.wrongFile)
            throw wrongSize(size, insteadOf: expected)
        }
        if let expected = options.digest?.expected, expected.isEmpty || digest?.digest() != expected {
            partFate = .removed(.wrongFile)
            throw TransferError(.digestMismatch, file: destination)
        }
        return (response, size)
    }

    /// Sends requests until the file is complete.
    ///
    /// - Returns: The last response, and the length of the file; `nil` if the server has nothing new.
    private func receiveAll(into file: OpenFile, by plan: ResumptionPlan) async throws -> (Response<URL>, Int64?) {
        var plan = plan
        partFate = plan.offset > 0 ? .kept : .removed(.noValidator)
        while true {
            let response = try await send(asking(plan))
            guard let head = response.head else { throw ResponseError.notHTTPResponse }
            guard Self.wasAskedFor(head.statusCode, by: response.urlRequest) else { throw try await failure(response) }
            switch plan.decide(head, length: response.data.expectedLength) {
            case .askAgain:
                // Discard before the next request, which may need this connection.
                response.data.discard()
                plan = .fromTheStart
                partFate = .removed(.notContinued)
                continue
            case .other:
                if options.failureStatusCodes.contains(head.statusCode.rawValue) { throw try await failure(response) }
                // A 304 response has no content; other redirects arrive here if they should not be followed.
                guard head.statusCode != .notModified else {
                    if isFolder { throw try await failure(response) }
                    return (response.map { _ in destination }, nil)
                }
                let size = try await save(response.data, at: 0, total: response.data.expectedLength, head, file)
                return (response.map { _ in destination }, size)
            case .write(let offset, let total):
                if options.failureStatusCodes.contains(head.statusCode.rawValue) { throw try await failure(response) }
                // The tail alone must never count as the whole file.
                let isWhole =
                    response.urlRequest.value(forHTTPHeaderField: "Range") != nil || !ResumptionPlan.isPart(head)
                guard isWhole else { throw mismatch() }
                let size = try await save(response.data, at: offset, total: total, head, file)
                if head.statusCode != .partialContent, plan.contradicts(head, length: size) {
                    plan = .fromTheStart
                    partFate = .removed(.contradiction)
                    continue
                }
                guard plan.offset > 0, head.statusCode == .partialContent, let total, size != total else {
                    return (response.map { _ in destination }, size)
                }
                // A server may send less than the requested range: ask for the rest.
                plan = ResumptionPlan(record: plan.record, partLength: size)
            }
        }
    }

    private func initialPlan(_ file: OpenFile) throws -> ResumptionPlan {
        guard !isStream, let resource, let url = names.record else { return .fromTheStart }
        return ResumptionPlan(record: ResumptionRecord.read(url, resource: resource), partLength: try file.length())
    }

    private func asking(_ plan: ResumptionPlan) -> URLRequest {
        var request = request
        for field in plan.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        return request
    }

    private func failure(_ response: Response<ResponseBody>) async throws -> TransferError {
        var body = Data()
        // The body of a failure is useful, but not required.
        do {
            for try await chunk in response.data {
                body += chunk.prefix(Self.errorBodyLimit - body.count)
                if body.count >= Self.errorBodyLimit { break }
            }
        } catch is CancellationError {
            throw CancellationError()
        } catch {}
        var error = TransferError(
            .unacceptableStatus,
            request: request,
            response: response.head,
            body: body,
            sensitiveHeaders: sensitiveHeaders
        )
        error.attempts = response.attempts
        return error
    }

    // MARK: Writing

    private func save(
        _ body: ResponseBody,
        at start: Int64,
        total: Int64?,
        _ head: ResponseHead,
        _ file: OpenFile
    ) async throws -> Int64 {
        if start == 0 { partFate = .removed(.noValidator) }
        isContinued = start > 0
        // Truncate only if there are bytes to cut off: some file systems flush a file on closing after truncation to zero.
        let length = try file.length()
        guard length >= start else { throw partChanged() }
        if length > start { try file.truncate(to: start) }
        try note(head, total: total)
        try checkSize(start, total)
        if let total, let space = file.availableSpace, total - start > space {
            throw TransferError(.noSpace, file: destination)
        }
        reporter?.willReceive(total)
        reporter?.willContinue(at: start)
        try await beginDigest(file, upTo: start)
        let end = request.value(forHTTPHeaderField: "Range") == nil ? ResumptionPlan.end(of: head, total: total) : total
        var position = start
        for try await chunk in body {
            try checkSize(position + Int64(chunk.count), nil)
            // A partial response may not announce a length, but must not exceed its range.
            if let end, position + Int64(chunk.count) > end { throw mismatch() }
            // If another process cut the part, the next bytes would follow a gap.
            guard try file.length() == position else { throw partChanged() }
            if isStream { try await file.stream(chunk) } else { try file.write(chunk, at: position) }
            position += Int64(chunk.count)
            if digest != nil { chunk.withUnsafeBytes { digest?.update(bytes: $0) } }
            reporter?.didReceive(position)
        }
        if start > 0, let end, position < end {
            // The bytes of a response that ends before its range may be wrong; the earlier ones are unchanged.
            if !isStream { try file.truncate(to: start) }
            throw TransferError(.sizeMismatch, file: destination)
        }
        // The transport checks this too; a truncated file must never count as complete.
        if let total, position != total, head.statusCode != .partialContent {
            throw TransportError(
                .truncatedBody,
                response: head,
                bytesReceived: Int(clamping: position),
                sensitiveHeaders: sensitiveHeaders
            )
        }
        return position
    }

    /// Writes the record that the next download needs.
    private func note(_ head: ResponseHead, total: Int64?) throws {
        guard !isStream, let resource, let url = names.record, partFate != .kept else { return }
        guard head.statusCode == .ok, let record = ResumptionRecord(head, resource: resource, size: total) else {
            // A record of an earlier download would be mistaken for one of this response.
            return OpenFile.remove(url)
        }
        try record.write(to: url)
        partFate = .kept
    }
}
