import Foundation

/// What the user asks for: a pure value, read from the words of the command line.
struct Arguments: Equatable {
    /// What to do.
    enum Action: Equatable {
        /// Shows what it can, against a server of its own.
        case demonstrate
        case help
        case version
        case fetch
    }

    struct Header: Equatable {
        var name: String
        var value: String
    }

    /// A part of the request's body.
    enum Content: Equatable {
        case text(String)
        case file(String)
    }

    /// Whether something is done on a terminal only, or whatever there is.
    enum Choice: String, CaseIterable {
        case auto, always, never
    }

    /// The versions of HTTP to speak.
    enum Version: Equatable {
        case http1, http2, http3, http3Only
    }

    /// The user asks for something that cannot be done.
    struct Mistake: Error, Equatable, CustomStringConvertible {
        let description: String
        var code = ExitCode.usage
    }

    var action = Action.fetch
    /// The URLs; those of WebSockets with `http` or `https`, as everything but the first line of the user has them.
    var urls: [URL] = []
    /// Whether the URL is that of a WebSocket.
    var isWebSocket = false

    // Output
    var outputs: [String] = []
    var savesByName = false
    var usesRemoteHeaderName = false
    var folder: String?
    var replaces = false
    var showsHead = false
    var asksForHeadOnly = false
    var isVerbose = false
    var isSilent = false
    var showsTimings = false
    var colour = Choice.auto
    var format = Choice.auto
    var isRaw = false
    var har: String?
    var printsCurl = false
    var showsSecrets = false
    var fails = false

    // Request
    var method: String?
    var headers: [Header] = []
    var data: [Content] = []
    var json: Content?
    var form: [FormField] = []
    var upload: String?
    var user: String?
    var bearer: SecretSource?
    var userAgent: String?
    /// Cookies to send, as in a `Cookie` field, or files to read them from.
    var cookies: [String] = []
    /// Where the cookies are written at the end.
    var cookieJar: String?

    // Transfer
    var resumes = false
    var compressesFiles = false
    var parallel = 4
    var retries = 0
    var maximumTime: Duration?
    var connectTime: Duration?
    var rate: Int?
    var followsRedirects = true
    var maximumRedirects = 20

    // WebSocket
    var pingInterval: Duration?
    var subprotocols: [String] = []

    // Connection
    var version: Version?
    var proxy: String?
    var noProxy: String?
    var unixSocket: String?
    var authorities: String?
    var certificate: String?
    var key: String?
    var passphrase: SecretSource?
    var isInsecure = false

    /// Reads the command line.
    ///
    /// - Parameter words: Its words, without the program's name.
    /// - Throws: ``Mistake``.
    init(_ words: [String]) throws(Mistake) {
        var reader = ArgumentReader(words)
        guard !reader.isEmpty else {
            action = .demonstrate
            return
        }
        while let word = try reader.next() {
            switch word {
            case .operand(let text): add(try ArgumentValue.url(text))
            case .option(let option, let value): try apply(option, value)
            }
            // What else there is does not matter.
            if action != .fetch { return }
        }
        try check()
    }

    private mutating func add(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), scheme.hasPrefix("ws") else { return urls.append(url) }
        isWebSocket = true
        let rest = url.absoluteString.drop { $0 != ":" }
        urls.append(URL(string: (scheme == "wss" ? "https" : "http") + rest) ?? url)
    }

    private mutating func apply(_ option: Option, _ value: String) throws(Mistake) {
        do {
            try option.apply(&self, value)
        } catch {
            throw error as? Mistake ?? Mistake(description: "--\(option.long): \(error)")
        }
    }

    /// Whether a body is sent.
    var hasBody: Bool { !data.isEmpty || json != nil || !form.isEmpty || upload != nil }

    /// The paths of the files that are sent.
    var inputs: Set<String> {
        let contents = data + (json.map { [$0] } ?? []) + form.map(\.content) + (upload.map { [.file($0)] } ?? [])
        let paths = contents.compactMap { content in
            if case .file(let path) = content { URL(filePath: path).absoluteURL.path } else { nil as String? }
        }
        return Set(paths)
    }

    /// The method of the request.
    var effectiveMethod: String {
        method ?? (asksForHeadOnly ? "HEAD" : upload != nil ? "PUT" : hasBody ? "POST" : "GET")
    }

    /// Refuses what contradicts itself.
    private func check() throws(Mistake) {
        func refuse(_ text: String) -> Mistake { Mistake(description: text) }
        guard !urls.isEmpty else { throw refuse("A URL is missing.") }
        try checkWebSocket()
        let bodies = [!data.isEmpty, json != nil, !form.isEmpty, upload != nil].filter(\.self).count
        guard bodies <= 1 else { throw refuse("Only one of --data, --json, --form and --upload-file can be sent.") }
        guard !asksForHeadOnly || !hasBody else { throw refuse("--head asks for a head only, and sends no body.") }
        guard user == nil || bearer == nil else { throw refuse("Only one of --user and --bearer can be sent.") }
        guard key == nil || certificate != nil else { throw refuse("--key needs the certificate, --cert.") }
        guard passphrase == nil || certificate != nil else { throw refuse("--pass needs a certificate, --cert.") }
        guard outputs.isEmpty || !savesByName else {
            throw refuse("Only one of --output and --remote-name is possible.")
        }
        guard outputs.count <= urls.count else { throw refuse("There are more --output than URLs.") }
        guard outputs.isEmpty || outputs.count == urls.count else {
            throw refuse("There are \(urls.count) URLs and \(outputs.count) --output: name a file for each, or use -O.")
        }
        guard upload != "-" || urls.count == 1 else { throw refuse("Standard input can be sent to one URL only.") }
        let inputs = [upload == "-", json == .file("-")].filter(\.self).count + data.filter { $0 == .file("-") }.count
        guard inputs <= 1 else { throw refuse("Standard input can be read once only.") }
        if usesRemoteHeaderName, !outputs.isEmpty { throw refuse("--remote-header-name needs no --output.") }
        if resumes, outputs.contains("-") || asksForHeadOnly { throw refuse("--resume needs a file: use -o or -O.") }
        if resumes, effectiveMethod != "GET" { throw refuse("Only a download with GET can continue.") }
    }

    /// Refuses what a WebSocket does not have, and what only a WebSocket has.
    private func checkWebSocket() throws(Mistake) {
        func refuse(_ text: String) -> Mistake { Mistake(description: text) }
        guard isWebSocket else {
            guard pingInterval == nil, subprotocols.isEmpty else {
                throw refuse("--ping and --subprotocol need a URL with ws:// or wss://.")
            }
            return
        }
        guard urls.count == 1 else { throw refuse("A WebSocket is the only URL.") }
        guard !hasBody, method == nil, !asksForHeadOnly else {
            throw refuse("A WebSocket takes its messages from standard input, without a method and a body.")
        }
        guard outputs.allSatisfy({ $0 == "-" }), !savesByName, !resumes else {
            throw refuse("The messages of a WebSocket go to standard output: use > FILE.")
        }
        guard rate == nil else { throw refuse("--limit-rate is not for WebSockets.") }
    }
}
