import PiuPiuFutures
import PiuPiuTesting

// Uses every name that the second and third columns of the tables in MIGRATION.md have, so that none of them can go
// without being noticed there. RowCodeTests.swift compares them.

private struct Requests {
    let dispatcher: URLRequestDispatcher
    let request: URLRequest
    let url: URL

    func data() async throws -> Response<Data?> {
        try await dispatcher.data(for: request)
    }

    func upload(_ data: Data, with body: RequestBody) async throws -> [Response<Data?>] {
        [
            try await dispatcher.upload(for: request, from: .data(data)).response(),
            try await dispatcher.upload(for: request, from: .file(url)).response(),
            try await dispatcher.upload(for: request, from: body).response(),
        ]
    }

    func download(to url: URL) async throws -> [Response<URL>] {
        let options = DownloadOptions()
        return [
            try await dispatcher.download(for: request, to: url).response(),
            try await dispatcher.download(for: request, to: url, options: options).response(),
        ]
    }

    func progress() async throws -> [Double?] {
        var progress = TransferProgress(direction: .receiving)
        let transfer: Transfer<URL> = dispatcher.download(for: request, to: url)
        for try await event in transfer {
            if case .progress(let newest) = event { progress = newest }
        }
        return [progress.fractionSent, progress.fractionReceived, progress.fractionCompleted]
    }

    func shutdown() async {
        await dispatcher.shutdown()
    }
}

private final class Adapter: URLRequestAdapter, URLResponseAdapter {
    func adapt(urlRequest: URLRequest) async throws -> URLRequest { urlRequest }

    func adapt(urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse { urlResponse }
}

private struct Engines {
    let engine: any HTTPTransport = MockTransport { _ in MockAnswer(.ok) }
    let uploader: any UploadDispatcher
}

private struct Functions<Success: Sendable> {
    let future: ResponseFuture<Success>
    let task: Task<Success, any Error>

    typealias Handler<T> = @Sendable (T) -> Void

    func value() async throws -> Success {
        try await future.fetchResult()
    }

    func wrapped(_ known: Success) async throws -> ResponseFuture<Success> {
        _ = try await withCheckedThrowingContinuation { continuation in continuation.resume(returning: known) }
        return ResponseFuture { try await value() }
    }

    func two(_ isNeeded: Bool) async throws -> [Success] {
        async let first = value()
        async let second = try? value()
        if isNeeded { throw CancellationError() }
        return try await [first] + [second].compactMap { $0 }
    }

    func many() async throws -> [Success] {
        try await withThrowingTaskGroup(of: Success.self) { group in
            for _ in 0..<2 { group.addTask { try await value() } }
            var values: [Success] = []
            for try await value in group { values.append(value) }
            return values
        }
    }

    func outcome() async -> Result<Success, any Error>? {
        defer { task.cancel() }
        do {
            return .success(try await value())
        } catch is CancellationError {
            return nil
        } catch {
            return await task.result
        }
    }
}

private func responses(_ response: Response<Data?>) async throws {
    _ = try response.makeHTTPResponse().validated()
    _ = try response.urlRequest.curlCommand()
    _ = try (response.decode(Int.self), response.decodeString())
    _ = try await response.decodeConcurrently(Int.self, using: JSONDecoder())
    _ = (response.statusCode, response.headers, response.history)
}

private func tasks(_ tasks: [TransferTask]) {
    _ = (tasks.averagePercentReceived, tasks.first?.percentReceived)
}

private func requests(_ url: URL, _ formatter: DateFormatter) -> [URLRequest] {
    var request = URLRequest(url: url, method: HTTPMethod("PROPFIND"))
    request.httpBody = nil
    _ = DateTransform(formatter: formatter)
    _ = (IntAsStringTransform<Int>(), StringAsIntTransform())
    return [request]
}

private func isUnreadable(_ error: any Error) -> Bool {
    if case DecodingError.dataCorrupted = error { true } else { false }
}
