import Foundation
import PiuPiuAsync

/// Takes `multipart/form-data` apart with Python's `email` package, which knows nothing of PiuPiu.
///
/// If Python is missing, ``shared`` is `nil` and says why on standard error.
public struct MultipartParser: Sendable {
    /// The parser; `nil` if Python is missing.
    public static let shared: MultipartParser? = {
        do {
            let python = try Command("python3")
            try python.run(
                "-I",
                "-c",
                "import base64, email.parser, hashlib, json, re, sys; assert sys.version_info >= (3, 8)"
            )
            return MultipartParser(python: python)
        } catch {
            FileHandle.standardError.write(Data("Forms are not parsed by Python: \(error)\n".utf8))
            return nil
        }
    }()

    /// A part as it was found.
    public struct Part: Decodable, Sendable {
        /// The name, still with what it was escaped with.
        public var name: String
        /// The name of a file, still with what it was escaped with; `nil` if there is none.
        public var fileName: String?
        /// The value of `Content-Type`; `nil` if there is none.
        public var contentType: String?
        /// How many bytes the content has.
        public var length: Int
        /// The SHA-256 of the content, in lower-case hexadecimal digits.
        public var sha256: String
        /// The content, unless it is longer than 1 MiB.
        public var payload: Data?
        /// How many header fields there are.
        public var headerCount: Int
    }

    private let python: Command

    /// Takes a body apart.
    ///
    /// - Parameters:
    ///   - body: The file with the body.
    ///   - contentType: The value of the header field `Content-Type` it came with.
    /// - Returns: The parts, in order.
    /// - Throws: ``Command/Failure`` if the parser does not accept the body.
    public func parts(of body: URL, contentType: String) async throws -> [Part] {
        let name = "piupiu-parts-\(UUID().uuidString).json"
        let output = FileManager.default.temporaryDirectory.appending(path: name)
        defer { try? FileManager.default.removeItem(at: output) }
        // Waiting for a program must not keep a thread from the tests that run meanwhile.
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            DispatchQueue.global().async {
                let result = Result { try python.run("-I", "-c", Self.script, body.path, contentType, output.path) }
                continuation.resume(with: result)
            }
        }
        return try JSONDecoder().decode([Part].self, from: Data(contentsOf: output))
    }

    // `email` finds the parts and their header fields. Reading Content-Disposition is left to us, because `email` takes a
    // backslash in a name for an escape, which the WHATWG does not. Bytes that are not ASCII are surrogates in there.
    private static let script = #"""
        import base64, email.parser, email.policy, hashlib, json, re, sys

        source, content_type, target = sys.argv[1:]
        parser = email.parser.BytesFeedParser(policy=email.policy.compat32)
        parser.feed(b"Content-Type: " + content_type.encode("ascii") + b"\r\n\r\n")
        with open(source, "rb") as file:
            while chunk := file.read(1 << 16):
                parser.feed(chunk)
        form = parser.close()
        assert form.get_content_type() == "multipart/form-data", form.get_content_type()

        def text(header):
            return header.encode("ascii", "surrogateescape").decode("utf-8")

        parts = []
        if form.is_multipart():
            assert not form.defects, form.defects
            assert not form.preamble and not form.epilogue, "text around the form"
            for part in form.get_payload():
                assert not part.defects, part.defects
                assert not part.is_multipart(), "a form in the form"
                headers = {name.lower(): text(value) for name, value in part.raw_items()}
                pattern = r'form-data; name="([^"]*)"(?:; filename="([^"]*)")?'
                disposition = re.fullmatch(pattern, headers["content-disposition"])
                payload = part.get_payload(decode=True)
                parts.append({
                    "name": disposition[1],
                    "fileName": disposition[2],
                    "contentType": headers.get("content-type"),
                    "length": len(payload),
                    "sha256": hashlib.sha256(payload).hexdigest(),
                    "payload": base64.b64encode(payload).decode() if len(payload) <= 1 << 20 else None,
                    "headerCount": len(list(part.raw_items())),
                })
        else:
            # A form without parts is its end alone, which email does not take for a multipart.
            with open(source, "rb") as file:
                assert file.read() == f"--{form.get_param('boundary')}--\r\n".encode(), "no form"
        with open(target, "w") as file:
            json.dump(parts, file)
        """#
}
