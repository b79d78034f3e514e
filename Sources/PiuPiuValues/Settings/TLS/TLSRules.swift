/// The checked TLS settings of each origin.
///
/// An origin with its own settings uses only these, but keeps the pins that the transport's settings have for its host: a pin
/// is never lost. Every spelling of a host has the same settings, see ``RequestTarget/certifiedOrigin``.
package struct TLSRules: Sendable {
    /// The settings of origins without their own.
    package let usual: TLSConfiguration
    /// The origins with their own settings.
    package let byOrigin: [String: TLSConfiguration]
    private let pinsByHost: [String: [SPKIPin]]

    /// Checks the settings of a configuration, without reading files.
    ///
    /// - Throws: ``TransportError`` with the code `unsupported` for settings that contradict each other or can have no
    ///   effect.
    package init(_ configuration: TransportConfiguration) throws(TransportError) {
        let usual = configuration.tls
        guard usual.verifiesServer else {
            throw TLSFault.error("Verification can be turned off for single origins only, in tlsByOrigin")
        }
        let file = configuration.certificateAuthorityFile
        if let file, ![.system, .file(file)].contains(usual.authorities) {
            throw TLSFault.error("certificateAuthorityFile and tls.authorities name different authorities")
        }
        try usual.check()
        pinsByHost = try Self.pins(of: usual)
        var byOrigin: [String: TLSConfiguration] = [:]
        for (url, own) in configuration.tlsByOrigin {
            let origin = try Self.origin(of: url)
            guard byOrigin[origin] == nil else { throw TLSFault.error("tlsByOrigin names \(origin) twice") }
            try own.check()
            let host = Self.host(of: origin)
            for name in try Self.pins(of: own).keys where name != host {
                throw TLSFault.error("The settings of \(origin) have pins of another host")
            }
            byOrigin[origin] = own
        }
        self.usual = usual
        self.byOrigin = byOrigin
    }

    /// Whether all origins have the same settings.
    package var isUniform: Bool { byOrigin.isEmpty && pinsByHost.isEmpty }

    /// Returns the origin of a target, in its usual spelling, if its settings differ from those of most origins; `nil`
    /// otherwise.
    package func origin(for target: RequestTarget) -> String? {
        guard target.isSecure, !isUniform else { return nil }
        let origin = target.certifiedOrigin
        return byOrigin[origin] != nil || pinsByHost[Self.host(of: origin)] != nil ? origin : nil
    }

    /// Returns the pins of an origin; empty if it may have any key.
    package func pins(of origin: String) throws(TransportError) -> [SPKIPin] {
        let host = Self.host(of: origin)
        if let own = byOrigin[origin], let pins = try Self.pins(of: own)[host] { return pins }
        return pinsByHost[host] ?? []
    }

    /// Returns the pins of a proxy with TLS; empty if it may have any key.
    package func pins(of proxy: ProxyServer) -> [SPKIPin] {
        pinsByHost[NetworkRefusal.bracketed(proxy.certifiedHost)] ?? []
    }

    private static func origin(of url: URL) throws(TransportError) -> String {
        let target: RequestTarget
        do {
            target = try RequestTarget(url)
        } catch {
            throw TLSFault.error("tlsByOrigin has a key that is not the URL of an origin")
        }
        guard target.isSecure else { throw TLSFault.error("tlsByOrigin has a key that is not https: \(target.origin)") }
        // Settings for a path would apply to the whole origin.
        let rest = target.url.utf8.dropFirst("https://".utf8.count).drop { $0 != 0x2F && $0 != 0x3F }
        guard rest.isEmpty || rest.elementsEqual("/".utf8), target.userInformation == nil, url.fragment == nil else {
            throw TLSFault.error("tlsByOrigin has a key with more than scheme, host and port: \(target.origin)")
        }
        return target.certifiedOrigin
    }

    private static func host(of origin: String) -> String {
        let rest = origin.dropFirst("https://".count)
        return String(rest[..<(rest.lastIndex(of: ":") ?? rest.endIndex)])
    }

    private static func pins(of configuration: TLSConfiguration) throws(TransportError) -> [String: [SPKIPin]] {
        var pins: [String: [SPKIPin]] = [:]
        for (name, keys) in configuration.pins {
            let isBareIPv6 = name.contains(":") && !name.hasPrefix("[")
            // The name must not contain a port.
            guard let url = URL(string: "https://\(isBareIPv6 ? "[\(name)]" : name):1/"),
                let target = try? RequestTarget(url),
                target.url == url.absoluteString, target.origin.hasSuffix(":1"),
                target.url.utf8.filter({ $0 == 0x2F }).count == 3
            else { throw TLSFault.error("Pins are set for something that is not a host name") }
            let host = host(of: target.certifiedOrigin)
            guard pins[host] == nil else { throw TLSFault.error("Pins are set twice for \(host)") }
            guard !keys.isEmpty else { throw TLSFault.error("There is no pin for \(host)") }
            pins[host] = keys
        }
        return pins
    }
}

extension TLSConfiguration {
    /// Checks everything that does not require reading files.
    fileprivate func check() throws(TransportError) {
        if let maximumVersion, maximumVersion < minimumVersion {
            throw TLSFault.error("The maximum TLS version is older than the minimum")
        }
        if cipherSuites != nil, minimumVersion > .tls12 {
            throw TLSFault.error("Cipher suites are set for TLS 1.2, but the version limits exclude it")
        }
        if tls13CipherSuites != nil, maximumVersion == .tls12 {
            throw TLSFault.error("Cipher suites are set for TLS 1.3, but the version limits exclude it")
        }
        try Self.check(cipherSuites, "TLS 1.2")
        try Self.check(tls13CipherSuites, "TLS 1.3")
        guard authorityReloadInterval >= .zero else { throw TLSFault.error("authorityReloadInterval is negative") }
        if !verifiesServer, authorities != .system || revocationLists != nil || requiresStapledStatus {
            throw TLSFault.error("Authorities or revocation lists are set, but verification is turned off")
        }
        if identity?.passphrase?.utf8.contains(0) == true {
            throw TLSFault.error("The passphrase of the client's key contains a NUL")
        }
    }

    private static func check(_ suites: [String]?, _ version: String) throws(TransportError) {
        guard let suites else { return }
        guard !suites.isEmpty else { throw TLSFault.error("The list of cipher suites of \(version) is empty") }
        for name in suites {
            // Allow only letters, digits, hyphens and underscores, which OpenSSL does not treat as operators.
            let isName = name.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
            guard isName, name.utf8.first.map({ $0 != 0x2D }) == true else {
                throw TLSFault.error("A cipher suite of \(version) is not a name")
            }
            let isTLS13 = name.hasPrefix("TLS_")
            guard isTLS13 == (version == "TLS 1.3") else {
                throw TLSFault.error("\(name) is not a cipher suite of \(version) in OpenSSL's spelling")
            }
            let upper = name.uppercased()
            guard !["NULL", "ADH", "AECDH", "ANON", "EXP", "ALL", "COMPLEMENTOFALL"].contains(where: upper.hasPrefix),
                !upper.contains("NULL")
            else { throw TLSFault.error("\(name) does not protect the connection") }
        }
    }
}

/// Errors about TLS settings that cannot be applied.
package enum TLSFault {
    /// Returns an error with a reason, which must not contain keys, passphrases and pins.
    package static func error(_ reason: String) -> TransportError { TransportError(.unsupported, reason: reason) }
}
