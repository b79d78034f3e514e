/// The words in the names of secrets, and in names that only look like them.
package enum SecretWords {
    /// The names of header fields that prove or show who someone is.
    ///
    /// This is the one list for the cache key, coalescing, redirects, descriptions, errors and recordings.
    static let credentials = NameSet(
        withPlurals(proofNames + ["user", "user_id", "username", "webauth_user", "identity", "login"]),
        whole: [],
        attributes: credentialAttributes
    )

    /// The credentials that prove who someone is, and don't only show it.
    static let proofs = NameSet(withPlurals(proofNames), whole: [], attributes: credentialAttributes)

    private static let proofNames =
        usualNames + [
            "auth", "authentication", "cookie", "cookies", "oauth", "session", "sid", "dpop", "client_cert", "key",
        ]

    /// The names that common services use for tokens, passwords and keys.
    package static let usualNames = [
        "access_token", "refresh_token", "id_token", "auth_token", "session_token", "csrf_token", "csrf", "xsrf_token",
        "security_token",
        "xsrf", "csrfmiddlewaretoken", "token", "jwt", "bearer", "assertion", "client_assertion", "password", "passwd",
        "pwd", "passphrase", "passcode", "pin", "old_password", "new_password", "current_password", "confirm_password",
        "password_confirmation", "user_password", "login_password", "secret", "client_secret", "api_secret", "api_key",
        "access_key", "secret_key", "private_key", "auth_key", "application_key", "subscription_key", "master_key",
        "account_key", "shared_key", "encryption_key", "signing_key", "session_id", "jsessionid", "phpsessid",
        "authorization", "auth_code", "credential", "credentials", "otp", "totp", "mfa_code", "verification_code",
    ]

    /// Names of which a header field may have the number, such as `X-Tokens`.
    private static let counted: Set<String> = ["token", "pin", "user", "key", "session", "login"]

    private static func withPlurals(_ names: [String]) -> [String] {
        names + names.filter { !counted.contains($0) }.map { $0 + "s" }
    }

    /// Last words of header field names that only describe a credential; other last words, as in `X-Auth-Id`, may not.
    private static let credentialAttributes = PhraseTable([
        "agent", "count", "expires", "expiry", "limit", "remaining", "reset", "type",
    ])

    /// Words that count only if they are the whole name, because other names contain them, too: `country_code`.
    static let ambiguous: Set<String> = [
        "code", "data", "id", "key", "name", "pass", "sig", "state", "type", "user", "value",
    ]

    /// Terms that end with the word of a secret, but mean something else.
    static let harmless = PhraseTable([
        // Names of stored items and of their places.
        "cachekey", "contentkey", "deduplicationkey", "foreignkey", "groupkey", "hashkey", "idempotencykey", "itemkey",
        "lookupkey", "messagekey", "objectkey", "orderingkey", "partitionkey", "primarykey", "publickey", "rangekey",
        "routingkey", "shardkey", "sortkey", "surrogatekey", "websocketkey",
        // Positions in a list.
        "cancellationtoken", "continuationtoken", "nextpagetoken", "nextsynctoken", "nexttoken", "pagetoken",
        "paginationtoken", "resumetoken", "starttoken", "synctoken",
        // Tokens of a language model.
        "bostoken", "clstoken", "eostoken", "masktoken", "padtoken", "septoken", "unktoken",
        // Texts of a form, and fields that every browser sends.
        "allowcredentials", "fetchuser", "forgotpassword", "forgottenpassword", "hidepassword", "showpassword",
    ])

    /// Last words of names that only describe a secret: `token_type`, `password_changed_at`.
    static let attributes = PhraseTable([
        "age", "agent", "alg", "algorithm", "algorithms", "arn", "at", "audience", "budget", "changed", "count",
        "counts",
        "created", "date", "dates", "description", "disabled", "enabled", "endpoint", "endpoints", "error", "errors",
        "exists", "expiration", "expired", "expires", "expiry", "field", "fields", "file", "flow", "format", "formats",
        "header", "headers", "help", "id", "ids", "in", "invalid", "issuer", "kind", "label", "labels", "length",
        "lifetime", "limit", "limits", "max", "maximum", "message", "method", "methods", "min", "minimum", "missing",
        "mode", "modified", "name", "names", "on", "page", "param", "parameter", "parameters", "params", "path",
        "pattern", "pins", "placeholder", "policies", "policy", "present", "prompt", "provider", "ref", "regex",
        "remaining", "required", "reset", "rules", "scheme", "schemes", "scope", "scopes", "seconds", "size", "status",
        "strength", "supported", "time", "times", "timestamp", "title", "ttl", "type", "types", "updated", "uri",
        "uris",
        "url", "urls", "usage", "used", "valid", "version", "versions", "window",
    ])
}
