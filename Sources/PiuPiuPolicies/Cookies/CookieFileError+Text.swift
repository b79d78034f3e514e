extension CookieFileError.Code {
    package var words: ErrorWords {
        switch storage {
        case .notUTF8:
            .init(
                "is not UTF-8",
                "The file is not a cookies.txt, or was saved in another encoding.",
                "Export the cookies again, as UTF-8."
            )
        case .invalidFieldCount:
            .init(
                "does not have seven fields, separated by tabs",
                "An editor replaced tabs by spaces, or the file is not a cookies.txt.",
                "Export the cookies again, and do not edit the file."
            )
        case .invalidFlag:
            .init(
                "has something other than TRUE or FALSE in its second or fourth field",
                "The fields of the line are in another order.",
                "Correct the line, or export the cookies again."
            )
        case .invalidExpiry:
            .init(
                "has no number of seconds in its fifth field",
                "The date is written as text.",
                "Write the date as seconds since 1970; 0 means a session cookie."
            )
        case .invalidCookie:
            .init(
                "has a domain, a path, a name or a value that no cookie can have",
                "A field of the line has a control character, or is empty.",
                "Remove the line, or export the cookies again."
            )
        case .tooLarge:
            .init(
                "is beyond the size that a jar can have",
                "The file has more cookies than a jar may have.",
                "Remove the cookies that are not needed."
            )
        }
    }
}
