import PiuPiuAsync
import TestSupport

/// A check of a running server.
struct Check {
    private let title: String
    private let server: CheckedServer.Running
    private let dispatcher: URLRequestDispatcher

    init(_ title: String, _ server: CheckedServer.Running) {
        self.title = title
        self.server = server
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.certificateAuthorityFile = server.authority
        dispatcher = URLRequestDispatcher(configuration: configuration)
    }

    /// Sends POSTs, 50 at a time.
    ///
    /// - Returns: Whether none was lost, and the log agrees.
    func run(posts count: Int) async throws -> Bool {
        let faults = await withTaskGroup(of: [String].self) { group in
            for worker in 0..<50 {
                group.addTask {
                    var faults: [String] = []
                    for index in stride(from: worker, to: count, by: 50) {
                        let path = "/post/\(index)"
                        var request = URLRequest(url: server.url(path), method: .post)
                        request.httpBody = Data("body".utf8)
                        faults += await fault(request, path)
                    }
                    return faults
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        return await report(count, faults, method: "POST")
    }

    /// Sends GETs for large heads, all at once.
    ///
    /// - Returns: Whether none was lost, and the log agrees.
    func run(gets count: Int, size: Int) async throws -> Bool {
        let faults = await withTaskGroup(of: [String].self) { group in
            for index in 0..<count {
                let path = "/head\(size)/\(index)?head=\(size * 1000)"
                group.addTask { await fault(URLRequest(url: server.url(path)), path) }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        return await report(count, faults, method: "GET")
    }

    private func fault(_ request: URLRequest, _ path: String) async -> [String] {
        do {
            let response = try await dispatcher.data(for: request)
            return response.data == Data(path.utf8) ? [] : ["\(path): another's answer"]
        } catch {
            return ["\(path): \(error)"]
        }
    }

    private func report(_ count: Int, _ faults: [String], method: String) async -> Bool {
        await dispatcher.shutdown()
        let log = await server.finish()
        let different = Set(log.map(\.target)).count
        let others = log.count { $0.method != method || $0.status != 200 || $0.version != "HTTP/2.0" }
        let connections = Set(log.map(\.connection)).count
        print(
            "\(title): \(faults.count) lost; the server answered \(log.count), \(different) of them different,",
            "\(others) in another way, over \(connections) connections"
        )
        for fault in faults.prefix(3) { print("    \(fault)") }
        return faults.isEmpty && log.count == count && different == count && others == 0
    }
}
