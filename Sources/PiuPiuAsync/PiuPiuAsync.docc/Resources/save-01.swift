import PiuPiuAsync

@main
struct Save {
    static func main() async throws {
        guard let url = CommandLine.arguments.dropFirst().first.flatMap(URL.init(string:)) else {
            print("Usage: save URL")
            return
        }
        let dispatcher = URLRequestDispatcher()
        let folder = URL(filePath: FileManager.default.currentDirectoryPath)
        let file = folder.appending(path: url.lastPathComponent)
        let saved = try await dispatcher.download(for: URLRequest(url: url), to: file).response()
        print(saved.data.lastPathComponent)
        await dispatcher.shutdown()
    }
}
