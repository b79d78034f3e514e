import PiuPiuAsync
import SuiteSupport
import TestSupport

extension FuzzTarget {
    // MARK: MultipartFormData

    /// Names, file names, content types and contents in turn.
    static let multipart = FuzzTarget(
        "MultipartFormData",
        seeds: [
            "name\u{1E}file.txt\u{1E}text/plain; a=b\u{1E}content", "a\"b\r\nc\u{1E}\u{1E}\u{1E}\r\n--PiuPiu--\r\n",
            "\u{1E}\u{0}\u{1E}x/y\u{1E}", "übergröße\u{1E}🎈\u{1E}text/plain\r\nX: y\u{1E}\u{1E}b\u{1E}\u{1E}\u{1E}z",
            "%22\u{1E}\\",
        ],
        tokens: ["\u{1E}", "\"", "\r\n", "%22", "%0D%0A", "--", "; filename=\"", "text/plain", "\0", ";", "/"],
        limit: 500
    ) { input, _ in
        let texts = input.texts(9)
        var form = MultipartFormData()
        for index in [0, 4] {
            let (name, fileName, type) = (texts[index], texts[index + 1], texts[index + 2])
            form.append(
                Data(texts[index + 3].utf8),
                name: name,
                fileName: fileName.isEmpty ? nil : fileName,
                contentType: type.isEmpty ? nil : type
            )
        }
        let body: [UInt8]
        do {
            body = Array(try form.encoded())
        } catch let error as TransferError {
            try demand(error.code == .invalidPart, "another error than there may be")
            return
        }
        try demand(try form.contentLength() == Int64(body.count), "the length is another")
        var rest = body[...]
        for index in [0, 4] {
            let name = texts[index]
            let fileName = texts[index + 1].isEmpty ? nil : texts[index + 1]
            let type = texts[index + 2].isEmpty ? fileName.map { _ in "application/octet-stream" } : texts[index + 2]
            rest = try part(
                rest,
                form.boundary,
                escaped(name),
                fileName.map(escaped),
                type,
                Array(texts[index + 3].utf8)
            )
        }
        try demand(rest.elementsEqual("--\(form.boundary)--\r\n".utf8), "the form ends differently")
    }

    private static func escaped(_ name: String) -> [UInt8] {
        name.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case 0x22: Array("%22".utf8)
            case 0x0D: Array("%0D".utf8)
            case 0x0A: Array("%0A".utf8)
            default: [byte]
            }
        }
    }

    /// Takes one part off, and compares it.
    private static func part(
        _ body: ArraySlice<UInt8>,
        _ boundary: String,
        _ name: [UInt8],
        _ fileName: [UInt8]?,
        _ type: String?,
        _ content: [UInt8]
    ) throws -> ArraySlice<UInt8> {
        var lines: [[UInt8]] = []
        var rest = body
        while let end = rest.firstRange(of: [0x0D, 0x0A]) {
            let line = Array(rest[..<end.lowerBound])
            rest = rest[end.upperBound...]
            if line.isEmpty { break }
            lines.append(line)
        }
        try demand(lines.count == (type == nil ? 2 : 3), "a part has more or fewer lines")
        try demand(lines[0].elementsEqual("--\(boundary)".utf8), "a part begins differently")
        let file = fileName.map { Array("; filename=\"".utf8) + $0 + [0x22] } ?? []
        let disposition = Array("Content-Disposition: form-data; name=\"".utf8) + name + [0x22] + file
        try demand(lines[1] == disposition, "the names are others")
        if let type { try demand(lines[2].elementsEqual("Content-Type: \(type)".utf8), "the content type is another") }
        try demand(rest.starts(with: content + [0x0D, 0x0A]), "the content is another")
        return rest.dropFirst(content.count + 2)
    }
}
