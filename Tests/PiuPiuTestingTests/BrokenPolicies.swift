#if os(Linux)
import PiuPiuAsync
import TestSupport

/// Policies, which a transport must not have.
enum BrokenPolicies {
    static let faults: [BrokenTransportTests.Fault] = [
        .init("follows redirects", foundBy: "policies.redirects") {
            let response = try await $1.send($0)
            guard let location = response.head.headers["Location"] else { return response }
            var request = $0
            request.urlRequest.url = URL(string: location)
            return try await $1.send(request)
        },
        .init("tries a failure status again", foundBy: "policies.retries") {
            let response = try await $1.send($0)
            return response.head.statusCode == .serviceUnavailable ? try await $1.send($0) : response
        },
        .init("tries a lost connection again", foundBy: "reuse.deadForPost") {
            do {
                return try await $1.send($0)
            } catch TransportError.Code.connectionLost {
                return try await $1.send($0)
            }
        },
        .init("answers challenges", foundBy: "policies.challenges") {
            let response = try await $1.send($0)
            guard response.head.statusCode == .unauthorized else { return response }
            var request = $0
            request.urlRequest.setValue("Basic YWRhOg==", forHTTPHeaderField: "Authorization")
            return try await $1.send(request)
        },
        .init("keeps cookies", foundBy: "policies.cookies") { configuration in
            let cookie = Locked<String?>(nil)
            return Alteration(of: try SocketTransport(configuration: configuration)) {
                var request = $0
                request.urlRequest.setValue(cookie.withLock { $0 }, forHTTPHeaderField: "Cookie")
                let response = try await $1.send(request)
                cookie.withLock { $0 = response.head.headers["Set-Cookie"] }
                return response
            }
        },
        .init("keeps a cache", foundBy: "policies.cache") { configuration in
            let cache = Locked<TransportResponse?>(nil)
            return Alteration(of: try SocketTransport(configuration: configuration)) {
                if let kept = cache.withLock({ $0 }), kept.head.headers["Cache-Control"] != nil { return kept }
                let response = try await $1.send($0)
                cache.withLock { $0 = response }
                return response
            }
        },
    ]
}
#endif
