import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

struct PartNamesTests {
    private static let names = [
        "file.txt", "a", ".hidden", "with space", "no-extension.", "a.tar.gz", "100%", "a#b?c", "a;b:c", "50%25", "~",
        "\\", "über", "u\u{308}ber", "日本語.zip", "👩‍👩‍👧‍👦.png", "\u{202E}gpj.exe", "new\nline", "-rf", "*", "\"a\"",
        "...", ".part",
        String(repeating: "a", count: 200), String(repeating: "a", count: 201), String(repeating: "a", count: 255),
        String(repeating: "é", count: 127), String(repeating: "語", count: 85),
        String(repeating: "👩‍👩‍👧‍👦", count: 10), String(repeating: "u\u{308}", count: 80),
    ]

    private static func destination(_ name: String) -> URL {
        URL(filePath: "/tmp/folder").appending(path: name, directoryHint: .notDirectory)
    }

    @Test(arguments: names)
    func namesFitBesideTheDestination(_ name: String) {
        let destination = Self.destination(name)
        let names = PartNames.resumable(destination)
        let unique = PartNames.unique(destination)
        #expect(unique.record == nil)
        for url in [names.part, names.record ?? destination, unique.part] {
            let path = url.path(percentEncoded: false)
            #expect(path.hasPrefix("/tmp/folder/."))
            #expect(url.lastPathComponent.utf8.count <= 255)
            #expect(!url.lastPathComponent.contains("/"))
            #expect(path.split(separator: "/").count == 3)
        }
        #expect(names.part.lastPathComponent.hasSuffix(".part"))
        #expect(names.record?.lastPathComponent == names.part.lastPathComponent + ".json")
        #expect(unique.part.lastPathComponent.hasSuffix(".part"))
    }

    @Test(arguments: names.filter { $0.utf8.count <= 200 })
    func shortNamesAreKept(_ name: String) {
        #expect(PartNames.resumable(Self.destination(name)).part.lastPathComponent == ".\(name).part")
    }

    @Test(arguments: names)
    func theNextDownloadFindsTheSameName(_ name: String) {
        let (first, second) = (PartNames.resumable(Self.destination(name)), PartNames.resumable(Self.destination(name)))
        #expect(first.part == second.part)
        #expect(first.record == second.record)
    }

    @Test func otherDestinationsHaveOtherNames() {
        let parts = Self.names.map { Array(PartNames.resumable(Self.destination($0)).part.path.utf8) }
        #expect(Set(parts).count == Self.names.count)
        let long = String(repeating: "a", count: 230)
        let twins = ["1", "2"].map { PartNames.resumable(Self.destination(long + $0)).part }
        #expect(twins[0] != twins[1])
    }

    @Test func namesThatAreUsedByNobodyElseDiffer() {
        let destination = Self.destination("file.txt")
        #expect(Set((0..<100).map { _ in PartNames.unique(destination).part }).count == 100)
        #expect(PartNames.unique(destination).part != PartNames.resumable(destination).part)
    }

    @Test(arguments: names)
    func filesWithTheseNamesCanBeMade(_ name: String) throws {
        let folder = try FormFolder()
        let names = PartNames.resumable(folder.url.appending(path: name, directoryHint: .notDirectory))
        let record = try #require(names.record)
        for url in [names.part, record] { try OpenFile.creating(url).write(Data("x".utf8), at: 0) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 2)
        try OpenFile.move(names.part, to: folder.url.appending(path: name, directoryHint: .notDirectory))
        OpenFile.remove(record)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).map { Array($0.utf8) }
                == [Array(name.utf8)]
        )
    }

    // FNV-1a, whose values are published; other ones would lose what earlier versions left.
    @Test(arguments: [
        ("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8"),
        ("GET https://example.com/file", "9b9037ebfacca8d2"), ("ü", "ac20a07b71807ea"),
    ])
    func hashesStayTheSame(_ pair: (String, String)) {
        #expect(StableHash.text(of: pair.0) == pair.1)
    }
}
