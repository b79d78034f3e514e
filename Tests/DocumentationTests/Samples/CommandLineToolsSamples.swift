import Dispatch
import PiuPiuAsync

enum Tool {
    static func run(_ arguments: [String]) async -> Int32 {
        guard let url = arguments.first.flatMap(URL.init(string:)) else {
            complain("Usage: save URL")
            return 2
        }
        let dispatcher = URLRequestDispatcher(interceptors: [RetryPolicy()])
        let status: Int32
        do {
            let folder = URL(filePath: FileManager.default.currentDirectoryPath)
            let saved = try await dispatcher.download(for: URLRequest(url: url), into: folder).response()
            print(saved.data.lastPathComponent)
            status = 0
        } catch {
            status = exitCode(of: error)
            complain("\(error)")
        }
        await dispatcher.shutdown()
        return status
    }

    static func complain(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}

func exitCode(of error: any Error) -> Int32 {
    switch error {
    case is CancellationError: 130
    case is UnacceptableResponseError: 22
    case TransferError.Code.unacceptableStatus: 22
    case is TransferError: 23
    case TransportError.Code.cannotResolveHost: 6
    case TransportError.Code.cannotConnect: 7
    case TransportError.Code.tls: 60
    case TransportError.Code.truncatedBody: 18
    case TransportError.Code.timeout: 28
    default: 1
    }
}

func untilInterrupted(_ work: @escaping @Sendable () async -> Int32) async -> Int32 {
    let task = Task { await work() }
    let cancel: @Sendable () -> Void = { task.cancel() }
    let sources = [SIGINT, SIGTERM].map { number in
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: cancel)
        source.activate()
        #if canImport(Darwin)
        signal(number, SIG_IGN)
        #endif
        return source
    }
    let status = await task.value
    for source in sources { source.cancel() }
    return status
}

/// The samples of the article on tools for the command line.
struct CommandLineToolsSamples {
    private func main(_ arguments: [String]) async {
        let status = await untilInterrupted { await Tool.run(arguments) }
        exit(status)
    }

    private func bar(_ dispatcher: URLRequestDispatcher, _ request: URLRequest, file: URL) async throws {
        for try await event in dispatcher.download(for: request, to: file).progress(every: .milliseconds(200)) {
            switch event {
            case .progress(let progress):
                guard isatty(2) == 1 else { continue }
                let percent = progress.fractionCompleted.map { "\(Int($0 * 100)) %" }
                let text = percent ?? "\(progress.bytesReceived) bytes"
                FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
            case .finished(let response):
                FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
                print(response.data.path)
            }
        }
    }
}
