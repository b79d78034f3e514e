import PiuPiuAsync

/// An error from reading a recording or answering a request from one.
///
/// ```swift
/// do {
///     _ = try await dispatcher.data(for: request)
/// } catch let error as HARError where error.code == .noMatch {
///     print(error)  // names the nearest request of the recording, and what differs
/// }
/// ```
///
/// Errors never contain the value of a header field, a part of a body, or anything in a URL that
/// ``HARRedaction/default`` treats as a secret.
public struct HARError: Error, Sendable, Hashable {
    /// The kind of the error.
    public var code: Code
    /// A description of the error.
    public var reason: String
    /// The place in the file, such as `log.entries[3].request.url`.
    public var path: String?
    /// The index of the recorded exchange that the error refers to; the nearest one if nothing matches.
    public var entryIndex: Int?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - reason: A description of the error.
    ///   - path: The place in the file.
    ///   - entryIndex: The index of the recorded exchange that the error refers to.
    public init(_ code: Code, reason: String, path: String? = nil, entryIndex: Int? = nil) {
        self.code = code
        self.reason = reason
        self.path = path
        self.entryIndex = entryIndex
    }
}

extension HARError {
    /// The kind of an error.
    public struct Code: ErrorCode {
        package enum Storage: Int, Sendable, CaseIterable {
            case tooLarge = 1, malformed, noMatch, usedUp, incompleteEntry
        }

        package typealias Failure = HARError
        package let storage: Storage

        package init(storage: Storage) { self.storage = storage }

        /// The file is larger than the limit.
        public static let tooLarge = Code(storage: .tooLarge)
        /// The file is not a valid HAR; ``HARError/path`` contains the place.
        public static let malformed = Code(storage: .malformed)
        /// No recorded request matches.
        public static let noMatch = Code(storage: .noMatch)
        /// All matching exchanges were already replayed, and ``HARMatching/repeatsLast`` is off.
        public static let usedUp = Code(storage: .usedUp)
        /// The matching exchange was recorded without its complete body.
        public static let incompleteEntry = Code(storage: .incompleteEntry)
    }
}

extension HARError.Code {
    package var words: ErrorWords {
        switch storage {
        case .tooLarge:
            .init(
                "The HAR file is too large",
                "The recording contains large bodies.",
                "Record fewer or smaller bodies, or raise the limit."
            )
        case .malformed:
            .init(
                "The HAR file is not valid",
                "The file was edited or cut off, or is not a HAR file.",
                "The text has the place in the file. Correct it there, or record again."
            )
        case .noMatch:
            .init(
                "No recorded request matches",
                "The code sends a request that differs from the recorded one.",
                "The text names the nearest request and what differs. Record again, or compare fewer parts.",
                setting: "HARMatching"
            )
        case .usedUp:
            .init(
                "All recorded responses to the request were already replayed",
                "The code sends the request more often than it was recorded.",
                "Record again, or repeat the last response.",
                setting: "HARMatching.repeatsLast"
            )
        case .incompleteEntry:
            .init(
                "The recorded body is not complete",
                "The body exceeded the recorder's limit.",
                "Record again with a higher limit for bodies."
            )
        }
    }
}

extension HARError: Redacted, CodedError {
    /// The error as a sentence.
    public var description: String { path.map { "\(reason) (at \($0))" } ?? reason }

    /// The code, and the error as a sentence.
    public var debugDescription: String { "HARError.\(code): \(description)" }

    /// The code, and the error as a sentence.
    package var shown: KeyValuePairs<String, Any> { ["code": code, "description": description] }
}

extension HARError {
    static func tooLarge(_ limit: Int) -> HARError {
        HARError(.tooLarge, reason: "The HAR file is larger than the \(limit) bytes that are allowed")
    }

    /// Converts a decoder's error, without the contents of the file.
    static func malformed(_ error: any Error) -> HARError {
        guard let error = error as? DecodingError else {
            return HARError(.malformed, reason: "The HAR file cannot be read")
        }
        switch error {
        case .keyNotFound(let key, let context):
            return malformed("has no \"\(key.stringValue)\"", context.codingPath)
        case .typeMismatch(let type, let context):
            return malformed("has a value that is not of the type \(type)", context.codingPath)
        case .valueNotFound(_, let context):
            return malformed("has null in the place of a value", context.codingPath)
        case .dataCorrupted(let context):
            guard context.codingPath.isEmpty else {
                return malformed("has a value that cannot be used", context.codingPath)
            }
            // The text contains the line and the column, and at most one character of the file.
            let place = (context.underlyingError as NSError?)?.userInfo[NSDebugDescriptionErrorKey] as? String
            return malformed("is not valid JSON" + (place.map { ": \($0)" } ?? ""), context.codingPath)
        @unknown default:
            return HARError(.malformed, reason: "The HAR file cannot be read")
        }
    }

    private static func malformed(_ problem: String, _ path: [any CodingKey]) -> HARError {
        var text = ""
        for key in path {
            if let index = key.intValue { text += "[\(index)]" } else { text += "." + key.stringValue }
        }
        let index = path.lazy.compactMap(\.intValue).first
        return HARError(
            .malformed,
            reason: "The HAR file \(problem)",
            path: text.isEmpty ? nil : String(text.drop { $0 == "." }),
            entryIndex: index
        )
    }
}
