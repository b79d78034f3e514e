import PiuPiuAsync
import PiuPiuRecording
import TestSupport
import Testing

/// The version stands in one place of the sources; the documents that name it say the same.
struct VersionTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    @Test(arguments: ["README.md", "CHANGELOG.md", "SECURITY.md"])
    func documentsNameTheVersion(path: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        #expect(text.contains(PiuPiuVersion.current))
    }

    @Test func whatIsSentAndWrittenNamesTheVersion() throws {
        let print = Printed()
        print("PiuPiu", PiuPiuVersion.current)

        let parts = PiuPiuVersion.current.split(separator: ".")
        #expect(parts.count == 3)
        #expect(TransportConfiguration().userAgent == "PiuPiu/\(parts[0]).\(parts[1])")
        #expect(print.lines == ["PiuPiu \(PiuPiuVersion.current)"])
        let har = String(decoding: try JSONEncoder().encode(HAR(entries: [])), as: UTF8.self)
        #expect(har.contains(#""version":"\#(PiuPiuVersion.current)""#))
    }
}
