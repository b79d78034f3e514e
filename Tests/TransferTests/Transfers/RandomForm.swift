import PiuPiuAsync
import SuiteSupport

/// A form made by chance, and what is in it.
struct RandomForm {
    struct Part {
        var name: String
        var fileName: String?
        var contentType: String?
        var payload: Data

        static func file(_ name: String, _ fileName: String, _ type: String?, _ payload: Data) -> Part {
            Part(name: name, fileName: fileName, contentType: type ?? "application/octet-stream", payload: payload)
        }
    }

    private(set) var form = MultipartFormData()
    private(set) var parts: [Part] = []

    /// Names that are easy to get wrong.
    static let names = [
        "a", "", " a ", "\"", "\"\"a\"\"", "\\", "\\\"", "a\\", "a;b", "a; filename=\"x\"", "a,b", "a=b", "a/b",
        "(a)", "'", "🎈👩‍👩‍👧‍👦", "übergröße", "a\u{308}", "ä", "€", "%", "%22", "%2522", "a%0D%0Ab", "=?utf-8?Q?a?=",
        "UTF-8''a", "\r\n", "\n", "\r", "a\r\n\r\nb", "\t", "\u{B}\u{C}\u{1C}\u{85}\u{2028}", "\u{1}\u{7F}",
        "<a>", "--", "../../a", "C:\\a\\b.txt", String(repeating: "long ", count: 2_000),
    ]

    /// Contents that are easy to get wrong.
    static func payloads(boundary: String) -> [Data] {
        let short = boundary.dropLast()
        return [
            Data(), Data("\r\n".utf8), Data("\r".utf8), Data("\n".utf8), Data("\r\n\r\n\r\r\n\n\r".utf8),
            Data((0...255).map { UInt8($0) }), Data("--\(short)\r\n\r\n--\(short)--\r\n--\r\n----\n--x\r".utf8),
            Data("Content-Disposition: form-data; name=\"x\"\r\n\r\n--\(short)".utf8), Data("--".utf8),
        ]
    }

    /// Creates a form with up to eight parts.
    init(folder: FormFolder, using random: inout some RandomNumberGenerator) throws {
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let payload = Self.payload(boundary: form.boundary, using: &random)
            let name = Self.name(using: &random)
            let type = Bool.random(using: &random) ? "text/x-\(Int.random(in: 0...9, using: &random)); a=\"b c\"" : nil
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let text = String(decoding: payload, as: UTF8.self)
                form.append(text, name: name)
                parts.append(Part(name: name, payload: Data(text.utf8)))
            case 1:
                form.append(payload, name: name, contentType: type)
                parts.append(Part(name: name, contentType: type, payload: payload))
            case 2:
                let fileName = Self.name(using: &random)
                form.append(payload, name: name, fileName: fileName, contentType: type)
                parts.append(.file(name, fileName, type, payload))
            default:
                let file = try folder.file(UUID().uuidString, payload)
                let fileName = Bool.random(using: &random) ? Self.name(using: &random) : nil
                form.append(file: file, name: name, fileName: fileName, contentType: type)
                parts.append(.file(name, fileName ?? file.lastPathComponent, type, payload))
            }
        }
    }

    private static func name(using random: inout some RandomNumberGenerator) -> String {
        (names.randomElement(using: &random) ?? "") + (names.randomElement(using: &random) ?? "")
    }

    private static func payload(boundary: String, using random: inout some RandomNumberGenerator) -> Data {
        if Bool.random(using: &random) { return payloads(boundary: boundary).randomElement(using: &random) ?? Data() }
        let count = Int.random(in: 0..<(1 << Int.random(in: 0...17, using: &random)), using: &random)
        return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }
}
