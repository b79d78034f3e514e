extension PaginationError.Code {
    package var words: ErrorWords {
        switch storage {
        case .invalidNextPage:
            .init(
                "The address of the next page is not a URL",
                "The link in the response is empty, or is not an http or https URL.",
                "Look at the response's Link field or body, and correct the closure that finds the next page."
            )
        case .insecureNextPage:
            .init(
                "The next page is not encrypted, but the previous page was",
                "The server builds its links with http://, often because it does not know that a proxy in front of it "
                    + "uses TLS.",
                "Configure the server to generate https links, or build the address of the next page yourself."
            )
        case .foreignNextPage:
            .init(
                "The next page has another origin",
                "The server links to another host, which would get the credentials of the request.",
                "If the host is the right one, allow other origins.",
                setting: "PaginationOptions.allowsOtherOrigins"
            )
        case .repeatedPage:
            .init(
                "The next page was loaded before",
                "The server's last page links to itself or to an earlier one.",
                "Correct the closure that finds the next page, so that it returns nil at the end."
            )
        case .tooManyPages:
            .init(
                "There are more pages than allowed",
                "The list is longer than expected, or never ends.",
                "Raise the limit, or ask for larger pages.",
                setting: "PaginationOptions.maximumPages"
            )
        }
    }
}
