extension AuthenticationError.Code {
    package var words: ErrorWords {
        switch storage {
        case .invalidToken:
            .init(
                "The token is empty, or has a character that is not visible ASCII",
                "The token was read from a file or a variable with a newline at its end, or the variable is not set.",
                "Remove spaces and newlines, and check where the token comes from."
            )
        case .invalidUserName:
            .init(
                "The user name has a colon or a control character",
                "Name and password were passed as one text, or read with a newline.",
                "Pass the name without a colon, and the password in its own argument."
            )
        case .invalidPassword:
            .init(
                "The password has a control character",
                "The password was read from a file or a variable with a newline at its end.",
                "Remove the newline."
            )
        case .invalidOrigin:
            .init(
                "The origin is not an http or https URL with a host",
                "The URL has no scheme, as in example.com, or no host.",
                "Write the origin as https://example.com."
            )
        case .refreshTimedOut:
            .init(
                "The refresh of the credential took too long",
                "The token endpoint is slow or not reachable, or the closure that refreshes waits for itself.",
                "Send the refresh with a dispatcher of its own, or allow it more time.",
                setting: "AuthenticationPolicy.init(refreshTimeLimit:)"
            )
        case .refreshCancelled:
            .init(
                "The refresh of the credential was cancelled",
                "The closure that refreshes threw CancellationError, for instance because its dispatcher was shut down.",
                "Keep the dispatcher of the refresh alive while the policy is in use."
            )
        case .credentialRemoved:
            .init(
                "The credential was removed",
                "The user logged out while the request was under way.",
                "Nothing, or ask the user to log in again."
            )
        case .insecureTokenURL:
            .init(
                "The token endpoint's URL is not https",
                "The client's secret would be sent unencrypted.",
                "Use the https URL of the endpoint."
            )
        case .tokenRefused:
            .init(
                "The token endpoint refused the request",
                "The client's ID, its secret or the scope is wrong, or the client was blocked.",
                "AuthenticationError.serverError has the endpoint's code, such as invalid_client. Check the credentials."
            )
        case .invalidTokenResponse:
            .init(
                "The token endpoint's response is not a bearer token",
                "The URL is not that of a token endpoint, or a proxy answered with a page of its own.",
                "Check the URL, and look at its response with curl."
            )
        }
    }
}
