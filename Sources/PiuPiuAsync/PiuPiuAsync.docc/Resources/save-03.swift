import PiuPiuAsync

@main
struct Save {
    static func main() async throws {
        guard let url = CommandLine.arguments.dropFirst().first.flatMap(URL.init(string:)) else {
            print("Usage: save URL")
            return
        }
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

    private static func show(_ progress: TransferProgress) {
        let percent = progress.fractionCompleted.map { "\(Int($0 * 100)) %" }
        show(percent ?? "\(progress.bytesReceived) bytes")
    }

    /// Replaces the line on the terminal.
    private static func show(_ text: String) {
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }
}
