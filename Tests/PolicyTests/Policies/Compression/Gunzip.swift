import PiuPiuAsync
import TestSupport

/// The system's own gzip, which nobody here wrote.
enum Gunzip {
    private static let command = try? Command("gzip")
    static let isInstalled = command != nil

    /// Decompresses bodies.
    ///
    /// - Parameter bodies: The compressed bodies.
    /// - Returns: What they hold.
    /// - Throws: ``UnexpectedSuccess`` never; an error if a body is not a whole gzip file.
    static func contents(of bodies: [Data]) async throws -> [Data?] {
        guard let command else { return [] }
        let folder = try DownloadFolder()
        let names = bodies.indices.map { "body\($0)" }
        for (name, body) in zip(names, bodies) { try folder.write("\(name).gz", body) }
        let status = try await command.exitStatus(["-d"] + names.map { folder["\($0).gz"].path(percentEncoded: false) })
        guard status == 0 else { throw Failure() }
        return names.map { folder.data($0) }
    }

    static func content(of body: Data) async throws -> Data? {
        try await contents(of: [body]).first ?? nil
    }

    struct Failure: Error {}
}

extension Data {
    /// Whether it begins as a gzip file does.
    var isGzip: Bool { starts(with: [0x1F, 0x8B]) }
}
