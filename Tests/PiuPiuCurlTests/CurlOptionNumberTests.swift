#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import CurlShim
import Glibc
import TestSupport
import Testing
@testable import PiuPiuCurl

/// Asks the libcurl that is loaded for the numbers that CurlShim declares.
///
/// `Scripts/check-curl-abi` compares them with headers, which are often older than the newest options. The run of the tests
/// with the newest libcurl covers those.
struct CurlOptionNumberTests {
    /// Returns a `struct curl_easyoption`, which begins with a pointer to its name; the number follows.
    private typealias Lookup = @convention(c) (UnsafePointer<CChar>) -> UnsafeRawPointer?

    /// The options that are younger than the oldest libcurl, and the version that has them.
    private static let younger: [String: UInt32] = [
        "CAINFO_BLOB": 0x07_4d_00, "PROXY_CAINFO_BLOB": 0x07_4d_00, "PREREQFUNCTION": 0x07_50_00,
        "PREREQDATA": 0x07_50_00, "MAXLIFETIME_CONN": 0x07_50_00, "DOH_SSL_VERIFYPEER": 0x07_4c_00,
        "DOH_SSL_VERIFYHOST": 0x07_4c_00, "DOH_SSL_VERIFYSTATUS": 0x07_4c_00, "QUICK_EXIT": 0x07_57_00,
        "CA_CACHE_TIMEOUT": 0x07_57_00,
        "HAPROXY_CLIENT_IP": 0x08_02_00, "TCP_KEEPCNT": 0x08_09_00,
    ]

    /// The lines of CurlShim's header that begin with a prefix, without it: a name and its number.
    private func constants(_ prefix: String) throws -> [(name: String, number: Int32)] {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        let header = root.appending(path: "Sources/CurlShim/include/CurlConstants.h")
        return try String(contentsOf: header, encoding: .utf8).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, parts[0].hasPrefix(prefix),
                let number = Int32(parts[1].prefix { $0.isNumber })
            else { return nil }
            return (String(parts[0].dropFirst(prefix.count)), number)
        }
    }

    @Test func everyOptionHasTheNumberThatLibcurlKnowsByItsName() throws {
        let version = try CurlLibrary.shared.get().versionNumber
        let symbol = try #require(dlsym(nil, "curl_easy_option_by_name"), "libcurl has it from 7.73 on")
        let lookup = unsafeBitCast(symbol, to: Lookup.self)
        let options = try constants("PP_CURLOPT_")
        #expect(options.count > 80)
        var absent: [String] = []
        for (name, number) in options {
            guard let option = name.withCString({ lookup($0) }) else {
                absent.append(name)
                continue
            }
            let known = option.load(fromByteOffset: MemoryLayout<UnsafeRawPointer>.size, as: Int32.self)
            #expect(known == number, "\(name)")
        }
        #expect(absent.sorted() == Self.younger.filter { $0.value > version }.map(\.key).sorted())
    }

    @Test func libcurlKnowsTheYoungestNumbersOfOtherKinds() throws {
        let library = try CurlLibrary.shared.get()
        let easy = try #require(pp_easy_init())
        defer { pp_easy_cleanup(easy) }
        // CURLE_UNKNOWN_OPTION
        var number: Int64 = 7
        #expect(pp_easy_get_offset(easy, PP_CURLINFO_CONN_ID, &number) == (library.numbersConnections ? 0 : 48))
        #expect(number == (library.numbersConnections ? -1 : 7))
        let text = pp_easy_strerror(Int32(PP_CURLE_TOO_LARGE.rawValue)).map { String(cString: $0) }
        #expect((text != "Unknown error") == (library.versionNumber >= 0x08_06_00), "\(text ?? "nothing")")
    }
}
#endif
