#if os(Linux)
import CurlShim
import PiuPiuAsync

/// A libcurl option that every connection of a profile needs.
///
/// Options are set once for each handle. If libcurl refuses one, the handle sends nothing: its exchanges fail with
/// `TransportError.Code.unsupported` and the option's ``name``.
struct CurlOption: Hashable, Sendable {
    enum Value: Hashable, Sendable {
        case long(Int)
        case offset(Int64)
        case text(String)
        /// Bytes that libcurl copies (`struct curl_blob`).
        case bytes([UInt8])
        /// A list of lines (`struct curl_slist`).
        case lines([String])
        /// No value, so that libcurl uses its default.
        case nothing
    }

    /// The number of the option.
    let code: UInt32
    let value: Value
    /// The user-facing name, for the error if libcurl refuses the option; never a part of the value.
    let name: String

    /// Creates an option; its name completes "cannot apply", such as `the minimum TLS version`.
    init(_ option: PPOption, _ value: Value, _ name: String) {
        code = option.rawValue
        self.value = value
        self.name = name
    }
}

extension CurlOption: Redacted {
    /// The name without the value, which can be a secret.
    package var shown: KeyValuePairs<String, Any> { ["name": name] }
}

extension CurlHandle {
    /// Sets an option, and returns whether libcurl accepted it.
    func apply(_ option: CurlOption) -> Bool {
        let code = PPOption(rawValue: option.code)
        switch option.value {
        case .long(let value): return set(code, value)
        case .offset(let value): return pp_easy_set_offset(easy, code, value) == 0
        case .nothing: return clear(code)
        case .text(let text):
            // libcurl would cut the text off.
            guard !text.utf8.contains(0) else { return false }
            return set(code, text)
        case .bytes(let bytes):
            return bytes.withUnsafeBytes { buffer in
                guard let start = buffer.baseAddress else { return false }
                return pp_easy_set_blob(easy, code, start, buffer.count) == 0
            }
        case .lines(let lines):
            guard !lines.contains(where: { $0.utf8.contains(0) }) else { return false }
            var list = CurlFieldList()
            defer { lists.append(list) }
            guard let first = list.write(lines.flatMap { Array($0.utf8) + [0] }) else { return clear(code) }
            return set(code, first)
        }
    }
}
#endif
