import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

struct SHA256MessageDigestTests {
    /// The vectors of NIST for FIPS 180-4, and one that fills many blocks.
    private static let vectors: [(text: String, digest: String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ]

    /// The one of the system, the one of our own, and whichever is used.
    private static var functions: [SHA256MessageDigest] {
        let system = SHA256MessageDigest.platformFunction().map { SHA256MessageDigest($0) }
        return [SHA256MessageDigest(), SHA256MessageDigest(PortableSHA256())] + [system].compactMap(\.self)
    }

    private static func text(_ digest: Data) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func digest(_ data: Data, by function: SHA256MessageDigest, pieces: Int) -> String {
        var function = function
        for start in stride(from: 0, to: data.count, by: pieces) {
            data[start..<min(data.count, start + pieces)].withUnsafeBytes { function.update(bytes: $0) }
            // Pieces that are empty say nothing.
            function.update(bytes: UnsafeRawBufferPointer(start: nil, count: 0))
        }
        return text(function.digest())
    }

    @Test(arguments: [1 << 20, 4096, 65, 64, 63])
    func knownVectorsAreMetInAnyPieces(_ size: Int) {
        for function in Self.functions {
            for (vector, expected) in Self.vectors {
                #expect(Self.digest(Data(vector.utf8), by: function, pieces: size) == expected)
            }
        }
    }

    @Test func allLengthsAroundABlockAgree() {
        let data = Data.random(200, seed: 1)
        for count in 0...200 {
            let digests = Self.functions.map { Self.digest(data.prefix(count), by: $0, pieces: 1 + count % 7) }
            #expect(Set(digests).count == 1, "\(count) bytes")
        }
    }

    @Test func aCopyGoesItsOwnWay() {
        for function in Self.functions {
            var one = function
            Data("ab".utf8).withUnsafeBytes { one.update(bytes: $0) }
            var other = one
            Data("c".utf8).withUnsafeBytes { one.update(bytes: $0) }
            Data("x".utf8).withUnsafeBytes { other.update(bytes: $0) }
            #expect(Self.text(one.digest()) == Self.vectors[1].digest)
            #expect(Self.text(other.digest()) == Self.digest(Data("abx".utf8), by: function, pieces: 1))
        }
    }

    @Test(.enabled(if: (try? Command("sha256sum")) != nil, "sha256sum is not installed"))
    func theSystemsProgramAgrees() throws {
        let folder = try FormFolder()
        let data = Data.random(1_000_003, seed: 2)
        let file = try folder.file("file", data)
        let line = Self.digest(data, by: SHA256MessageDigest(), pieces: 100_000) + "  \(file.path)\n"
        let list = try folder.file("list", Data(line.utf8))
        try Command("sha256sum").run("--status", "--check", list.path)
    }

    @Test func digitsInEitherCaseAreRead() throws {
        let digits = Self.vectors[1].digest
        for text in [digits, digits.uppercased()] {
            #expect(Self.text(try DownloadOptions.DigestCheck.sha256(text).expected) == digits)
        }
    }

    @Test(arguments: [
        "", "ba78", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
        String(repeating: "g", count: 64), String(repeating: "0", count: 64) + "  file",
        String(repeating: "\u{FF41}", count: 64), String(repeating: "0", count: 62) + "é",
    ])
    func anythingElseIsRefused(_ text: String) {
        let error = #expect(throws: TransferError.self) { try DownloadOptions.DigestCheck.sha256(text) }
        #expect(error?.code == .digestMismatch)
        #expect(error?.description.contains("64 hexadecimal digits") == true)
    }
}
