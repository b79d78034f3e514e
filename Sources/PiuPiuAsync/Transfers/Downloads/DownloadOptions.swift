/// Options of a download: what it accepts, how it is verified, and whether it resumes an earlier one.
///
/// ```swift
/// var options = DownloadOptions()
/// options.resume = .ifPossible
/// options.expectedSize = 1_048_576
/// let saved = try await dispatcher.download(for: request, to: fileURL, options: options).response()
/// ```
public struct DownloadOptions: Sendable {
    /// Whether a download resumes an earlier one.
    public enum Resumption: Sendable, Hashable {
        /// A failed or cancelled download leaves nothing behind.
        case never
        /// A failed or cancelled download keeps its partial file, and the next one resumes from it.
        ///
        /// The partial file is next to the destination, together with the server's validator. The next download to the
        /// same destination resumes if the server sent a strong `ETag`, or a `Last-Modified` that can replace one, and
        /// still has the same version in the same coding (RFC 9110 §13.1.5, §14); otherwise it starts over. A response that
        /// was sent within a second of the file's `Last-Modified` is not kept, because the file may have changed since then
        /// (RFC 9110 §8.8.2.2), nor is a response that the server compressed on the fly. Only one such download can run at a
        /// time: another one to the same destination throws ``TransferError/Code/fileInUse``. If another process replaces or
        /// cuts the partial file, the download throws ``TransferError/Code/fileChanged``.
        ///
        /// If a resumed file has another digest than ``DownloadOptions/digest``, the kept bytes may be damaged: the download
        /// discards them and starts over, once, which ``TransferProgress/restarts`` counts. A file that was loaded from its
        /// beginning fails at once. A complete file that failed a check is never kept.
        ///
        /// This case has no effect if the destination is a folder, because the name of the file is not known before the
        /// response; if ``DownloadOptions/acceptsCompression`` is set; or if the request has a `Range`.
        case ifPossible
    }

    /// Verifies a digest while bytes arrive, such as ``sha256(_:)``.
    public struct DigestCheck: Sendable {
        let expected: Data
        let make: @Sendable () -> any MessageDigest

        /// Creates a check.
        ///
        /// - Parameters:
        ///   - expected: The digest that the file must have.
        ///   - make: Creates the function that computes the digest.
        public init(expected: Data, using make: @escaping @Sendable () -> any MessageDigest) {
            self.expected = expected
            self.make = make
        }
    }

    /// Whether the download resumes an earlier one; ``Resumption/never`` by default.
    public var resume: Resumption
    /// The status codes that count as a failure; 400 to 999 by default.
    ///
    /// They leave the destination unchanged and throw ``TransferError/Code/unacceptableStatus`` with the beginning of
    /// the body.
    public var failureStatusCodes: Range<Int>
    /// The required size of the file, in bytes; `nil` for any size.
    ///
    /// A different size throws ``TransferError/Code/sizeMismatch`` as soon as it is known.
    public var expectedSize: Int64?
    /// The maximum size of the file, in bytes; `nil` for no limit.
    ///
    /// A larger file throws ``TransportError/Code/bodyTooLarge`` as soon as its size is known.
    public var maximumSize: Int64?
    /// The required digest of the file; `nil` for any digest.
    ///
    /// With a different digest, the download throws ``TransferError/Code/digestMismatch``, and removes the file and its partial
    /// file. If the download resumed an earlier one, it first starts over, once; see ``Resumption/ifPossible``.
    public var digest: DigestCheck?
    /// Verifies the complete file before it is moved to the destination.
    ///
    /// If the closure throws, the download ends with its error and removes the file, even if it was resumed.
    public var verify: (@Sendable (URL) async throws -> Void)?
    /// Whether the server may compress; `false` by default, so that lengths are known and a download can resume.
    ///
    /// An `Accept-Encoding` in the request takes precedence; the file is then saved as received.
    public var acceptsCompression: Bool
    /// Whether the file survives a loss of power once the download has succeeded; `false` by default.
    ///
    /// The file and its folder are flushed to the disk (`fdatasync` and `fsync`; `F_FULLFSYNC` on Apple systems), which
    /// takes as long as the disk needs. If the disk fails, the download throws a ``TransferError``.
    public var isDurable: Bool
    /// The limits of the request; the dispatcher's by default.
    public var requestOptions: RequestOptions?

    /// Returns the file in which a resumable download keeps the received bytes.
    ///
    /// - Parameter destination: The destination file.
    /// - Returns: A hidden file next to the destination, or next to the file that a symbolic link there leads to. Do not use
    ///   it for anything but reading its size.
    public static func partialFile(for destination: URL) -> URL {
        let file = (try? FileDestination(destination))?.url ?? destination
        return PartNames.of(file, isResumable: true).part
    }

    /// Creates options.
    ///
    /// - Parameters:
    ///   - resume: Whether the download resumes an earlier one.
    ///   - expectedSize: The required size of the file, in bytes.
    ///   - digest: The required digest of the file.
    ///   - failureStatusCodes: The status codes that count as a failure.
    ///   - maximumSize: The maximum size of the file, in bytes.
    ///   - acceptsCompression: Whether the server may compress.
    ///   - isDurable: Whether the file survives a loss of power once the download has succeeded.
    ///   - requestOptions: The limits of the request; the dispatcher's by default.
    ///   - verify: Verifies the complete file before it is moved to the destination.
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

extension DownloadOptions {
    /// Returns a copy with changes.
    ///
    /// ```swift
    /// let checked = DownloadOptions().with { $0.expectedSize = 1_000_000 }
    /// ```
    ///
    /// Unlike a variable, the result can be used in an `async let`.
    ///
    /// - Parameter change: Changes the copy.
    /// - Returns: The changed copy.
    /// - Throws: The error that `change` throws.
    public func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
        var copy = self
        try change(&copy)
        return copy
    }
}

/// A function that computes a digest of bytes: ``SHA256MessageDigest``, or one from another library.
///
/// A conformance takes a few lines, such as this one for the checksum Adler-32 (RFC 1950 §8):
///
/// ```swift
/// struct Adler32: MessageDigest {
///     private var (low, high): (UInt32, UInt32) = (1, 0)
///
///     mutating func update(bytes: UnsafeRawBufferPointer) {
///         for byte in bytes {
///             low = (low + UInt32(byte)) % 65521
///             high = (high + low) % 65521
///         }
///     }
///
///     mutating func digest() -> Data {
///         withUnsafeBytes(of: (high << 16 | low).bigEndian) { Data($0) }
///     }
/// }
/// ```
///
/// ```swift
/// options.digest = .init(expected: checksum, using: { Adler32() })
/// ```
public protocol MessageDigest {
    /// Adds bytes to the digest.
    ///
    /// - Parameter bytes: The next bytes.
    mutating func update(bytes: UnsafeRawBufferPointer)

    /// Computes the digest of all bytes; called once, at the end.
    ///
    /// - Returns: The digest.
    mutating func digest() -> Data
}
