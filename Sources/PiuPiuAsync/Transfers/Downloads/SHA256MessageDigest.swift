/// The digest SHA-256 (FIPS 180-4), which servers publish most often for their files.
///
/// ```swift
/// var options = DownloadOptions()
/// options.digest = try .sha256(published)
/// let saved = try await dispatcher.download(for: request, to: fileURL, options: options).response()
/// ```
///
/// It also hashes your own data, in any number of pieces:
///
/// ```swift
/// var digest = SHA256MessageDigest()
/// data.withUnsafeBytes { digest.update(bytes: $0) }
/// let text = digest.digest().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
/// ```
///
/// On Linux the system's OpenSSL computes it, or, without OpenSSL, the library's own code, which gives the same digest but
/// takes several times as long; on Apple systems CryptoKit does. For another function, conform a type to ``MessageDigest``.
///
/// The name leaves `SHA256` and `SHA256Digest` to CryptoKit and to Swift Crypto, which a program may import next to PiuPiu.
public struct SHA256MessageDigest: MessageDigest {
    /// The number of bytes of a digest.
    public static let length = 32

    private var function: any MessageDigest

    /// Creates the digest of no bytes.
    public init() {
        self.init(Self.platformFunction() ?? PortableSHA256())
    }

    /// Creates a digest with another function, for tests.
    init(_ function: any MessageDigest) {
        self.function = function
    }

    /// Adds bytes to the digest.
    ///
    /// - Parameter bytes: The next bytes.
    public mutating func update(bytes: UnsafeRawBufferPointer) {
        function.update(bytes: bytes)
    }

    /// Computes the digest of all bytes; called once, at the end.
    ///
    /// - Returns: The 32 bytes of the digest; empty if the system's library failed, which matches no expected digest.
    public mutating func digest() -> Data {
        function.digest()
    }
}

extension DownloadOptions.DigestCheck {
    /// Checks a file's SHA-256.
    ///
    /// - Parameter hexadecimal: The 64 hexadecimal digits, in upper or lower case, as `sha256sum` prints them.
    /// - Returns: The check, for ``DownloadOptions/digest``.
    /// - Throws: ``TransferError`` with the code `digestMismatch` for any other text, such as a whole line of `sha256sum`.
    public static func sha256(_ hexadecimal: String) throws -> Self {
        let digits = hexadecimal.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 2 * SHA256MessageDigest.length, hexadecimal.utf8.count == digits.count else {
            throw TransferError(.digestMismatch, reason: "The expected SHA-256 is not 64 hexadecimal digits")
        }
        let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(16 * digits[$0] + digits[$0 + 1]) }
        return Self(expected: Data(bytes), using: { SHA256MessageDigest() })
    }
}

/// SHA-256 for systems without an implementation.
struct PortableSHA256: MessageDigest {
    private var hash = SHA256()

    mutating func update(bytes: UnsafeRawBufferPointer) { hash.add(bytes) }

    mutating func digest() -> Data { Data(hash.finish()) }
}
