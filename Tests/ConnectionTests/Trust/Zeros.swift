import PiuPiuAsync

/// A gibibyte of zeros, compressed with the largest window that a coding has.
enum Zeros: String, CaseIterable, Codable, Sendable {
    case gzip, br, zstd

    /// How many zeros there are.
    static let count = 1 << 30

    /// The zeros, compressed.
    var data: Data {
        switch self {
        case .gzip: Data(Self.gzipBytes)
        case .br: Data(base64Encoded: Self.brotliText, options: .ignoreUnknownCharacters) ?? Data()
        case .zstd: Data(Self.zstdBytes)
        }
    }

    /// Members of 16 KiB of zeros each (RFC 1952 §2.2): `head -c 16384 /dev/zero | gzip -9n`.
    private static let gzipBytes: [UInt8] = {
        let member =
            Data(base64Encoded: "H4sIAAAAAAACA+3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA") ?? Data()
        return Array(repeatElement(member, count: count >> 14).joined())
    }()

    /// A frame with a window of 8 MiB and blocks of 128 KiB that repeat a byte (RFC 8878 §3.1.1).
    private static let zstdBytes: [UInt8] = {
        var data: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, (23 - 10) << 3]
        let blocks = count >> 17
        for number in 1...blocks {
            let head = 1 << 20 | 1 << 1 | (number == blocks ? 1 : 0)
            data += [UInt8(head & 0xFF), UInt8(head >> 8 & 0xFF), UInt8(head >> 16), 0]
        }
        return data
    }()

    // head -c 1073741824 /dev/zero | brotli -q 11 -w 24 -c
    private static let brotliText = """
        z///f/gnAOKxQCD3/p/////wTwDEYQGA7v0/////4Z8AiMMiAN37f/7//8M/ARCHBQC69//8//+HfwIgDgsAdO//+f//D/8EQBwWAOje//P//x
        /+CYA4LADQvf/n//8//BMAcVgAoHv/z///f/gnAOKwAED3/p/////wTwDEYQGA7v0/////4Z8AiMMCAN37f/7//8M/ARCHBQC69//8//+HfwIg
        DgsAdO//+f//D/8EQBwWAOje//P//x/+CYA4LADQvf/n//8//BMAcVgAoHv/z///f/gnAOKwAED3/p/////wTwDEYQGA7v0/////4Z8AiMMCAN
        37f/7//8M/ARCHBQC69//8//+HfwIgDgsAdO//+f//D/8EQBwWAOje//P//x/+CYA4LADQvf/n//8//BMAcVgAoHv/z///f/gnAOKwAED3/p//
        ///wTwDEYQGA7v0/////4Z8AiMMCAN37f/7//8M/ARCHBQC69//8//+HfwIgDgsAdO//+f//D/8EQBwWAOje//P//x/+CYA4LADQvf/n//8//B
        MAcVgAoHv/z///f/gnAOKwAED3/p/////wTwDEYQGA7v0/////4Z8AiMMCAN37f/7//8M/ARCHBQC69//8//+HfwIgDgsAdO//+f//D/8EQBwW
        AOje//P//x/+CYA4LADQvf/n//8//BMAcVgAoHv/z///f/gnAOKwAED3/p/////wTwDEYQGA7v0/////4Z8AiMMCAN37f/7//8M/ARCHBQC69/
        /8//+HfwIgDgsAdO//+f//D/8EQBwWAOje//P//x/+CYA4LADQvf/n//8//BMAcVgAoHv/z///f/gnAOKwAED3/p/////wTwDEYQGA7v0/////
        4Z8AiMMCAN37f/7//8M/ARCHBQC69//8//+HfwIgDgsAdO//+f//D/8EQBwWAOje//P//x/+CYA4LADQvf/n//8//BMAcVgAoHv/z///f/gnAO
        KwAED3/p/////wTwDEYQGA7v0/////4Z8AiMMCAN37f/7//8M/ARCHBQC69//8//+HfwIgDgsAdO//+f//D/8EQBwWAOje//P//x/+CYA4LADQ
        vf/n//8//BMAcVgAoHv/Pw==
        """
}
