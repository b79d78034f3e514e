extension ProxyServerError.Code {
    package var words: ErrorWords {
        switch storage {
        case .invalidText:
            .init(
                "the text does not name a proxy",
                "The text is empty, too long, or has a path, a query or a fragment.",
                "Write the proxy as http://host:port."
            )
        case .unsupportedScheme:
            .init(
                "the scheme is not that of a proxy",
                "The scheme is neither http, https, socks5 nor socks5h.",
                "Use one of these schemes."
            )
        case .invalidHost:
            .init(
                "the host is neither a name nor an address",
                "The host is missing, or has a character that no name has.",
                "Write the proxy as http://host:port, and an IPv6 address in brackets."
            )
        case .invalidPort:
            .init(
                "the port is not a number from 1 to 65535",
                "The port is missing its digits, or is too large.",
                "Correct the port."
            )
        case .invalidUser:
            .init(
                "the user name cannot be sent to such a proxy",
                "The name has a colon or a control character, or is too long for SOCKS.",
                "Correct the name; in a URL, percent-encode it."
            )
        case .invalidPassword:
            .init(
                "the password cannot be sent to such a proxy",
                "The password has a control character, is too long for SOCKS, or has no user name.",
                "Correct the password; in a URL, percent-encode it."
            )
        case .invalidConnectHeaders:
            .init(
                "a header field cannot be sent to such a proxy",
                "The field is not valid, is set by the transport itself, or the proxy does not speak HTTP.",
                "Remove the field."
            )
        case .invalidAuthorityFile:
            .init(
                "authorities can only be set for a proxy with TLS",
                "There are authorities to trust, but the connection to the proxy does not use TLS.",
                "Use an https proxy, or remove the authorities."
            )
        }
    }
}
