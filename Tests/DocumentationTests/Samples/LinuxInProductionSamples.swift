import PiuPiuAsync

/// The samples of the article on Linux in production.
struct LinuxInProductionSamples {
    private func capabilities() throws {
        let capabilities = SocketTransport.capabilities
        print(capabilities)
        guard capabilities.hasEssentials else {
            let missing = capabilities.missing.map { "\($0)" }.joined(separator: "; ")
            throw TransportError(.libraryUnavailable, reason: missing)
        }
    }

    private func authorities(_ file: URL) -> URLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.tls.authorities = .system(adding: file)
        let dispatcher = URLRequestDispatcher(configuration: configuration)
        return dispatcher
    }

    private func withoutProxy() -> URLRequestDispatcher.Configuration {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.proxy = .none
        return configuration
    }

    private func network() -> URLRequestDispatcher.Configuration {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.network.keepAlive = TCPKeepAlive(idle: .seconds(30), interval: .seconds(10))
        configuration.transport.network.maximumIdleTime = .seconds(50)
        return configuration
    }
}
