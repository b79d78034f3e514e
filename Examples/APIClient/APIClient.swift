import PiuPiuAsync
import PiuPiuRecording

/// Uses a client for a paginated, token-protected API, against a server of its own on 127.0.0.1.
///
/// The server refuses an expired token, is overloaded once, and sends its lists in pages. The client (`Blog.swift`) copes
/// with all of it. With `--har FILE`, the server is as slow as one that is far away, and the file shows what the client did
/// when: open it in the network panel of a browser. The exit status is 0 if everything was as it must be.
@main
struct APIClient {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let file = arguments.first == "--har" ? arguments.dropFirst().first.map { URL(filePath: $0) } : nil
        let recorder = HARRecorder()
        let service = try Service(latency: file == nil ? .zero : .milliseconds(40))
        let blog = try Blog(server: service.url, clientID: "reader", secret: "s3cret", observers: [recorder])

        var posts: [Blog.Post] = []
        for try await post in try blog.posts(about: "birds & bees") {
            print("post \(post.id): \(post.title)")
            posts.append(post)
        }
        let published = try await blog.publish(Blog.Draft(title: "Nests"))
        print("published as \(published.id)")

        let folder = URL.temporaryDirectory.appending(path: "APIClient-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for try await event in try blog.covers(of: posts, in: folder) {
            switch event {
            case .progress(let progress): print("\(progress.filesFinished) covers")
            case .saved(let response, _): print("saved \(response.data.lastPathComponent)")
            case .failed(let error, let index): print("cover \(index) failed: \(error)")
            case .finished(let progress): print("\(progress.bytesReceived) bytes in all")
            }
        }

        print("the server saw:", service.summary)
        if let file { try await recorder.save(to: file) }
        let saved = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let isRight = posts.map(\.id) == Array(1...6) && published.id == 7 && saved.count == 3 && service.isContent
        if !isRight { exit(1) }
    }
}
