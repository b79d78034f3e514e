import PiuPiuAsync

/// Prints what the transport can do on this system, and what to install.
enum Doctor {
    /// Prints the capabilities.
    ///
    /// - Returns: Whether nothing essential is missing.
    static func run() -> Bool {
        #if os(Linux)
        let capabilities = SocketTransport.capabilities
        print("\(capabilities.engine) with \(capabilities.tls ?? "no TLS")\n")
        for (label, value) in rows(capabilities) { row(label, value) }
        showProxies()
        guard !capabilities.missing.isEmpty else {
            print("\nNothing is missing.")
            return true
        }
        print("\nMissing or limited:")
        for advice in capabilities.missing {
            print("")
            Output.text("\(advice.subject)\(advice.isEssential ? " (essential)" : "")")
            Output.text("  \(advice.problem)")
            Output.text("  → \(advice.remedy)")
        }
        print(capabilities.hasEssentials ? "\nNothing essential is missing." : "\nSomething essential is missing.")
        return capabilities.hasEssentials
        #else
        print("Requests go through URLSession, which comes with the system. Nothing is missing.")
        return true
        #endif
    }

    #if os(Linux)
    /// Prints the proxies of the environment, and what in it cannot be understood.
    private static func showProxies() {
        let report = ProxyReport(ProcessInfo.processInfo.environment)
        row("Proxies", report.lines.isEmpty ? "none" : report.lines.joined(separator: ", "))
        guard !report.problems.isEmpty else { return }
        print("\nNot understood in the environment:")
        for problem in report.problems { Output.text(problem) }
    }

    private static func rows(_ capabilities: TransportCapabilities) -> [(String, String)] {
        [
            ("TLS", capabilities.tls ?? "no"),
            ("HTTP/1.1", "yes"),
            ("HTTP/2", words(capabilities.http2)),
            ("HTTP/3", words(capabilities.http3)),
            ("Decompression", words(capabilities.contentCodings)),
            ("IPv6", words(capabilities.supportsIPv6)),
            ("Name lookups", capabilities.nameLookup.description.replacing("name lookups ", with: "")),
            ("Unix sockets", words(capabilities.supportsUnixSockets)),
            ("HTTPS proxies", words(capabilities.supportsHTTPSProxies)),
            ("Alt-Svc", words(capabilities.supportsAlternativeServices)),
            ("TLS inspected", words(capabilities.inspectsTLS)),
            ("Authorities", words(capabilities.authorities)),
        ]
    }

    private static func row(_ label: String, _ value: String) {
        Output.text(label + String(repeating: " ", count: max(1, 16 - label.count)) + value)
    }

    private static func words(_ isThere: Bool) -> String { isThere ? "yes" : "no" }

    private static func words(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }

    private static func words(_ support: TransportCapabilities.Support) -> String {
        switch support {
        case .yes: "yes"
        case .no(let reason): "no: \(reason)"
        }
    }
    #endif
}
