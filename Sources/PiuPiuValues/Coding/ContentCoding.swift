#if os(Linux)
import CShims
/// A content coding that the library can decode (RFC 9110 §8.4.1).
package enum ContentCoding: CaseIterable, Sendable {
    case gzip
    /// The zlib format (RFC 9110 §8.4.1.2) or, as some servers send it, raw deflate.
    case deflate
    case brotli
    case zstd

    /// The maximum number of codings of a body, as in curl.
    package static let maximumCount = 5

    /// The codings supported on this system, as the value of `Accept-Encoding`; empty if there are none.
    package static let allSupported = names(of: allCases)

    /// The supported codings that need little memory.
    package static let smallSupported = names(of: allCases.filter { !$0.hasLargeWindow })

    private static func names(of codings: [ContentCoding]) -> String {
        codings.filter(\.isAvailable).map(\.name).joined(separator: ", ")
    }

    /// The name in `Content-Encoding` and `Accept-Encoding`.
    package var name: String {
        switch self {
        case .gzip: "gzip"
        case .deflate: "deflate"
        case .brotli: "br"
        case .zstd: "zstd"
        }
    }

    /// The format that the decompressor starts with.
    package var format: PPFormat {
        switch self {
        case .gzip: PP_FORMAT_GZIP
        case .deflate: PP_FORMAT_ZLIB
        case .brotli: PP_FORMAT_BROTLI
        case .zstd: PP_FORMAT_ZSTD
        }
    }

    /// Whether decoding keeps a window of several megabytes of recent output; the other codings keep 32 KiB.
    var hasLargeWindow: Bool { self == .brotli || self == .zstd }

    /// Whether the coding's library is available on this system.
    package var isAvailable: Bool { pp_format_is_available(format) }

    /// Finds a coding by its name, in any case; `x-gzip` is `gzip` (RFC 9110 §8.4.1.3).
    init?(name: String) {
        let coding = Self.allCases.first { $0.name.isEqualIgnoringASCIICase(to: name) }
        guard let coding = coding ?? (name.isEqualIgnoringASCIICase(to: "x-gzip") ? .gzip : nil) else { return nil }
        self = coding
    }

    /// Parses `Content-Encoding`.
    ///
    /// Known codings are removed from the outside in. Servers write all kinds of words into the field, such as `UTF-8`,
    /// `binary` or `aws-chunked`; everything inside an unknown word stays unchanged.
    ///
    /// - Parameter fieldValues: The values of the field's lines.
    /// - Returns: The codings to decode, in the order in which they were applied; a coding with a large window occurs at most
    ///   once.
    /// - Throws: ``ContentDecodingError/tooManyCodings``.
    package static func list(in fieldValues: some Sequence<String>) throws(ContentDecodingError) -> [ContentCoding] {
        var codings: [ContentCoding] = []
        for value in fieldValues {
            for element in value.utf8.split(separator: 0x2C) {
                let start = element.drop(while: \.isHTTPWhitespace)
                let length = start.reversed().drop(while: \.isHTTPWhitespace).count
                let name = String(Substring(start.prefix(length)))
                // "identity" is not a coding, and some servers write "none" for it.
                if name.isEmpty || ["identity", "none"].contains(where: name.isEqualIgnoringASCIICase) { continue }
                guard let coding = ContentCoding(name: name), coding.isAvailable else {
                    codings = []
                    continue
                }
                codings.append(coding)
            }
        }
        guard codings.count <= maximumCount,
            allCases.allSatisfy({ coding in !coding.hasLargeWindow || codings.count { $0 == coding } <= 1 })
        else { throw .tooManyCodings }
        return codings
    }
}
#endif
