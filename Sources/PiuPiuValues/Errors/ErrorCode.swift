/// The kind of an error: a structure over an enumeration, so that later versions can add codes.
///
/// A conforming type has the cases, a static member for each of them, and the texts.
package protocol ErrorCode: ErrorPattern, CustomStringConvertible, Sendable, Hashable {
    /// The error that has a code of this type.
    associatedtype Failure: CodedError where Failure.Code == Self
    /// The cases in the order of the page that lists all errors; the raw values are the errors' numbers, which never change.
    associatedtype Storage: RawRepresentable<Int>, CaseIterable
    var storage: Storage { get }
    /// The texts of an error with this code.
    var words: ErrorWords { get }

    init(storage: Storage)
}

extension ErrorCode {
    /// All codes of this version.
    package static var all: [Self] { Storage.allCases.map { Self(storage: $0) } }

    /// The failure, without the details of a request.
    package var text: String { words.text }

    /// The usual cause and the remedy.
    package var explanation: ErrorExplanation {
        let words = words
        return .init(storage.rawValue, words.cause, words.remedy, setting: words.setting)
    }

    /// The code's name, such as `noSpace`.
    public var description: String { "\(storage)" }

    /// Returns whether an error has this code.
    ///
    /// - Parameter error: The error that was thrown.
    /// - Returns: `true` if it is of the code's type of error, and has the code.
    public func matches(_ error: any Error) -> Bool { (error as? Failure)?.code == self }
}

/// An error whose cause and remedy are those of its code.
package protocol CodedError: ExplainedError {
    associatedtype Code: ErrorCode
    var code: Code { get }
}

extension CodedError {
    package var explanation: ErrorExplanation { code.explanation }
}

/// The texts of a code.
package struct ErrorWords: Sendable {
    /// The failure, as the beginning of an error's text, or as a part of it.
    let text: String
    /// The usual cause, as a sentence.
    let cause: String
    /// The remedy, as one or two sentences.
    let remedy: String
    /// The relevant setting, as it is written in code; `nil` if there is none.
    let setting: String?

    package init(_ text: String, _ cause: String, _ remedy: String, setting: String? = nil) {
        (self.text, self.cause, self.remedy, self.setting) = (text, cause, remedy, setting)
    }
}
