#if os(Linux)
import SuiteSupport
import Testing

@testable import PiuPiuAsync

struct ContentCodingTests {
    @Test(
        arguments: [
            (["gzip"], [.gzip]),
            (["X-GZIP"], [.gzip]),
            (["deflate, gzip , \tbr,zstd"], [.deflate, .gzip, .brotli, .zstd]),
            (["gzip", "br"], [.gzip, .brotli]),
            (["identity"], []),
            (["Identity, gzip, NONE"], [.gzip]),
            (["", " , ,", ",gzip,"], [.gzip]),
            ([], []),
            (["gzip, gzip, identity, gzip, gzip, gzip"], [.gzip, .gzip, .gzip, .gzip, .gzip]),
        ] as [([String], [ContentCoding])]
    )
    func theFieldIsAList(values: [String], codings: [ContentCoding]) throws {
        #expect(try ContentCoding.list(in: values) == codings)
    }

    @Test(arguments: [
        ("compress", "compress"), ("gzip, x-compress", "x-compress"), ("gzip;q=1", "gzip;q=1"), ("gz ip", "gz ip"),
        ("\"gzip\"", "\"gzip\""), ("x-br", "x-br"), ("gzip\u{0}", "gzip\u{0}"), ("ğzip", "ğzip"), ("dcz, foo", "dcz"),
    ])
    func whatIsUnknownIsRefused(value: String, name: String) {
        #expect(throws: ContentDecodingError.unsupported(name)) { try ContentCoding.list(in: [value]) }
    }

    @Test func tooManyAreRefused() {
        let names = Array(repeating: "gzip", count: 6)
        for values in [names, [names.joined(separator: ",")]] {
            #expect(throws: ContentDecodingError.tooManyCodings) { try ContentCoding.list(in: values) }
        }
    }

    @Test func thoseThatAreThereAreOffered() {
        #expect(ContentDecoder.supportedCodings == "gzip, deflate, br, zstd")
    }
}
#endif
