import PiuPiuAsync

/// One URL to fetch.
struct Job: Sendable {
    /// The job that the current task works for; `nil` outside of all jobs.
    @TaskLocal static var current: Int?
    /// What the current task reports the progress of a request to.
    @TaskLocal static var reporter: TransferReporter?

    let index: Int
    let request: URLRequest
    let destination: Destination

    /// The URL as it is shown.
    var location: String { request.url?.shown ?? "" }

    /// What the transfer is called beside its bar.
    var name: String {
        switch destination {
        case .file(let file): Self.lastPart(of: file.path)
        case .channel(_, let path): Self.lastPart(of: path)
        case .standardOutput: location
        }
    }

    private static func lastPart(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// Gives each request the body of the command line, and the reporter of its task.
struct BodyInterceptor: Interceptor {
    let body: RequestBody?

    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        var request = request
        request.body = body
        if request.reporter == nil { request.reporter = Job.reporter }
        return try await next(request)
    }
}

/// Prints a request as a curl command, in place of sending it.
struct CurlPrinter: Interceptor {
    /// Nothing was sent, as was asked for.
    struct Printed: Error {}

    let showsSecrets: Bool
    let userAgent: String?

    /// Inside of everything that adds to a request.
    var interceptsEachHop: Bool { true }

    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        let command = try await request.curlCommand(showingSecrets: showsSecrets, userAgent: userAgent)
        Output.result(command)
        throw Printed()
    }
}
