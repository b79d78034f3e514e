/// An error of an upload, a download or a stream that the network did not cause, but a file, a length or a status code.
///
/// ```swift
/// do {
///     let saved = try await dispatcher.download(for: request, to: fileURL).response()
///     print(saved.data.path)
/// } catch let error as TransferError where error.code == .unacceptableStatus {
///     print(error.response?.statusCode.rawValue ?? 0, String(decoding: error.body ?? Data(), as: UTF8.self))
/// } catch TransferError.Code.noSpace {
///     // nothing is left behind of the file
/// }
/// ```
///
/// Failures of the exchange itself are a ``TransportError``.
public struct TransferError: Error, Sendable {
    /// The kind of the failure.
    public var code: Code
    /// More details as text, never with a header's value or a part of a body.
    public var reason: String
    /// The file in question.
    public var file: URL?
    /// The request, without its secrets and its body; `nil` if there is none.
    public var request: URLRequest?
    /// How long the call took until it failed; `nil` if no dispatcher measured it.
    public package(set) var elapsed: Duration?
    /// The attempts that policies made for the failed request, oldest first, and at least one.
    public package(set) var attempts: [Attempt] = [.first]
    /// The head of the response, if one had arrived, without its secrets.
    public var response: ResponseHead?
    /// The beginning of the response's body, at most 64 KiB, for ``Code/unacceptableStatus``.
    public var body: Data?
    /// The system's error number, such as `ENOSPC`, if a system call failed.
    public var systemErrorNumber: Int32?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of the failure.
    ///   - reason: More details as text; the code's own text by default.
    ///   - file: The file in question.
    ///   - request: The request. Secrets are removed from it.
    ///   - response: The head of the response. Secrets are removed from it, even if it repeats those of the request that it is
    ///     known to answer.
    ///   - body: The beginning of the response's body.
    ///   - systemErrorNumber: The system's error number.
    ///   - sensitiveHeaders: Names of secret header fields, in addition to the standard ones.
    public init(
        _ code: Code,
        reason: String? = nil,
        file: URL? = nil,
        request: URLRequest? = nil,
        response: ResponseHead? = nil,
        body: Data? = nil,
        systemErrorNumber: Int32? = nil,
        sensitiveHeaders: [String] = []
    ) {
        self.code = code
        self.reason = reason ?? code.text
        self.file = file
        let redaction = Redaction(additionalNames: sensitiveHeaders)
        self.request = request.flatMap { redaction.request($0) }
        self.response = response.map { redaction.head($0, answering: request) }
        self.body = body
        self.systemErrorNumber = systemErrorNumber
    }

    /// The text for a path on which a file is in the place of a folder.
    static let missingFolder = "There is a file where a folder is needed"

    /// Returns the error of a stream that produced more or fewer bytes than it announced.
    package static func mismatch(_ word: String) -> TransferError {
        TransferError(.lengthMismatch, reason: "The stream produced \(word) bytes than were announced")
    }

    /// The error that the response's status code represents; `nil` if there is no response or its status is acceptable.
    public var httpError: HTTPError? { response?.statusCode.httpError }
}

extension TransferError {
    /// The kind of a transfer's failure.
    public struct Code: ErrorCode {
        package enum Storage: Int, Sendable, CaseIterable {
            case unacceptableStatus = 1, sizeMismatch, digestMismatch
            case lineTooLong, eventTooLong, bodyAlreadyRead
            case fileNotFound, notARegularFile, permissionDenied, noSpace, fileInUse, fileChanged, fileFailed
            case invalidPart, bodyTooLarge, lengthMismatch, bodyNotRepeatable, duplicateDestination
        }

        package typealias Failure = TransferError
        package let storage: Storage

        package init(storage: Storage) { self.storage = storage }

        /// The response's status code counts as a failure.
        ///
        /// ``TransferError/response`` and ``TransferError/body`` contain the server's response.
        public static let unacceptableStatus = Code(storage: .unacceptableStatus)
        /// The received file does not have the expected size.
        public static let sizeMismatch = Code(storage: .sizeMismatch)
        /// The received file does not have the expected digest.
        ///
        /// The file was downloaded completely, and removed. The expected digest may be wrong, too.
        public static let digestMismatch = Code(storage: .digestMismatch)
        /// A line of a stream is longer than the limit.
        public static let lineTooLong = Code(storage: .lineTooLong)
        /// A server-sent event is longer than the limit.
        public static let eventTooLong = Code(storage: .eventTooLong)
        /// A response's body is being read elsewhere, or was abandoned before its end.
        public static let bodyAlreadyRead = Code(storage: .bodyAlreadyRead)
        /// The file or folder does not exist.
        public static let fileNotFound = Code(storage: .fileNotFound)
        /// There is a folder or a device instead of a file, or a file instead of a folder.
        ///
        /// In the second case, ``TransferError/file`` is that file.
        public static let notARegularFile = Code(storage: .notARegularFile)
        /// Permission to read or write the file is missing.
        public static let permissionDenied = Code(storage: .permissionDenied)
        /// The disk or the quota is full, or would be exceeded.
        public static let noSpace = Code(storage: .noSpace)
        /// Another download resumes the same file.
        public static let fileInUse = Code(storage: .fileInUse)
        /// A file became shorter or longer while it was sent, or shorter while it was read, or another process replaced or
        /// truncated the partial file of a download.
        public static let fileChanged = Code(storage: .fileChanged)
        /// The system failed to read or write a file.
        public static let fileFailed = Code(storage: .fileFailed)
        /// The name or the type of a form part is invalid.
        public static let invalidPart = Code(storage: .invalidPart)
        /// A body is larger than the limit for bodies in memory.
        public static let bodyTooLarge = Code(storage: .bodyTooLarge)
        /// A stream of known length produced more or fewer bytes.
        public static let lengthMismatch = Code(storage: .lengthMismatch)
        /// A redirect or another attempt needs the body again, but it was a stream that has been consumed.
        public static let bodyNotRepeatable = Code(storage: .bodyNotRepeatable)
        /// Two files of a list of downloads have the same destination.
        ///
        /// Nothing was sent.
        public static let duplicateDestination = Code(storage: .duplicateDestination)
    }
}

extension TransferError: Redacted, CodedError {
    /// The error as a sentence, without the body.
    public var description: String {
        let status = response.map { "\($0.statusCode.rawValue)" }
        var text = reason
        text += ErrorText.context([
            status, ErrorText.target(request), ErrorText.elapsed(elapsed, attempts: attempts.count),
        ])
        if let file { text += ": \(file.path(percentEncoded: false))" }
        // The texts of the other codes already contain the information of the system's text.
        if code == .fileFailed, let systemErrorNumber { text += ": \(String(cString: strerror(systemErrorNumber)))" }
        return text
    }

    /// The code and the error as a sentence, without the body.
    public var debugDescription: String { "TransferError.\(code): \(description)" }

    package var failingURL: String? { request?.url.map { Redaction.standard.location(of: $0) } }

    /// The code and the error as a sentence, so that `dump` shows no secret and no body.
    package var shown: KeyValuePairs<String, Any> {
        ["code": code, "description": description]
    }
}
