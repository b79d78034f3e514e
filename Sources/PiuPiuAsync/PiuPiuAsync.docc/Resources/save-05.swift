import Dispatch
import PiuPiuAsync

@main
struct Save {
    static func main() async {
        guard let url = CommandLine.arguments.dropFirst().first.flatMap(URL.init(string:)) else {
            print("Usage: save URL")
            exit(2)
        }
        let task = Task { try await save(url) }
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        let cancel: @Sendable () -> Void = { task.cancel() }
        source.setEventHandler(handler: cancel)
        source.activate()
        #if canImport(Darwin)
        signal(SIGINT, SIG_IGN)
        #endif
        let status: Int32
        switch await task.result {
        case .success: status = 0
        case .failure(let error): status = report(error)
        }
        source.cancel()
        exit(status)
    }

    private static func save(_ url: URL) async throws {
        let dispatcher = URLRequestDispatcher(interceptors: [RetryPolicy()])
        let folder = URL(filePath: FileManager.default.currentDirectoryPath)
        let file = folder.appending(path: url.lastPathComponent)
        var options = DownloadOptions()
        options.resume = .ifPossible
        for try await event in dispatcher.download(for: URLRequest(url: url), to: file, options: options) {
            switch event {
            case .progress(let progress): show(progress)
            case .finished(let response): show("\(response.data.lastPathComponent)\n")
            }
        }
        await dispatcher.shutdown()
    }

    /// Says what went wrong, and returns the exit code.
    private static func report(_ error: any Error) -> Int32 {
        guard !(error is CancellationError) else {
            show("Stopped. The same command continues.\n")
            return 130
        }
        show("\(error)\n")
        return error is TransferError ? 23 : 1
    }

    private static func show(_ progress: TransferProgress) {
        let percent = progress.fractionCompleted.map { "\(Int($0 * 100)) %" }
        show(percent ?? "\(progress.bytesReceived) bytes")
    }

    /// Replaces the line on the terminal.
    private static func show(_ text: String) {
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }
}
