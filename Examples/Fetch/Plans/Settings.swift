import PiuPiuAsync

/// The settings of the dispatcher that the arguments ask for.
enum Settings {
    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - arguments: What the user asks for.
    ///   - environment: The environment, which may have a passphrase.
    /// - Returns: The configuration.
    /// - Throws: ``Arguments/Mistake``.
    static func configuration(
        _ arguments: Arguments,
        environment: [String: String]
    ) throws(Arguments.Mistake) -> URLRequestDispatcher.Configuration {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.options.allowsBodyInGET = arguments.hasBody
        configuration.options.maximumSendRate = arguments.hasBody ? arguments.rate : nil
        configuration.timeouts.total = arguments.maximumTime
        if let time = arguments.connectTime { configuration.timeouts.connect = time }
        configuration.redirects =
            arguments.followsRedirects ? RedirectPolicy(limit: arguments.maximumRedirects) : nil
        configuration.connections.perHost = max(configuration.connections.perHost, arguments.parallel)
        if let userAgent = arguments.userAgent { configuration.transport.userAgent = userAgent }
        apply(arguments.version, to: &configuration.transport)
        configuration.transport.proxy = try proxy(arguments)
        try applyTLS(arguments, environment, to: &configuration.transport)
        if let path = arguments.unixSocket {
            for url in arguments.urls { configuration.transport.routes[url] = .unixSocket(path: path) }
        }
        return configuration
    }

    private static func apply(_ version: Arguments.Version?, to transport: inout TransportConfiguration) {
        switch version {
        case nil: break
        case .http1: transport.http2 = .never
        case .http2: transport.http2 = .always
        case .http3: transport.http3 = .preferred
        case .http3Only: transport.http3 = .required
        }
    }

    private static func proxy(_ arguments: Arguments) throws(Arguments.Mistake) -> TransportConfiguration.Proxy {
        guard let text = arguments.proxy else {
            if arguments.noProxy == "*" { return .none }
            guard arguments.noProxy == nil else {
                throw Arguments.Mistake(
                    description: "--noproxy with a list needs --proxy; '*' alone turns proxies off."
                )
            }
            return .environment
        }
        do {
            return .server(try ProxyServer(text), except: ProxyExclusions(arguments.noProxy ?? ""))
        } catch {
            // The text may have a password, and the error does not quote it.
            throw Arguments.Mistake(description: "--proxy: \(error)", code: .proxyNotResolved)
        }
    }

    private static func applyTLS(
        _ arguments: Arguments,
        _ environment: [String: String],
        to transport: inout TransportConfiguration
    ) throws(Arguments.Mistake) {
        var tls = arguments.isInsecure ? TLSConfiguration.insecurelyWithoutVerification : TLSConfiguration()
        if let path = arguments.authorities {
            try check(path, "--cacert", .authorities)
            try check(path, "--cacert", .authorities) { pem, name throws(TransportError) in
                try TLSFile.checkCertificates(pem, name)
            }
            tls.authorities = .file(URL(filePath: path).absoluteURL)
        }
        if let key = arguments.key { try check(key, "--key", .clientCertificate) }
        if let path = arguments.certificate {
            try check(path, "--cert", .clientCertificate)
            var passphrase: String?
            if let source = arguments.passphrase { passphrase = try source.read("--pass", environment: environment) }
            let file = URL(filePath: path).absoluteURL
            let key = arguments.key.map { URL(filePath: $0).absoluteURL }
            if ["p12", "pfx"].contains(file.pathExtension.lowercased()) {
                tls.identity = .pkcs12(file, passphrase: passphrase)
            } else {
                try check(path, "--cert", .clientCertificate) { pem, name throws(TransportError) in
                    try TLSFile.checkCertificates(pem, name)
                    if arguments.key == nil { try TLSFile.checkKey(pem, name) }
                }
                if let path = arguments.key {
                    try check(path, "--key", .clientCertificate) { pem, name throws(TransportError) in
                        try TLSFile.checkKey(pem, name)
                    }
                }
                tls.identity = .pem(certificates: file, key: key, passphrase: passphrase)
            }
        }
        guard arguments.isInsecure else {
            transport.tls = tls
            return
        }
        // Trust in anyone is for the servers that the user names, not for those that redirects lead to.
        for url in arguments.urls where url.scheme?.lowercased() == "https" {
            var origin = URLComponents()
            (origin.scheme, origin.port) = ("https", url.port)
            origin.encodedHost = url.host(percentEncoded: true)
            if let url = origin.url { transport.tlsByOrigin[url] = tls }
        }
    }

    private static func check(_ path: String, _ option: String, _ code: ExitCode) throws(Arguments.Mistake) {
        guard !FileManager.default.isReadableFile(atPath: path) else { return }
        throw Arguments.Mistake(description: "The file of \(option) cannot be read: \(SafeText.line(path))", code: code)
    }

    /// Refuses a file without what an option needs, with curl's exit status.
    private static func check(
        _ path: String,
        _ option: String,
        _ code: ExitCode,
        _ check: (Data, String) throws(TransportError) -> Void
    ) throws(Arguments.Mistake) {
        do throws(TransportError) {
            let name = "The file of \(option)"
            try check(try TLSFile.read(URL(filePath: path).absoluteURL, name), name)
        } catch {
            throw Arguments.Mistake(description: "\(error.reason): \(SafeText.line(path))", code: code)
        }
    }
}
