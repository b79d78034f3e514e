#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Glibc
import TestSupport
import Testing
@testable import PiuPiuCurl

/// Certificates and keys that are handed to libcurl as files in memory.
struct MemoryFileTests {
    @Test func theBytesAreReadableAndCannotBeChanged() throws {
        for count in [0, 1, 100_000] {
            let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
            let file = try MemoryFile(bytes)
            // Twice, because a connection begins at the start, whatever another one has read.
            for _ in 0..<2 { #expect(try Data(contentsOf: URL(filePath: file.path)) == bytes) }
            let descriptor = open(file.path, O_RDWR)
            defer { close(descriptor) }
            #expect(write(descriptor, "x", 1) == -1)
            #expect(ftruncate(descriptor, 1_000_000) == -1)
            #expect(try Data(contentsOf: URL(filePath: file.path)) == bytes)
        }
    }

    @Test func childProcessesDoNotInheritIt() throws {
        let file = try MemoryFile(Data("x".utf8))
        let descriptor = try #require(Int32(file.path.split(separator: "/").last ?? ""))
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test func itLivesAsLongAsTheProfilesThatUseIt() throws {
        let library = try CurlLibrary.shared.get()
        var configuration = TransportConfiguration()
        configuration.tls.authorities = .certificates(try Data(contentsOf: Certificates.shared.get().authority))
        let profiles = try ConnectionProfiles(ConnectionPlan(configuration, library: library))
        weak let file = profiles.first.settings.authorities.memory
        #expect(file != nil)
        let path = try #require(file?.path)
        #expect(profiles.first.settings.authorities.file == path)
        try profiles.change(to: ConnectionPlan(configuration, library: library))
        // The first profile still exists, and so may its engines.
        #expect(file != nil)
        weak var other: MemoryFile?
        do {
            let short = try ConnectionProfiles(ConnectionPlan(configuration, library: library))
            other = short.first.settings.authorities.memory
            #expect(other != nil)
        }
        #expect(other == nil)
        withExtendedLifetime(profiles) {}
    }
}
#endif
