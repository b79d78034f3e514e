#if os(Linux)
import PiuPiuAsync
import TestSupport

/// Faults in what comes back.
enum BrokenResponses {
    static let faults: [BrokenTransportTests.Fault] = [
        .init("drops the last byte", foundBy: "bodies.bytes", "bodies.large", "framing.chunks") {
            var response = try await $1.send($0)
            response.body = response.body?.dropLast()
            return response
        },
        .init("drops the last byte of streams", foundBy: "streams.bytes", "streams.pieces") {
            var response = try await $1.send($0)
            response.stream = response.stream.map { stream in
                let isRead = Locked(false)
                return ResponseBody(
                    expectedLength: stream.expectedLength,
                    next: {
                        let wasRead = isRead.withLock { isRead in
                            defer { isRead = true }
                            return isRead
                        }
                        return wasRead ? nil : try await stream.collect(upTo: .max).dropLast()
                    }
                )
            }
            return response
        },
        .init("gives empty data for no body", foundBy: "bodies.empty", "withoutBody.noContent") {
            var response = try await $1.send($0)
            response.body = response.body ?? Data()
            return response
        },
        .init("takes a short body for a whole one", foundBy: "faults.closedInsideTheBody", "faults.lastChunkMissing") {
            do {
                return try await $1.send($0)
            } catch let error as TransportError where error.code == .truncatedBody {
                guard let head = error.response else { throw error }
                return TransportResponse(head: head, body: Data("abc".utf8), urlRequest: $0.urlRequest)
            }
        },
        .init("takes every error for a lost connection", foundBy: "framing.differentLengths", "faults.refused") {
            do {
                return try await $1.send($0)
            } catch var error as TransportError {
                error.code = .connectionLost
                throw error
            }
        },
        .init("joins lines of one name", foundBy: "heads.lines") {
            var response = try await $1.send($0)
            let head = response.head
            var headers = HTTPHeaderFields()
            for name in Set(head.headers.map { $0.name.lowercased() }) {
                headers.append(name: name, value: head.headers.values(for: name).joined(separator: ", "))
            }
            response.head = ResponseHead(url: head.url, statusCode: head.statusCode, headers: headers)
            return response
        },
        .init("throws for a failure status", foundBy: "heads.status", "policies.retries") {
            let response = try await $1.send($0)
            if let error = response.head.statusCode.httpError { throw error }
            return response
        },
        .init("shows secrets in errors", foundBy: "faults.noSecrets") {
            do {
                return try await $1.send($0)
            } catch var error as TransportError {
                error.request = $0.urlRequest
                throw error
            }
        },
        .init("tells no progress", foundBy: "progress.upload", "progress.download", "progress.unknownLength") {
            var request = $0
            request.reporter = nil
            return try await $1.send(request)
        },
        .init("tells progress at the end", foundBy: "progress.download") {
            var request = $0
            request.reporter = nil
            let response = try await $1.send(request)
            $0.reporter?.didReceive(Int64(response.body?.count ?? 0))
            return response
        },
    ]
}
#endif
