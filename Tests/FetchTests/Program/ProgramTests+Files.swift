#if os(Linux)
import Foundation
import PiuPiuTesting
import TestSupport
import Testing

/// Where Fetch writes: through links and into pipes, and never over what it must not replace.
extension ProgramTests {
    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder[name].path, withDestinationPath: target)
    }

    private func isLink(_ name: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: folder[name].path)) != nil
    }

    private func propose(_ path: String, _ name: String, _ body: String) {
        let field = "attachment; filename=\"\(name)\""
        server.route(path, .response(status: 200, headers: ["Content-Disposition": field], body: body))
    }

    // MARK: What a server names

    @Test(arguments: [["-J", "--force"], ["-J"], ["-J", "--force", "--resume"]])
    func aFolderIsNotReplaced(_ options: [String]) async throws {
        try folder.write("Documents/thesis", Data("years".utf8))
        propose("/x", "Documents", "new")
        let run = try await Program.fetch.run(options + [url("/x")], in: folder)
        #expect(run.status == 23 && run.errors.contains("What arrived is in x"), "\(run.errors)")
        #expect(folder.data("Documents/thesis") == Data("years".utf8))
        #expect(folder.data("x") == Data("new".utf8))
    }

    @Test func whatIsNoFileIsNotReplacedByAProposedName() async throws {
        try folder.write("target", Data("mine".utf8))
        try folder.write("inner/kept", Data("mine".utf8))
        try link("link", to: "target")
        try link("folder", to: "inner")
        try link("dangling", to: "nothing")
        try #require(mkfifo(folder["pipe"].path, 0o600) == 0)
        for name in ["link", "folder", "dangling", "pipe"] {
            propose("/\(name)-1", name, "new")
            let run = try await fetch("-J", "--force", "--output-dir", ".", url("/\(name)-1"))
            #expect(run.status == 23 && run.errors.contains("What arrived is in ./\(name)-1"), "\(name): \(run.errors)")
            #expect(folder.data("\(name)-1") == Data("new".utf8))
        }
        #expect(folder.data("target") == Data("mine".utf8) && folder.data("inner/kept") == Data("mine".utf8))
        #expect(isLink("link") && isLink("folder") && isLink("dangling"))
        #expect(!FileManager.default.fileExists(atPath: folder["nothing"].path))
    }

    @Test(arguments: [["-J", "--force"], ["-J"], ["-J", "--force", "--parallel", "1"]])
    func twoFilesOfOneNameAreBothKept(_ options: [String]) async throws {
        propose("/1", "same", "first")
        propose("/2", "same", "second")
        let run = try await Program.fetch.run(options + [url("/1"), url("/2")], in: folder)
        #expect(run.status == 23 && run.errors.contains("1 of 2 files saved"), "\(run.errors)")
        let contents = folder.listing.compactMap { folder.data($0) }
        #expect(Set(contents) == [Data("first".utf8), Data("second".utf8)] && folder.listing.contains("same"))
    }

    @Test func aNameThatAnotherURLSavesToIsNotTaken() async throws {
        propose("/1", "json", "first")
        server.route("/json", .hold("later"), .json("2"))
        let words = ["-m", "300", "-J", "--force", url("/1"), url("/json")]
        async let run = Program.fetch.run(words, in: folder)
        #expect(await server.waitUntilHeld("later"))
        while !folder.listing.contains("1") { await Task.yield() }
        server.release("later")
        let result = try await run
        #expect(result.status == 23, "\(result.errors)")
        #expect(folder.data("json") == Data("2".utf8) && folder.data("1") == Data("first".utf8))
    }

    @Test func whatThisRunSavedIsNotReplacedUnderAnotherSpelling() async throws {
        try folder.write("d/x", Data("old".utf8))
        try link("e", to: "d")
        let links = try await fetch("-o", "d/x", "-o", "e/x", "--parallel", "1", url("/json"), url("/big.bin"))
        #expect(links.status == 2 && folder.data("d/x") == Data("old".utf8), "\(links.errors)")
        try link("y", to: "d/z")
        let names = try await fetch("-o", "d/z", "-o", "y", "--parallel", "1", url("/json"), url("/big.bin"))
        #expect(names.status == 2 && folder.data("d/z") == nil, "\(names.errors)")
        let log = try await fetch("-o", "d/log", "--har", "e/log", url("/json"))
        #expect(log.status == 2 && folder.data("d/log") == nil, "\(log.errors)")
        #expect(server.requests(for: "/json").isEmpty)
    }

    @Test func aProposedNameReplacesAFileThatMayBeReplaced() async throws {
        try folder.write("report", Data("old".utf8))
        propose("/x", "report", "new")
        #expect(try await fetch("-J", "--force", url("/x")).status == 0)
        #expect(folder.data("report") == Data("new".utf8) && folder.listing == ["report"])
    }

    @Test func aFileWithTheNameOfTheURLStaysIfTheServerNamesAnother() async throws {
        try folder.write("x", Data("mine".utf8))
        propose("/x", "report", "new")
        #expect(try await fetch("-J", "--force", url("/x")).status == 0)
        #expect(folder.data("x") == Data("mine".utf8) && folder.data("report") == Data("new".utf8))
        try folder.write("json", Data("mine".utf8))
        #expect(try await fetch("-J", "--force", url("/json")).status == 0)
        #expect(folder.data("json") == Data(#"{"a":[1,"x"]}"#.utf8) && folder.listing == ["json", "report", "x"])
    }

    // MARK: What is no file

    @Test(arguments: [["-o", "json"], ["-O", "--force"], ["-o", "json", "--resume"]])
    func aLinkIsWrittenThrough(_ options: [String]) async throws {
        try folder.write("there/target", Data("old".utf8))
        try link("there/inner", to: "target")
        try link("json", to: "there/inner")
        let run = try await Program.fetch.run(options + [url("/json")], in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(folder.data("there/target") == Data(#"{"a":[1,"x"]}"#.utf8))
        #expect(isLink("json") && isLink("there/inner"))
        #expect(folder.listing == ["json", "there", "there/inner", "there/target"])
    }

    @Test func aLinkToNothingCreatesWhatItLeadsTo() async throws {
        try folder.write("there/other", Data())
        try link("link", to: "there/new")
        #expect(try await fetch("-o", "link", url("/json")).status == 0)
        #expect(isLink("link") && folder.data("there/new") == Data(#"{"a":[1,"x"]}"#.utf8))
        try link("json", to: "there/second")
        // Without --force, a name that is there is not used.
        #expect(try await fetch("-O", url("/json")).status == 23)
        #expect(!FileManager.default.fileExists(atPath: folder["there/second"].path))
    }

    @Test(.timeLimit(.generous)) func aCircleOfLinksIsAFailure() async throws {
        try link("a", to: "b")
        try link("b", to: "a")
        let run = try await fetch("-o", "a", url("/json"))
        #expect(run.status == 23 && isLink("a") && isLink("b"), "\(run.errors)")
    }

    @Test(.timeLimit(.generous), arguments: ["pipe", "link"])
    func aPipeIsWrittenTo(_ name: String) async throws {
        try #require(mkfifo(folder["pipe"].path, 0o600) == 0)
        try link("link", to: "pipe")
        let script = #"cat pipe >got & "$0" "$@"; code=$?; wait; exit $code"#
        let words = ["-m", "300", "-o", name, url("/big.bin")]
        let run = try await Program(path: "sh").run(["-c", script, Program.fetch.path] + words, in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(folder.data("got")?.count == 200_000 && isLink("link"))
        var status = stat()
        #expect(lstat(folder["pipe"].path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    @Test(.timeLimit(.generous)) func aPipeThatNobodyReadsIsWaitedForUntilAnInterruption() async throws {
        try #require(mkfifo(folder["pipe"].path, 0o600) == 0)
        let files = try DownloadFolder()
        async let run = Program.fetch.run(["-o", "pipe", "-m", "300", url("/json")], in: folder, files: files)
        while server.requests(for: "/json").isEmpty { await Task.yield() }
        let number = try #require(files.data("pid").flatMap { Int32(String(decoding: $0.dropLast(), as: UTF8.self)) })
        kill(number, SIGINT)
        #expect(try await run.status == 130)
    }

    @Test func aDeviceIsWrittenTo() async throws {
        try link("null", to: "/dev/null")
        let run = try await fetch("-o", "null", "-o", "null", url("/json"), url("/big.bin"))
        #expect(run.status == 0 && run.errors.contains("2 of 2 files saved"), "\(run.errors)")
        let failure = try await fetch("-o", "null", url("/missing"))
        #expect(failure.status == 22 && isLink("null"), "\(failure.errors)")
        #expect(try await fetch("-o", "null", "--resume", url("/json")).status == 2)
        let full = try await fetch("-o", "/dev/full", url("/json"))
        #expect(full.status == 23, "\(full.errors)")
    }

    @Test func aDescriptorIsWrittenTo() async throws {
        try link("out", to: "/proc/self/fd/1")
        let run = try await fetch("-o", "out", url("/json"))
        #expect(run.status == 0 && run.text == #"{"a":[1,"x"]}"# && isLink("out"), "\(run.errors)")
        for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
            let run = try await fetch("-o", name, url("/json"))
            #expect(run.status == 0 && run.text == #"{"a":[1,"x"]}"#, "\(name): \(run.errors)")
        }
        let script = #"echo before; "$0" "$@"; echo after"#
        let words = ["-s", "-o", "/dev/stdout", url("/json")]
        let between = try await Program(path: "sh").run(["-c", script, Program.fetch.path] + words, in: folder)
        #expect(between.text == "before\n" + #"{"a":[1,"x"]}"# + "after\n")
    }

    @Test func aRecordingIsWrittenThroughLinksAndIntoPipes() async throws {
        try folder.write("target", Data("old".utf8))
        try link("log", to: "target")
        #expect(try await fetch("--har", "log", url("/json")).status == 0)
        #expect(isLink("log") && folder.data("target")?.first == UInt8(ascii: "{"))
        try link("null", to: "/dev/null")
        #expect(try await fetch("--har", "null", url("/json")).status == 0 && isLink("null"))
        try link("errors", to: "/proc/self/fd/2")
        let run = try await fetch("--har", "errors", url("/json"))
        #expect(run.status == 0 && run.errors.contains("\"entries\"") && isLink("errors"))
        try #require(mkfifo(folder["pipe"].path, 0o600) == 0)
        let script = #"cat pipe >got & "$0" "$@"; code=$?; wait; exit $code"#
        let words = ["-m", "300", "--har", "pipe", url("/json")]
        #expect(try await Program(path: "sh").run(["-c", script, Program.fetch.path] + words, in: folder).status == 0)
        #expect(folder.data("got")?.first == UInt8(ascii: "{"))
    }
}
#endif
