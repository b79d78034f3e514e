/// A request as a command line for the program `curl`.
///
/// It shows the request that the transport would send.
struct CurlCommand {
    /// The largest head, in bytes: Linux passes at most 128 KiB in one argument, and all systems 256 KiB in total.
    static let maximumHead = 96 * 1024

    private let lines: [String]

    /// The command, on several lines that continue each other.
    var text: String { lines.joined(separator: " \\\n  ") }

    /// Writes a request; without a redaction, the command shows all secrets, queries and bodies.
    ///
    /// Throws ``TransportError`` with the code `unsupported` if a command line has no room for the head, or `curl` cannot send
    /// the body.
    init(_ request: PreparedRequest, hiding redaction: Redaction?) throws {
        guard request.fields.lines.count + request.target.url.utf8.count <= Self.maximumHead else {
            let reason = "a command line has no room for a head of more than \(Self.maximumHead) bytes"
            throw Self.refusal(of: request, reason)
        }
        guard !request.sendsTrailers else { throw Self.refusal(of: request, "the command curl cannot send trailers") }
        let content = CurlCommandContent(request.kind, isHidden: redaction != nil)
        // The first option must be -q: the user's configuration file would change the request. Without the next two options,
        // curl expands brackets and braces, and removes segments such as "..".
        var lines = [content.source + "curl -q --globoff --path-as-is"]
        if let method = Self.methodOption(of: request) { lines.append(method) }
        lines.append("--url " + ShellWord.quoted(Self.url(of: request, hiding: redaction)))
        lines += Self.fieldOptions(of: request, hiding: redaction)
        self.lines = lines + content.options
    }

    private static func refusal(of request: PreparedRequest, _ reason: String) -> TransportError {
        TransportError(
            .unsupported,
            reason: "\(TransportError.Code.unsupported.text): \(reason)",
            request: request.request.urlRequest,
            sensitiveHeaders: request.options.sensitiveHeaders
        )
    }

    /// The option for the method; `nil` if curl uses it anyway.
    private static func methodOption(of request: PreparedRequest) -> String? {
        switch (request.method, request.kind) {
        case (_, .head): "--head"
        case ("GET", .withoutContent), ("POST", .withContent), ("POST", .withStream): nil
        default: "--request " + ShellWord.quoted(request.method)
        }
    }

    private static func url(of request: PreparedRequest, hiding redaction: Redaction?) -> String {
        guard let redaction else { return request.target.url }
        let location = redaction.location(of: request.request.urlRequest.url)
        return request.target.url.utf8.contains(UInt8(ascii: "?")) ? "\(location)?\(Redaction.placeholder)" : location
    }

    private static func fieldOptions(of request: PreparedRequest, hiding redaction: Redaction?) -> [String] {
        var fields = fields(request.fields)
        // By default, curl labels any content as a form and waits a second for a 100 response before a long body.
        switch request.kind {
        case .withoutContent, .head: break
        case .withContent, .withStream:
            fields += ["Content-Type", "Expect"].filter { !isName($0, in: fields) }.map { $0 + ":" }
        }
        #if os(Linux)
        let codings = request.delivery == .streamed ? ContentCoding.smallSupported : ContentCoding.allSupported
        if request.decodesContent, !codings.isEmpty { fields.append("Accept-Encoding: \(codings)") }
        #endif
        // By default the program sends its name, which libcurl does not.
        if !isName("User-Agent", in: fields) { fields.append("User-Agent:") }
        if request.kind.length == nil { fields.append("Transfer-Encoding: chunked") }
        // The order in a dictionary differs each time.
        fields.sort { ($0.lowercased(), $0) < ($1.lowercased(), $1) }
        func options(_ option: String, _ fields: [String]) -> [String] {
            fields.map { "\(option) \(ShellWord.quoted(text(of: $0, hiding: redaction)))" }
        }
        // The field lists the accepted codings; the option makes curl decode them.
        return (request.decodesContent ? ["--compressed"] : []) + options("--header", fields)
            + options("--proxy-header", self.fields(request.proxyFields))
    }

    /// Returns fields in curl's notation: "Name: value", "Name;" for an empty value, "Name:" for no field at all.
    private static func fields(_ list: FieldList) -> [String] {
        list.text.map { $0.utf8.firstIndex(of: UInt8(ascii: ":")) == $0.utf8.indices.last ? "\($0.dropLast());" : $0 }
    }

    private static func isName(_ name: String, in fields: [String]) -> Bool {
        fields.contains { self.name(of: $0).isEqualIgnoringASCIICase(to: name) }
    }

    /// The name of a field in curl's notation.
    private static func name(of field: String) -> String {
        String(decoding: field.utf8.prefix(while: \.isTokenCharacter), as: UTF8.self)
    }

    private static func text(of field: String, hiding redaction: Redaction?) -> String {
        let name = name(of: field)
        let rest = field.utf8.dropFirst(name.utf8.count)
        guard let redaction, rest.count > 2 else { return field }
        let value = String(decoding: rest.dropFirst(2), as: UTF8.self)
        // The shell's quotes handle characters that could not be printed.
        return "\(name): \(redaction.description(of: HTTPHeaderField(name: name, value: value)))"
    }
}
