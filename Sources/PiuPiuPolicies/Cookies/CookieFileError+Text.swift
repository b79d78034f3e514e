extension CookieFileError.Code {
    /// The problem, as the end of a sentence about the line.
    package var text: String {
        switch storage {
        case .notUTF8: "is not UTF-8"
        case .invalidFieldCount: "does not have seven fields, separated by tabs"
        case .invalidFlag: "has something other than TRUE or FALSE in its second or fourth field"
        case .invalidExpiry: "has no number of seconds in its fifth field"
        case .invalidCookie: "has a domain, a path, a name or a value that no cookie can have"
        case .tooLarge: "is beyond the size that a jar can have"
        }
    }

    /// The usual cause and the remedy.
    package var explanation: ErrorExplanation {
        switch storage {
        case .notUTF8:
            .init(
                1,
                "The file is not a cookies.txt, or was saved in another encoding.",
                "Export the cookies again, as UTF-8."
            )
        case .invalidFieldCount:
            .init(
                2,
                "An editor replaced tabs by spaces, or the file is not a cookies.txt.",
                "Export the cookies again, and do not edit the file."
            )
        case .invalidFlag:
            .init(
                3,
                "The fields of the line are in another order.",
                "Correct the line, or export the cookies again."
            )
        case .invalidExpiry:
            .init(
                4,
                "The date is written as text.",
                "Write the date as seconds since 1970; 0 means a session cookie."
            )
        case .invalidCookie:
            .init(
                5,
                "A field of the line has a control character, or is empty.",
                "Remove the line, or export the cookies again."
            )
        case .tooLarge:
            .init(
                6,
                "The file has more cookies than a jar may have.",
                "Remove the cookies that are not needed."
            )
        }
    }
}
