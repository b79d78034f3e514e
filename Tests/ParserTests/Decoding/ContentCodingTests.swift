#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Testing

struct ContentCodingTests {
    @Test(
        arguments: [
            (["gzip"], [.gzip]), (["X-GZIP"], [.gzip]),
            (["deflate, gzip , \tbr,zstd"], [.deflate, .gzip, .brotli, .zstd]), (["gzip", "br"], [.gzip, .brotli]),
            (["identity"], []), (["Identity, gzip, NONE"], [.gzip]), (["", " , ,", ",gzip,"], [.gzip]), ([], []),
            (["gzip, gzip, identity, gzip, gzip, gzip"], [.gzip, .gzip, .gzip, .gzip, .gzip]),
        ] as [([String], [ContentCoding])]
    )
    func theFieldIsAList(values: [String], codings: [ContentCoding]) throws {
        #expect(try ContentCoding.list(in: values) == codings)
    }

    @Test(
        arguments: [
            ("compress", []), ("gzip, x-compress", []), ("gzip;q=1", []), ("gz ip", []), ("\"gzip\"", []),
            ("x-br", []), ("gzip\u{0}", []), ("ğzip", []), ("dcz, foo", []), ("UTF-8", []), ("aws-chunked", []),
            ("binary", []), ("8bit, amz-1.0", []), ("gzip, aws-chunked", []),
            ("aws-chunked, gzip", [.gzip]), ("br, utf-8, gzip, deflate", [.gzip, .deflate]),
            ("gzip,gzip,gzip,gzip,gzip,gzip,binary,br", [.brotli]), ("br, binary, br", [.brotli]),
        ] as [(String, [ContentCoding])]
    )
    func codingsInsideOfAnUnknownOneStay(value: String, codings: [ContentCoding]) throws {
        #expect(try ContentCoding.list(in: [value]) == codings)
        #expect(try ContentCoding.list(in: value.components(separatedBy: ",")) == codings)
    }

    @Test func tooManyAreRefused() {
        let names = Array(repeating: "gzip", count: 6)
        for values in [names, [names.joined(separator: ",")]] {
            #expect(throws: ContentDecodingError.tooManyCodings) { try ContentCoding.list(in: values) }
        }
    }

    @Test func thoseThatAreThereAreOffered() {
        #expect(ContentCoding.allSupported == "gzip, deflate, br, zstd")
    }
}
#endif
