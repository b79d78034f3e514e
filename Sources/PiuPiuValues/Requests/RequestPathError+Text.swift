extension RequestPathError.Code {
    /// The problem, as the beginning of an error's text.
    package var text: String {
        switch self {
        case .absoluteURL: "An absolute URL cannot replace the base URL"
        case .hasHost: "A host after '//' cannot replace the base URL"
        case .noBaseURL: "A path needs a base URL"
        case .invalidBaseURL:
            "The base URL must be an http or https URL without user information, query, fragment or '..'"
        case .leavesBasePath: "'..' leaves the path of the base URL"
        case .disguisedDots: "Some servers read a segment of the path as '.' or '..'"
        case .emptySegment: "A segment of the path is empty"
        case .backslash: "The path contains a backslash"
        case .fragment: "The path has a fragment; '%23' is a number sign"
        case .invalidEscape: "A '%' is not followed by two hexadecimal digits; '%25' is a percent sign"
        case .controlCharacter: "The path contains a control character"
        case .invalidURL: "The text is not an http or https URL without user information"
        }
    }

    /// The usual cause and the remedy.
    package var explanation: ErrorExplanation {
        switch self {
        case .absoluteURL:
            .init(
                1,
                "The text begins with a scheme, and only paths are allowed by default, because the text may come from a user.",
                "Pass a path, or allow absolute URLs.",
                setting: "configuration.requestDefaults.allowsAbsoluteURLs"
            )
        case .hasHost:
            .init(
                2,
                "The text begins with two slashes, often because a path was joined with an extra slash.",
                "Remove a slash, or allow absolute URLs.",
                setting: "configuration.requestDefaults.allowsAbsoluteURLs"
            )
        case .noBaseURL:
            .init(
                3,
                "The request was made from a path, and the dispatcher has no base URL.",
                "Set the base URL, or pass an absolute URL.",
                setting: "configuration.baseURL"
            )
        case .invalidBaseURL:
            .init(
                4,
                "The base URL has a query, a password or no scheme.",
                "Set a base URL such as https://api.example.com/v1/.",
                setting: "configuration.baseURL"
            )
        case .leavesBasePath:
            .init(
                5,
                "The path goes up further than it went down, by mistake or because it comes from an attacker.",
                "Remove the segment."
            )
        case .disguisedDots:
            .init(
                6,
                "A part of the path comes from a user and was not encoded, or comes from an attacker.",
                "Reject such names, or encode each part of the path before joining them."
            )
        case .emptySegment:
            .init(
                7,
                "A value in the path is empty, or the path has an extra slash.",
                "Check the values in the path."
            )
        case .backslash:
            .init(
                8,
                "The path uses Windows separators, or an attacker supplied it.",
                "Use slashes; %5C stands for a backslash."
            )
        case .fragment:
            .init(
                9,
                "A value in the path contains a number sign, which begins a fragment.",
                "Encode the number sign as %23. Fragments are never sent."
            )
        case .invalidEscape:
            .init(
                10,
                "A value in the path contains a percent sign.",
                "Encode the percent sign as %25."
            )
        case .controlCharacter:
            .init(
                11,
                "A value in the path contains a newline or a tab.",
                "Remove it, or reject the value."
            )
        case .invalidURL:
            .init(
                12,
                "The URL has a password, an unknown scheme or no host.",
                "Correct the URL. Put credentials in a header field or an AuthenticationPolicy."
            )
        }
    }

    /// All reasons of this version.
    package static let all: [Self] = [
        .absoluteURL, .hasHost, .noBaseURL, .invalidBaseURL, .leavesBasePath, .disguisedDots, .emptySegment, .backslash,
        .fragment, .invalidEscape, .controlCharacter, .invalidURL,
    ]
}
