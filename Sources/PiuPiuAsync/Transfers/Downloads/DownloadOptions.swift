/// What a download accepts, how it is checked, and whether it continues where an earlier one ended.
///
/// ```swift
/// var options = DownloadOptions()
/// options.resume = .ifPossible
/// options.expectedSize = 1_048_576
/// let saved = try await dispatcher.download(for: request, to: fileURL, options: options).response()
/// ```
public struct DownloadOptions: Sendable {
    /// Whether a download continues where an earlier one ended.
    public enum Resumption: Sendable, Hashable {
        /// A failure or a cancel leaves nothing behind.
        case never
        /// A failure or a cancel leaves what had arrived beside the destination, with the server's validator, and the
        /// next download to the same destination continues there.
        ///
        /// It does where the server gave a strong `ETag` or a `Last-Modified` that can stand for one, and still has the
        /// same (RFC 9110 §13.1.5, §14); otherwise it starts over. One download at a time can do so:
        /// another to the same destination throws ``TransferError/Code/fileInUse``.
        case ifPossible
    }

    /// Checks a digest while bytes arrive.
    public struct DigestCheck: Sendable {
        let expected: Data
        let make: @Sendable () -> any MessageDigest

        /// Creates a check.
        ///
        /// - Parameters:
        ///   - expected: The digest the file must have.
        ///   - make: Makes the function that computes it.
        public init(expected: Data, using make: @escaping @Sendable () -> any MessageDigest) {
            self.expected = expected
            self.make = make
        }
    }

    /// Whether it continues where an earlier one ended; ``Resumption/never`` by default.
    public var resume: Resumption
    /// The status codes that count as a failure; 4xx, 5xx and what is above by default.
    ///
    /// They leave the destination as it was and throw ``TransferError/Code/unacceptableStatus`` with the beginning of the
    /// body.
    public var failureStatusCodes: Range<Int>
    /// How many bytes the file must have; `nil` for any number.
    ///
    /// Another number throws ``TransferError/Code/sizeMismatch``, as soon as it is known.
    public var expectedSize: Int64?
    /// How many bytes the file may have; `nil` for any number.
    ///
    /// More throw ``TransportError/Code/bodyTooLarge``, as soon as that is known.
    public var maximumSize: Int64?
    /// The digest the file must have; `nil` for any.
    ///
    /// Another one throws ``TransferError/Code/digestMismatch``.
    public var digest: DigestCheck?
    /// Looks at the complete file before it is moved to the destination.
    ///
    /// What it throws ends the download, and the file is removed.
    public var verify: (@Sendable (URL) async throws -> Void)?
    /// Whether the server may compress; `false` by default, so that lengths are known and a download can continue.
    ///
    /// An `Accept-Encoding` in the request goes before, and leaves the file as it came.
    public var acceptsCompression: Bool
    /// Whether the file survives a loss of power once the download has succeeded; `false` by default.
    ///
    /// The file and its folder are flushed to the disk (`fdatasync` and `fsync`; `F_FULLFSYNC` on Apple systems), which takes
    /// as long as the disk needs. A disk that fails then is a ``TransferError``.
    public var isDurable: Bool
    /// The limits of the request; the dispatcher's by default.
    public var requestOptions: RequestOptions?

    /// Where a download that may continue keeps what has arrived.
    ///
    /// - Parameter destination: Where the file is to be.
    /// - Returns: A hidden file beside the destination. Nothing but a look at its size is anybody else's business.
    public static func partialFile(for destination: URL) -> URL {
        PartNames.resumable(destination).part
    }

    /// Creates options.
    ///
    /// - Parameters:
    ///   - resume: Whether it continues where an earlier one ended.
    ///   - expectedSize: How many bytes the file must have.
    ///   - digest: The digest the file must have.
    ///   - failureStatusCodes: The status codes that count as a failure.
    ///   - maximumSize: How many bytes the file may have.
    ///   - acceptsCompression: Whether the server may compress.
    ///   - isDurable: Whether the file survives a loss of power once the download has succeeded.
    ///   - requestOptions: The limits of the request; the dispatcher's by default.
    ///   - verify: Looks at the complete file before it is moved to the destination.
    public init(
        resume: Resumption = .never,
        expectedSize: Int64? = nil,
        digest: DigestCheck? = nil,
        failureStatusCodes: Range<Int> = 400..<1000,
        maximumSize: Int64? = nil,
        acceptsCompression: Bool = false,
        isDurable: Bool = false,
        requestOptions: RequestOptions? = nil,
        verify: (@Sendable (URL) async throws -> Void)? = nil
    ) {
        self.resume = resume
        self.expectedSize = expectedSize
        self.digest = digest
        self.failureStatusCodes = failureStatusCodes
        self.maximumSize = maximumSize
        self.acceptsCompression = acceptsCompression
        self.isDurable = isDurable
        self.requestOptions = requestOptions
        self.verify = verify
    }
}

/// A function that makes a digest of bytes, such as SHA-256, from whatever library has it.
public protocol MessageDigest {
    /// Takes bytes in.
    ///
    /// - Parameter bytes: The next bytes.
    mutating func update(bytes: UnsafeRawBufferPointer)

    /// Computes the digest of all bytes; called once, at the end.
    ///
    /// - Returns: The digest.
    mutating func digest() -> Data
}
