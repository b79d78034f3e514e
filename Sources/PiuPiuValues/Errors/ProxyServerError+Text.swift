extension ProxyServerError.Code {
    /// The problem, as the end of a sentence.
    package var text: String {
        switch storage {
        case .invalidText: "the text does not name a proxy"
        case .unsupportedScheme: "the scheme is not that of a proxy"
        case .invalidHost: "the host is neither a name nor an address"
        case .invalidPort: "the port is not a number from 1 to 65535"
        case .invalidUser: "the user name cannot be sent to such a proxy"
        case .invalidPassword: "the password cannot be sent to such a proxy"
        case .invalidConnectHeaders: "a header field cannot be sent to such a proxy"
        case .invalidAuthorityFile: "authorities can only be set for a proxy with TLS"
        }
    }

    /// The usual cause and the remedy.
    package var explanation: ErrorExplanation {
        switch storage {
        case .invalidText:
            .init(
                1,
                "The text is empty, too long, or has a path, a query or a fragment.",
                "Write the proxy as http://host:port."
            )
        case .unsupportedScheme:
            .init(
                2,
                "The scheme is neither http, https, socks5 nor socks5h.",
                "Use one of these schemes."
            )
        case .invalidHost:
            .init(
                3,
                "The host is missing, or has a character that no name has.",
                "Write the proxy as http://host:port, and an IPv6 address in brackets."
            )
        case .invalidPort:
            .init(
                4,
                "The port is missing its digits, or is too large.",
                "Correct the port."
            )
        case .invalidUser:
            .init(
                5,
                "The name has a colon or a control character, or is too long for SOCKS.",
                "Correct the name; in a URL, percent-encode it."
            )
        case .invalidPassword:
            .init(
                6,
                "The password has a control character, is too long for SOCKS, or has no user name.",
                "Correct the password; in a URL, percent-encode it."
            )
        case .invalidConnectHeaders:
            .init(
                7,
                "The field is not valid, is set by the transport itself, or the proxy does not speak HTTP.",
                "Remove the field."
            )
        case .invalidAuthorityFile:
            .init(
                8,
                "There are authorities to trust, but the connection to the proxy does not use TLS.",
                "Use an https proxy, or remove the authorities."
            )
        }
    }
}
