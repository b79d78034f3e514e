import PiuPiuAsync

/// What the body of the requests is made of: a pure value.
enum BodyPlan: Equatable {
    case none
    case data(Data)
    case file(String)
    case form([FormField])
    case standardInput

    /// Decides what to send.
    ///
    /// - Parameters:
    ///   - arguments: What the user asks for.
    ///   - read: Reads a file of which a part of the body is made; `-` is standard input.
    /// - Throws: The errors of `read`.
    init(_ arguments: Arguments, read: (String) throws -> Data) throws {
        let parts = arguments.json.map { [$0] } ?? arguments.data
        if let upload = arguments.upload {
            self = upload == "-" ? .standardInput : .file(upload)
        } else if !arguments.form.isEmpty {
            self = .form(arguments.form)
        } else if case .file(let path)? = parts.first, parts.count == 1 {
            // It is read while it is sent.
            self = path == "-" ? .standardInput : .file(path)
        } else if parts.isEmpty {
            self = .none
        } else {
            let pieces = try parts.map { part in
                switch part {
                case .text(let text): Data(text.utf8)
                case .file(let path): try read(path)
                }
            }
            self = .data(Data(pieces.joined(separator: Data("&".utf8))))
        }
    }

    /// The `Content-Type` of requests without one of the user's; `nil` for none.
    static func contentType(for arguments: Arguments) -> String? {
        if arguments.json != nil { return "application/json" }
        return arguments.data.isEmpty ? nil : "application/x-www-form-urlencoded"
    }

    /// The body to send; `nil` for none.
    func makeBody() -> RequestBody? {
        switch self {
        case .none: nil
        case .data(let data): .data(data)
        case .file(let path): .file(Self.url(path))
        case .standardInput: .stream(StandardInput())
        case .form(let fields): .multipart(Self.form(fields))
        }
    }

    private static func form(_ fields: [FormField]) -> MultipartFormData {
        var form = MultipartFormData()
        for field in fields {
            switch field.content {
            case .text(let text): form.append(text, name: field.name)
            case .file(let path):
                form.append(file: url(path), name: field.name, fileName: field.fileName, contentType: field.type)
            }
        }
        return form
    }

    private static func url(_ path: String) -> URL { URL(filePath: path, directoryHint: .notDirectory).absoluteURL }
}
