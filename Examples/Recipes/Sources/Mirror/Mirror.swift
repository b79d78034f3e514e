import Interruption
import PiuPiuAsync

/// Mirrors the photos of an API into a folder: `Mirror URL FOLDER`, with the token in `API_TOKEN`.
///
/// Ctrl-C keeps what has arrived, and the next run continues there. Without arguments, it mirrors a server of its own on
/// 127.0.0.1, is interrupted, and continues; the exit status is 0 if nothing was fetched twice.
@main
struct Mirror {
    struct Photo: Decodable, Sendable {
        var id: Int
        var path: String
        var size: Int64
    }

    let api: URLRequestDispatcher
    let folder: URL

    init(server: URL, token: String, folder: URL) throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = server
        api = URLRequestDispatcher(
            configuration: configuration,
            interceptors: [RetryPolicy(retries: 4), RateLimit(50)],
            requestAdapters: [try BearerToken(token, origins: [server])]
        )
        self.folder = folder
    }

    /// Lists all pages, downloads what is missing, and returns how many files could not be saved.
    func run() async throws -> Int {
        var files: [DownloadItem] = []
        for try await photo in api.pages(for: try api.request(.get, "/photos"), of: [Photo].self).items {
            let file = folder.appending(path: "\(photo.id).jpg")
            let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize
            guard size.map(Int64.init) != photo.size else { continue }
            // What an interrupted run received is kept, if the server confirms that it is still the same photo.
            let options = DownloadOptions(resume: .ifPossible, expectedSize: photo.size)
            files.append(DownloadItem(try api.request(.get, photo.path), to: file, options: options))
        }
        var failures = 0
        for try await event in api.downloads(of: files, maximumInFlight: 4) {
            switch event {
            case .progress(let progress): show(progress)
            case .saved: break
            case .failed(let error, let index):
                failures += 1
                print("\n\(files[index].destination.lastPathComponent): \(error)")
            case .finished(let progress): show(progress, end: "\n")
            }
        }
        return failures
    }

    private func show(_ progress: DownloadsProgress, end: String = "") {
        let done = Int((progress.fractionCompleted ?? 0) * 30)
        let bar = String(repeating: "#", count: done) + String(repeating: "-", count: 30 - done)
        let megabytes = (Double(progress.bytesReceived) / 1e6).formatted(.number.precision(.fractionLength(1)))
        let text = "\r[\(bar)] \(progress.filesSaved) of \(progress.fileCount) files, \(megabytes) MB" + end
        FileHandle.standardError.write(Data(text.utf8))
    }

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let server = URL(string: arguments[1]) else { return try await demonstrate() }
        let token = ProcessInfo.processInfo.environment["API_TOKEN"] ?? ""
        let mirror = try Mirror(server: server, token: token, folder: URL(filePath: arguments[2]))
        do {
            let failures = try await withInterruption { try await mirror.run() }
            exit(failures == 0 ? 0 : 1)
        } catch is CancellationError {
            exit(130)
        }
    }
}
