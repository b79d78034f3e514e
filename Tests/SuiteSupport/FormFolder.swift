import PiuPiuAsync
import Testing

@testable import PiuPiuCore

/// A folder with files for the parts of forms, which is removed with what is in it when it is released.
package final class FormFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "piupiu-form-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Writes a file.
    package func file(_ name: String, _ data: Data) throws -> URL {
        let file = url.appending(path: name)
        try data.write(to: file)
        return file
    }

    /// Makes a file of any length that takes no space on the disk.
    package func sparseFile(_ name: String, length: Int64) throws -> URL {
        let file = try OpenFile.creating(url.appending(path: name))
        try file.truncate(to: length)
        return file.url
    }
}

extension MultipartFormData {
    /// The text of a form whose boundary is `b`.
    package static func text(_ append: (inout MultipartFormData) throws -> Void) throws -> String {
        var form = MultipartFormData(boundary: "b")
        try append(&form)
        return String(decoding: try form.encoded(), as: UTF8.self)
    }
}

extension TransferError.Code {
    /// The code of the error that an action throws.
    package static func thrown(_ action: () throws -> some Any) -> TransferError.Code? {
        do {
            let result = try action()
            Issue.record("\(result) instead of an error")
            return nil
        } catch {
            return (error as? TransferError)?.code
        }
    }
}
