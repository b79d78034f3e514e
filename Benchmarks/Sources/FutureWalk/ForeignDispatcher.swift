import PiuPiuFutures

/// A dispatcher of another library, which futures hold while it works.
final class ForeignDispatcher: AnyDispatcher {
    private let gate: Gate
    private let fails: Bool
    private let token: Token

    init(on stage: Stage) {
        gate = stage.gate
        fails = stage.fails
        token = stage.token()
        stage.keep(self)
    }

    func data(for request: URLRequest) async throws -> Response<Data?> {
        try await pass()
        return try .answer("\(Stage.value)", to: request)
    }

    func upload(for request: URLRequest, from body: RequestBody) -> Transfer<Data?> {
        Transfer(.sending, bytesToSend: { 4 }) { [self] reporter in
            reporter?.willSend(4)
            try await pass()
            reporter?.didSend(4)
            return try .answer("\(Stage.value)", to: request)
        }
    }

    func download(for request: URLRequest, to destination: URL, options: DownloadOptions) -> Transfer<URL> {
        Transfer(.receiving) { [self] reporter in
            try await pass()
            reporter?.didReceive(1)
            try FileManager.default.createDirectory(
                at: destination.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data("\(Stage.value)".utf8).write(to: destination, options: .atomic)
            return Response(response: try Response.answer("", to: request), data: destination)
        }
    }

    private func pass() async throws {
        try await gate.wait()
        if fails { throw WalkError() }
    }
}
