import Foundation
import TestSupport
import Testing

@testable import Fetch

struct PlaceTests {
    private let folder: DownloadFolder

    init() throws { folder = try DownloadFolder() }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder[name].path, withDestinationPath: target)
    }

    private func place(_ name: String) throws -> Place { try Place.of(folder[name].path) }

    @Test func linksLeadToWhatIsThere() throws {
        try folder.write("d/file", Data())
        try folder.write("e/other", Data())
        try link("d/up", to: "../e/other")
        try link("a", to: "d/up")
        try link("b", to: folder["d/file"].path)
        try link("f", to: "d")
        try link("none", to: "d/none")
        // What `..` means depends on where the link leads.
        try link("g", to: "f/../e/other")
        for name in ["a", "d/up", "f/up"] {
            guard case .file(let path) = try place(name) else { throw CancellationError() }
            #expect(Place.canonical(path) == Place.canonical(folder["e/other"].path), "\(name)")
        }
        #expect(try place("b") == .file(path: folder["d/file"].path))
        #expect(try place("f") == .folder && place("d") == .folder)
        #expect(try place("none") == .file(path: folder["d/none"].path))
        #expect(try place("missing/x") == .file(path: folder["missing/x"].path))
        #expect(Place.exists(folder["none"].path) && !Place.exists(folder["d/none"].path))
    }

    @Test func aCircleIsRefused() throws {
        try link("x", to: "y")
        try link("y", to: "./x")
        #expect(throws: FetchError.self) { try place("x") }
    }

    @Test func whatIsNoFileIsAChannel() throws {
        try #require(mkfifo(folder["pipe"].path, 0o600) == 0)
        try link("p", to: "pipe")
        try link("null", to: "/dev/null")
        #expect(try place("p") == .channel(.path(folder["pipe"].path)))
        #expect(try place("null") == .channel(.path("/dev/null")))
        #expect(try Place.of("/dev/null") == .channel(.path("/dev/null")))
        #expect(try Place.of("/dev/stdout") == .channel(.descriptor(1)))
        #expect(try Place.of("/dev/fd/7") == .channel(.descriptor(7)))
        try link("out", to: "/dev/stderr")
        #expect(try place("out") == .channel(.descriptor(2)))
    }

    @Test func aFileHasOneSpelling() throws {
        try folder.write("d/x", Data())
        try link("e", to: "d")
        let x = Place.canonical(folder["d/x"].path)
        for name in ["e/x", "d/./x", "d/../e/x", "d//x"] { #expect(Place.canonical(folder.url.path + "/" + name) == x) }
        let new = Place.canonical(folder["new/deep/x"].path)
        #expect(Place.canonical(folder.url.path + "/e/../new/./deep/x") == new && new != x)
        #expect(Place.canonical("/") == "/" || Place.canonical("/") == "//")
        #expect(Place.canonical("name").hasSuffix("/name"))
    }
}

struct ClaimsTests {
    @Test func aFileBelongsToOneJob() {
        var claims = Claims()
        func claim(_ file: String, _ job: Int) -> Bool { claims.claim(file, for: job) }
        #expect([claim("/a", 1), claim("/a", 1), claim("/a", 2)] == [true, true, false])
        #expect(claims.isTaken("/a", by: 2) && !claims.isTaken("/a", by: 1) && !claims.isTaken("/b", by: 1))
        claims.release("/a", of: 2)
        #expect(!claim("/a", 2))
        claims.release("/a", of: 1)
        #expect(claim("/a", 2))
    }
}
