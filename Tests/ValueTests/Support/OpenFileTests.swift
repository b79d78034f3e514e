import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

struct OpenFileTests {
    private let folder: FormFolder

    init() throws {
        folder = try FormFolder()
    }

    private func url(_ path: String) -> URL { folder.url.appending(path: path, directoryHint: .notDirectory) }

    private func text(_ url: URL) throws -> String { String(decoding: try Data(contentsOf: url), as: UTF8.self) }

    private func link(_ path: String, to target: String) throws -> URL {
        try FileManager.default.createSymbolicLink(atPath: url(path).path, withDestinationPath: target)
        return url(path)
    }

    private func pipe(_ path: String) throws -> URL {
        try #require(mkfifo(url(path).path, 0o600) == 0)
        return url(path)
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    // MARK: Locking

    /// As a child process has one for a moment.
    @Test func aCopyOfTheDescriptorDoesNotKeepTheLock() throws {
        let url = url("file")
        var file: OpenFile? = try OpenFile.continuing(url)
        let copy = dup(try #require(file).descriptor)
        defer { close(copy) }
        #expect(TransferError.Code.thrown { try OpenFile.continuing(url) } == .fileInUse)
        file = nil
        _ = try OpenFile.continuing(url)
    }

    // MARK: Reading

    @Test func bytesAreReadFromAnyPlace() throws {
        let (file, length) = try OpenFile.reading(folder.file("file", Data("0123456789".utf8)))
        #expect(length == 10)
        #expect(try file.read(at: 0, count: 10) == Data("0123456789".utf8))
        #expect(try file.read(at: 3, count: 4) == Data("3456".utf8))
        #expect(try file.read(at: 8, count: 4) == Data("89".utf8))
        for (offset, count) in [(10, 1), (1_000, 5), (1 << 40, 1), (0, 0), (0, -1)] as [(Int64, Int)] {
            #expect(try file.read(at: offset, count: count).isEmpty)
        }
        #expect(try file.read(at: 8, count: 4).startIndex == 0)
        #expect(TransferError.Code.thrown { try file.read(at: -1, count: 1) } == .fileFailed)
    }

    @Test func aFileThatIsOpenGoesOnWithoutItsName() throws {
        let url = try folder.file("file", Data("abc".utf8))
        let (file, _) = try OpenFile.reading(url)
        OpenFile.remove(url)
        #expect(try file.read(at: 0, count: 3) == Data("abc".utf8))
        #expect(try file.length() == 3)
    }

    @Test func linksAreReadThrough() throws {
        _ = try folder.file("file", Data("abc".utf8))
        #expect(try OpenFile.reading(link("link", to: "file")).length == 3)
    }

    @Test func whatCannotBeReadIsRefusedAsWhatItIs() throws {
        _ = try folder.file("file", Data())
        for (url, code) in [
            (url("missing"), .fileNotFound), (url("missing/file"), .fileNotFound), (folder.url, .notARegularFile),
            (URL(filePath: "/dev/null"), .notARegularFile), (try pipe("pipe"), .notARegularFile),
            (try link("dangling", to: "nowhere"), .fileNotFound), (try link("loop", to: "loop"), .notARegularFile),
            (url("file/below"), .notARegularFile), (url(String(repeating: "x", count: 300)), .fileFailed),
            (Fixture.url, .fileNotFound), (Fixture.url("relative"), .fileNotFound),
        ] as [(URL, TransferError.Code)] {
            #expect(TransferError.Code.thrown { try OpenFile.reading(url) } == code, "\(url)")
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may do everything"))
    func whatIsForbiddenIsDenied() throws {
        let file = try folder.file("file", Data())
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
        #expect(TransferError.Code.thrown { try OpenFile.reading(file) } == .permissionDenied)
        #expect(TransferError.Code.thrown { try OpenFile.continuing(file) } == .permissionDenied)
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path) }
        #expect(TransferError.Code.thrown { try OpenFile.creating(url("new")) } == .permissionDenied)
        #expect(TransferError.Code.thrown { try OpenFile.createFolders(url("a/b")) } == .permissionDenied)
        #expect(TransferError.Code.thrown { try OpenFile.move(file, to: url("new")) } == .permissionDenied)
    }

    @Test(
        arguments: [
            (ENOENT, .fileNotFound), (EACCES, .permissionDenied), (EPERM, .permissionDenied),
            (EROFS, .permissionDenied),
            (ENOSPC, .noSpace), (EDQUOT, .noSpace), (EFBIG, .noSpace), (EISDIR, .notARegularFile),
            (ENOTDIR, .notARegularFile), (ENXIO, .notARegularFile), (ELOOP, .notARegularFile), (EIO, .fileFailed),
            (EMFILE, .fileFailed), (ENAMETOOLONG, .fileFailed), (EEXIST, .fileFailed),
        ] as [(Int32, TransferError.Code)]
    )
    func theSystemsNumbersHaveTheirCodes(_ pair: (Int32, TransferError.Code)) {
        let error = OpenFile.error(pair.0, Fixture.url)
        #expect(error.code == pair.1)
        #expect(error.systemErrorNumber == pair.0)
        #expect(error.file == Fixture.url)
    }

    @Test func aFileInThePlaceOfAFolderIsNamed() throws {
        let file = try folder.file("file", Data())
        let operations: [() throws -> Void] = [
            { _ = try OpenFile.reading(url("file/below")) }, { _ = try OpenFile.creating(url("file/a/b")) },
            { _ = try OpenFile.createFolders(url("file")) }, { _ = try OpenFile.createFolders(url("file/a/b")) },
            { try OpenFile.move(file, to: url("file/below")) },
        ]
        for operation in operations {
            let error = #expect(throws: TransferError.self, performing: operation)
            #expect(error?.code == .notARegularFile)
            #expect(error.map { "\($0)" } == "There is a file where a folder is needed: \(file.path)")
        }
    }

    // The system would see another file, whose name ends there.
    @Test func aNameWithNULIsNoFile() throws {
        let file = try folder.file("file", Data("abc".utf8))
        let evil = try #require(URL(string: folder.url.absoluteString + "/file%00x"))
        #expect(TransferError.Code.thrown { try OpenFile.reading(evil) } != nil)
        #expect(TransferError.Code.thrown { try OpenFile.creating(evil) } != nil)
        #expect(TransferError.Code.thrown { try OpenFile.createFolders(evil) } != nil)
        let other = try folder.file("other", Data("other".utf8))
        #expect(TransferError.Code.thrown { try OpenFile.move(other, to: evil) } != nil)
        OpenFile.remove(evil)
        #expect(!OpenFile.isFolder(try #require(URL(string: folder.url.absoluteString + "%00x"))))
        #expect(try text(file) == "abc")
        #expect(try text(other) == "other")
    }

    // MARK: Writing

    @Test func bytesAreWrittenToAnyPlace() throws {
        let file = try OpenFile.creating(url("file"))
        try file.write(Data("abc".utf8), at: 0)
        try file.write(Data("0123456789".utf8)[3..<6], at: 5)
        try file.write(Data(), at: 1_000)
        #expect(try file.length() == 8)
        #expect(try text(file.url) == "abc\0\0" + "345")
        try file.write(Data("X".utf8), at: 1)
        #expect(try file.read(at: 0, count: 100) == Data("aXc\0\0".utf8) + Data("345".utf8))
        #expect(TransferError.Code.thrown { try file.write(Data("x".utf8), at: -1) } == .fileFailed)
        #expect(TransferError.Code.thrown { try file.write(Data("x".utf8), at: .max) } != nil)
    }

    @Test func aFileIsCutOffAndGrows() throws {
        let file = try OpenFile.creating(url("file"))
        try file.write(Data("0123456789".utf8), at: 0)
        try file.truncate(to: 3)
        #expect(try text(file.url) == "012")
        try file.truncate(to: 5)
        #expect(try text(file.url) == "012\0\0")
        try file.truncate(to: 0)
        #expect(try file.length() == 0)
        #expect(TransferError.Code.thrown { try file.truncate(to: -1) } == .fileFailed)
        #expect((file.availableSpace ?? 0) > 0)
    }

    @Test func aFileForReadingIsNotWritten() throws {
        let (file, _) = try OpenFile.reading(folder.file("file", Data("abc".utf8)))
        #expect(TransferError.Code.thrown { try file.write(Data("x".utf8), at: 0) } != nil)
        #expect(TransferError.Code.thrown { try file.truncate(to: 0) } != nil)
        #expect(try text(file.url) == "abc")
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no full device"))
    func aFullDiskIsAnError() throws {
        let file = try OpenFile.open(URL(filePath: "/dev/full"), O_WRONLY)
        let error = #expect(throws: TransferError.self) { try file.write(Data("abc".utf8), at: 0) }
        #expect(error?.code == .noSpace)
        #expect(error?.systemErrorNumber == ENOSPC)
        #expect(error?.file == URL(filePath: "/dev/full"))
        try file.write(Data(), at: 0)
    }

    @Test func onlyWhatIsNotThereIsCreated() throws {
        let existing = try folder.file("file", Data("abc".utf8))
        for url in [existing, folder.url, try link("link", to: "file"), try link("dangling", to: "nowhere")] {
            #expect(TransferError.Code.thrown { try OpenFile.creating(url) } == .fileFailed)
        }
        #expect(TransferError.Code.thrown { try OpenFile.creating(url("missing/file")) } == .fileNotFound)
        #expect(TransferError.Code.thrown { try OpenFile.creating(url("file/below")) } == .notARegularFile)
        #expect(TransferError.Code.thrown { try OpenFile.creating(Fixture.url) } == .fileNotFound)
        #expect(try text(existing) == "abc")
        #expect(try names == ["dangling", "file", "link"])
    }

    // MARK: Continuing

    @Test func aFileIsContinuedOrCreated() throws {
        let file = try OpenFile.continuing(url("file"))
        #expect(try file.length() == 0)
        try file.write(Data("abc".utf8), at: 0)
        let existing = try folder.file("existing", Data("def".utf8))
        let second = try OpenFile.continuing(existing)
        #expect(try second.read(at: 0, count: 10) == Data("def".utf8))
        try second.write(Data("ghi".utf8), at: 3)
        #expect(try text(existing) == "defghi")
    }

    @Test func oneAtATimeContinuesAFile() throws {
        var first: OpenFile? = try OpenFile.continuing(url("file"))
        let error = #expect(throws: TransferError.self) { try OpenFile.continuing(url("file")) }
        #expect(error?.code == .fileInUse)
        #expect(error?.file == url("file"))
        // Those that only read are not held up.
        #expect(try OpenFile.reading(url("file")).length == 0)
        withExtendedLifetime(first) {}
        first = nil
        _ = try OpenFile.continuing(url("file"))
    }

    @Test func aNameThatIsFreeAgainCanBeUsedAgain() throws {
        let first = try OpenFile.continuing(url("part"))
        try first.write(Data("abc".utf8), at: 0)
        try OpenFile.move(url("part"), to: url("file"))
        let second = try OpenFile.continuing(url("part"))
        #expect(try second.length() == 0)
        #expect(try first.length() == 3)
    }

    @Test func whatIsNoRegularFileIsNotContinued() throws {
        _ = try folder.file("file", Data("abc".utf8))
        for (url, code) in [
            (folder.url, .notARegularFile), (URL(filePath: "/dev/null"), .notARegularFile),
            (try pipe("pipe"), .notARegularFile), (try link("link", to: "file"), .notARegularFile),
            (try link("dangling", to: "nowhere"), .notARegularFile), (try link("loop", to: "loop"), .notARegularFile),
            (url("file/below"), .notARegularFile), (url("missing/file"), .fileNotFound),
        ] as [(URL, TransferError.Code)] {
            #expect(TransferError.Code.thrown { try OpenFile.continuing(url) } == code, "\(url)")
        }
        #expect(try !names.contains("nowhere"))
    }

    // MARK: Names

    @Test func aFileTakesThePlaceOfAnother() throws {
        let (source, destination) = (try folder.file("a", Data("new".utf8)), try folder.file("b", Data("old".utf8)))
        try OpenFile.move(source, to: destination)
        #expect(try names == ["b"])
        #expect(try text(destination) == "new")
        // A link is replaced, not what it points to.
        let next = try folder.file("c", Data("next".utf8))
        try OpenFile.move(next, to: try link("link", to: "b"))
        #expect(try text(destination) == "new")
        #expect(try text(url("link")) == "next")
    }

    @Test func moveIsRefusedWhereItCannotBe() throws {
        let source = try folder.file("a", Data("abc".utf8))
        _ = try OpenFile.createFolders(url("folder"))
        for (destination, code) in [
            (url("folder"), .notARegularFile), (url("missing/b"), .fileNotFound), (url("a/b"), .notARegularFile),
            (url(String(repeating: "x", count: 300)), .fileFailed),
        ] as [(URL, TransferError.Code)] {
            let error = #expect(throws: TransferError.self) { try OpenFile.move(source, to: destination) }
            #expect(error?.code == code)
            // For a path below a file, the file is what has to be looked at.
            #expect(error?.file == (destination == url("a/b") ? source : destination))
        }
        #expect(TransferError.Code.thrown { try OpenFile.move(url("missing"), to: url("b")) } == .fileNotFound)
        #expect(try text(source) == "abc")
    }

    @Test func removingTakesFilesAndLinksOnly() throws {
        let file = try folder.file("file", Data("abc".utf8))
        let link = try link("link", to: "file")
        _ = try OpenFile.createFolders(url("folder"))
        for url in [link, url("missing"), url("folder"), url("file/below")] { OpenFile.remove(url) }
        #expect(try names == ["file", "folder"])
        OpenFile.remove(file)
        #expect(try names == ["folder"])
    }

    // MARK: Folders

    @Test func foldersAreCreatedAndSaid() throws {
        let created = try OpenFile.createFolders(url("a/b/c"))
        #expect(created.map(\.lastPathComponent) == ["c", "b", "a"])
        #expect(OpenFile.isFolder(url("a/b/c")))
        #expect(try OpenFile.createFolders(url("a/b/c")) == [])
        #expect(try OpenFile.createFolders(url("a/b/d/")).map(\.lastPathComponent) == ["d"])
        #expect(try OpenFile.createFolders(URL(filePath: "/")) == [])
        #expect(try OpenFile.createFolders(link("link", to: "a")) == [])
        #expect(try OpenFile.createFolders(url("link/e")).map(\.lastPathComponent) == ["e"])
        #expect(OpenFile.isFolder(url("a/e")))
    }

    /// Taking a name off such a path adds another `..` to it, without end.
    @Test(
        arguments: [
            ("missing/..", ["missing"]), ("missing/../x", ["missing", "x"]), ("a/../b/../../c", nil),
            ("a/./b//c/../d/", ["a", "a/b", "a/b/c", "a/b/d"]), ("a/b/../../a/c/.", ["a", "a/b", "a/c"]),
            (".", []), ("..", []), ("a/../..", ["a"]), ("a/../a/../a/../b", ["a", "b"]),
        ] as [(String, [String]?)]
    )
    func pathsAreFollowedAsTheyAreWritten(_ row: (String, [String]?)) throws {
        let path = folder.url.path + "/sub/" + row.0
        _ = try OpenFile.createFolders(url("sub"))
        let created = try OpenFile.createFolders(URL(filePath: path, directoryHint: .notDirectory))
        #expect(OpenFile.isFolder(URL(filePath: path)))
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path + "/sub").sorted()
        if let expected = row.1 { #expect(paths == expected) }
        // The system finds them by their names, and they can be removed again.
        #expect(created.count == (row.1?.count ?? created.count))
        OpenFile.removeFolders(created)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.url.path + "/sub").isEmpty)
    }

    @Test func aLongPathIsRefusedAtOnce() {
        let path = folder.url.path + String(repeating: "/a/..", count: 200_000) + "/b"
        let error = TransferError.Code.thrown { try OpenFile.createFolders(URL(filePath: path)) }
        #expect(error == .fileFailed)
    }

    @Test func foldersThatCannotBeCreatedLeaveNothing() throws {
        _ = try folder.file("file", Data())
        let loop = try link("loop", to: "loop")
        let dangling = try link("dangling", to: "nowhere")
        for url in [
            url("file"), url("file/a"), url("file/a/b"), url("new/" + String(repeating: "x", count: 300)), loop,
            dangling, dangling.appending(path: "a"), loop.appending(path: "a"),
        ] {
            #expect(TransferError.Code.thrown { try OpenFile.createFolders(url) } != nil, "\(url)")
        }
        #expect(TransferError.Code.thrown { try OpenFile.createFolders(url("file/a/b")) } == .notARegularFile)
        #expect(try names == ["dangling", "file", "loop"])
    }

    @Test func onlyEmptyFoldersAreRemoved() throws {
        let created = try OpenFile.createFolders(url("a/b/c"))
        _ = try folder.file("a/other", Data())
        OpenFile.removeFolders(created)
        #expect(try FileManager.default.contentsOfDirectory(atPath: url("a").path) == ["other"])
        OpenFile.removeFolders([url("a"), url("missing")])
        #expect(OpenFile.isFolder(url("a")))
        OpenFile.removeFolders([])
    }

    @Test func foldersAreToldFromOtherThings() throws {
        let file = try folder.file("file", Data())
        #expect(OpenFile.isFolder(folder.url))
        #expect(OpenFile.isFolder(try link("link", to: ".")))
        #expect(!OpenFile.isFolder(file))
        #expect(!OpenFile.isFolder(url("missing")))
        #expect(!OpenFile.isFolder(try link("loop", to: "loop")))
    }

    // MARK: Descriptors

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "nobody counts descriptors"))
    func refusalsKeepNothingOpen() throws {
        let pipe = try pipe("pipe")
        let held = try OpenFile.continuing(url("held"))
        // Others open and close files meanwhile: what stays open is told by its path.
        for _ in 0..<50 {
            _ = try? OpenFile.reading(pipe)
            _ = try? OpenFile.reading(folder.url)
            _ = try? OpenFile.continuing(url("held"))
            _ = try OpenFile.creating(url("new"))
            OpenFile.remove(url("new"))
        }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }.filter { $0.contains(folder.url.lastPathComponent) }
        #expect(open.count == 1)
        withExtendedLifetime(held) {}
    }
}
