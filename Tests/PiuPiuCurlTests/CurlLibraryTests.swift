#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Testing
@testable import PiuPiuCurl

struct CurlLibraryTests {
    @Test func theSystemsLibraryIsGoodEnough() throws {
        let library = try CurlLibrary.shared.get()
        #expect(library.versionNumber >= CurlLibrary.minimumVersion)
        #expect(library.supportsTLS)
        #expect(library.version.contains("."))
        #expect(library.refusal == nil)
    }

    @Test(arguments: [
        (UInt32(0x07_49_FF), "7.73.255", true, false), (0x07_4A_00, "7.74.0", false, false),
        (0x07_4F_01, "7.79.1", false, false), (0x07_50_00, "7.80.0", false, true),
        (0x08_0E_01, "8.14.1", false, true),
    ])
    func oldVersionsAreRefused(_ row: (UInt32, String, Bool, Bool)) {
        let library = CurlLibrary(versionNumber: row.0, version: row.1, supportsTLS: true)
        #expect((library.refusal?.code == .libraryUnavailable) == row.2)
        #expect(library.refusal.map { $0.description.contains(row.1) } ?? true)
        #expect(library.announcesRequests == row.3)
    }
}
#endif
