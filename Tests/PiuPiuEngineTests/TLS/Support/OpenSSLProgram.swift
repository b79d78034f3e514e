#if os(Linux)
import Foundation

/// The program `openssl`.
enum OpenSSLProgram {
    /// An error of a run.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The path; `nil` if the program is not installed.
    static let path: String? = {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/openssl" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// Runs it to its end.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - folder: Where it runs.
    /// - Throws: ``Failure`` with what it says.
    static func run(_ arguments: [String], in folder: URL) throws {
        let process = try process(arguments, in: folder)
        let output = Pipe()
        process.standardError = output
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "openssl \(arguments): \(text)") }
    }

    /// Prepares a run.
    static func process(_ arguments: [String], in folder: URL) throws -> Process {
        guard let path else { throw Failure(description: "openssl is not installed") }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        // The tests may use an older OpenSSL than the program.
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "LD_LIBRARY_PATH" }
        return process
    }
}
#endif
