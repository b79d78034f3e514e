#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Glibc
import PiuPiuTesting
import TestSupport
import Testing

/// Downloads that survive a loss of power.
@Suite(.timeLimit(.generous)) struct DurableDownloadTests {
    /// How many pages of a file wait to be written to the disk, as cachestat(2) says; `nil` if the system does not.
    private static func waitingPages(of file: URL) -> UInt64? {
        let descriptor = open(file.path(percentEncoded: false), O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // cachestat(fd, {offset, length}, {cached, dirty, writeback, evicted, recently evicted}, flags), Linux 6.5.
        var range: (UInt64, UInt64) = (0, 0)
        var statistics: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)
        // syscall(3) has no fixed arguments, so that Swift does not import it.
        typealias Call = @convention(c) (Int, Int, UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int) -> Int
        guard let symbol = dlsym(nil, "syscall") else { return nil }
        let call = unsafeBitCast(symbol, to: Call.self)
        let result = withUnsafeMutablePointer(to: &range) { range in
            withUnsafeMutablePointer(to: &statistics) { call(451, Int(descriptor), range, $0, 0) }
        }
        return result == 0 ? statistics.1 + statistics.2 : nil
    }

    private static func download(isDurable: Bool, to file: URL) async throws {
        let body = Data(repeating: 0x61, count: 1 << 20)
        let transport = MockTransport(clock: ManualClock()) { _ in MockAnswer(.ok, body: body) }
        let dispatcher = URLRequestDispatcher(transport: transport)
        var options = DownloadOptions()
        options.isDurable = isDurable
        _ = try await dispatcher.download(for: Fixture.request, to: file, options: options).response()
        #expect((try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize == body.count)
    }

    /// A folder on a disk: a file system in memory has nothing to flush.
    private static func folder() throws -> DownloadFolder { try DownloadFolder() }

    @Test func aDurableDownloadIsOnTheDisk() async throws {
        let folder = try Self.folder()
        try await Self.download(isDurable: false, to: folder["fast"])
        // If nothing waits to be written here, the file system keeps files in memory, or the system does not tell.
        guard let waiting = Self.waitingPages(of: folder["fast"]), waiting > 0 else { return }
        try await Self.download(isDurable: true, to: folder["durable"])
        #expect(Self.waitingPages(of: folder["durable"]) == 0)
    }

    @Test func aFolderThatIsGoneIsAnError() throws {
        let folder = try Self.folder()
        #expect(TransferError.Code.thrown { try OpenFile.synchronizeFolder(folder["missing"]) } == .fileNotFound)
        try OpenFile.synchronizeFolder(folder.url)
    }
}
#endif
