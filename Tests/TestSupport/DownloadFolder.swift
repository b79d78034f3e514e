import PiuPiuAsync

/// A folder to download to, which is removed with all that is in it when it is released.
package final class DownloadFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "piupiu-download-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The place of a file, whether there is one or not.
    package subscript(_ path: String) -> URL { url.appending(path: path, directoryHint: .notDirectory) }

    /// Everything in the folder and the folders in it, hidden files too.
    package var listing: [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? []).sorted()
    }

    /// Writes a file.
    @discardableResult
    package func write(_ path: String, _ data: Data) throws -> URL {
        try FileManager.default.createDirectory(
            at: self[path].deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try data.write(to: self[path])
        return self[path]
    }

    /// Reads a file; returns `nil` if there is none.
    package func data(_ path: String) -> Data? {
        // `Data(contentsOf:)` leaks memory for an empty file.
        guard let file = try? FileHandle(forReadingFrom: self[path]) else { return nil }
        return (try? file.readToEnd()) ?? Data()
    }

    /// How many descriptors of this process lead to files in the folder; 0 if the system does not tell.
    package var openDescriptors: Int {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let links = all.map { "/proc/self/fd/\($0)" }
        let targets = links.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: $0) }
        return targets.count { $0.hasPrefix(url.resolvingSymlinksInPath().path) }
    }
}
