#if os(Linux)
import Foundation

// Bodies that were compressed by gzip 1.12, Python 3.11's zlib 1.2.13, brotli 1.0.9 and zstd 1.5.4, each with the command
// that made it, in which
//
//     body() { for i in $(seq 0 39); do echo "line $i of the body"; done; }
//     zlib() { python3 -c "import sys, zlib; c = zlib.compressobj($1); d = sys.stdin.buffer.read()
//     sys.stdout.buffer.write(c.compress(d) + c.flush())"; }

/// Small compressed bodies.
enum CompressedBodies {
    // body | gzip -9n
    static let gzip = bytes(
        """
        H4sIAAAAAAACA23SMQ6DUBAD0Z5T/CNgm0C4TgQoSAiaNLl9RBnttFP5affYz7X17dra572217V8u+NOqsk1paahpkdNY01TTc+aZphK82G/
        ACAQCAgCgwAhUAgYAofBYboDOAwOg8PgMDgMDoPD4Ag4Ao7QQ4Ej4Ag4Ao6AI+DIv+MHMkFqCBYDAAA=
        """
    )
    // body > body.txt; touch -d @1700000000 body.txt; gzip -9Nc body.txt
    static let gzipWithName = bytes(
        """
        H4sICADxU2UCA2JvZHkudHh0AG3SMQ6DUBAD0Z5T/CNgm0C4TgQoSAiaNLl9RBnttFP5affYz7X17dra572217V8u+NOqsk1paahpkdNY01T
        Tc+aZphK82G/ACAQCAgCgwAhUAgYAofBYboDOAwOg8PgMDgMDoPD4Ag4Ao7QQ4Ej4Ag4Ao6AI+DIv+MHMkFqCBYDAAA=
        """
    )
    // (printf 'one, ' | gzip -9n; printf '' | gzip -9n; printf 'two, ' | gzip -1n; printf three | gzip -9n)
    static let gzipMembers = bytes(
        """
        H4sIAAAAAAACA8vPS9VRAAAc1fpKBQAAAB+LCAAAAAAAAgMDAAAAAAAAAAAAH4sIAAAAAAAEAyspz9dRAABM7kx9BQAAAB+LCAAAAAAAAgMr
        yShKTQUA9djFRgUAAAA=
        """
    )
    // printf '' | gzip -n
    static let gzipEmpty = bytes("H4sIAAAAAAAAAwMAAAAAAAAAAAA=")
    // body | zlib 9
    static let zlib = bytes(
        """
        eNpt0jEOg1AQA9GeU/wjYJtAuE4EKEgImjS5fUQZ7bRT+Wn32M+19e3a2ue9tte1fLvjTqrJNaWmoaZHTWNNU03PmmaYSvNhvwAgEAgIAoMA
        IVAIGAKHwWG6AzgMDoPD4DA4DA6Dw+AIOAKO0EOBI+AIOAKOgCPgyL/jB5yF/IE=
        """
    )
    // body | zlib 9, 8, 9
    static let zlibSmallWindow = bytes(
        """
        GNNtzzEOgmAUBOGeU/xHYHcR5DoGiCQEGhtvbyjNm3aq+Y79XFvfrq193mt7Xcu3O+6kmlxTahpqetQ01jTV9KxphlXah38BQCAQEAQGAUKg
        EDAEDoPD4DA4DA6Dw+AwOAwOg8PgCDgCjoAj4Ag4Ao6AI+AIOPLv+AGchfyB
        """
    )
    // printf '' | zlib 9
    static let zlibEmpty = bytes("eNoDAAAAAAE=")
    // body | zlib 9, 8, -15
    static let rawDeflate = bytes(
        """
        bdIxDoNQEAPRnlP8I2CbQLhOBChICJo0uX1EGe20U/lp99jPtfXt2trnvbbXtXy7406qyTWlpqGmR01jTVNNz5pmmErzYb8AIBAICAKDACFQ
        CBgCh8FhugM4DA6Dw+AwOAwOg8PgCDgCjtBDgSPgCDgCjoAj4Mi/4wc=
        """
    )
    // body | head -c 40 | zlib 0, 8, -15
    static let rawDeflateStored = bytes("ASgA1/9saW5lIDAgb2YgdGhlIGJvZHkKbGluZSAxIG9mIHRoZSBib2R5Cmxp")
    // body | head -c 40 | zlib 9, 8, -15, 8, zlib.Z_FIXED
    static let rawDeflateFixed = bytes("y8nMS1UwUMhPUyjJSFVIyk+p5MoBCRmiCQEA")
    // printf '' | zlib 9, 8, -15
    static let rawDeflateEmpty = bytes("AwA=")
    // body | head -c 40 | zlib 9, 8, 15, 8, 0, b'line of the body'
    static let zlibDictionary = bytes("ePkxCQXNywHxDZBFuMBChmhCAAwwDSM=")
    // body | brotli -c
    static let brotli = bytes(
        """
        HxUDIIzUTnfiTNQIla6DQ9IA2+ukgtkb4eKcu8ehpZFFurKsclHhLH513Q/yVACEYASDxeErDhqIkqxotDp8YguiJCsarQ6f1IIoyYpGq5sP
        """
    )
    // body | brotli -q 1 -c
    static let brotliFast = bytes(
        """
        j4oBAICqqqrq/66XEx+Oxsxmaqa3q8ICagAGJhe9KEXtJtbLZfHRc3mMDeAS2P753r/jQAys2VGj7ZQPSpIsndIlZemWHqlIXLi8HnCi8aJx
        o/GjcaTxpHGl8aVJkyZNmjRp0qRJk2bNmjVr1qxZs2a9uSAG1uyo0XYa
        """
    )
    // printf '' | brotli -c
    static let brotliEmpty = bytes("Pw==")
    // body | brotli --large_window=30 -c
    static let brotliLargeWindow = bytes(
        """
        EV5UDIAwUjvdiTNRI1S6Dg5JA2yvkwpmb4SLc+4eh5ZGFunKYiUXKjgWv7ruB3kqAEIwgsHi8BUHDURJVjRaHT6xBVGSFY1Wh09qQZRkRaPV
        zQc=
        """
    )
    // body | zstd -19c
    static let zstd = bytes(
        """
        KLUv/QRo5QIAgsUPEbAdA+fQ++JJiNUSkrJdAjcC6Ofm5eTjv9+LIx8bFxMP33YtjHpqWko6+rqtKDqmkHEXTBVTWE0GFoMIC7oXKKgR8PT9
        N/DlEBLhEWE+O538hdVqWdFAqgK6C9YD
        """
    )
    // body | zstd --no-check -c
    static let zstdNoCheck = bytes(
        """
        KLUv/QBYRQQA5ANsaW5lIDAgb2YgdGhlIGJvZHkKbGluZSAxMjM0NTY3ODkxMTExMTExMTEyMjIyMjIyMjIyMzMzMzMzMzMzMycggKPSA7Ik
        N2GJSC5hE0lOwhKRXMIkklzCJpKchCVycksTpjSRpMkhTdjRRIwmVzRhRBMZmoAQfR7jiXc85gnvPMY8kXlxDA==
        """
    )
    // body > body.txt; zstd -c body.txt
    static let zstdSingleSegment = bytes(
        """
        KLUv/WQWAiUEAJQDbGluZSAwIG9mIHRoZSBib2R5CjEyMzQ1Njc4OTExMTExMTExMTIyMjIyMjIyMjIzMzMzMzMzMzMzKCCAo9IDsiQ3YYlI
        LmETSU7CEpFcwiSSXMImkpyEJXJySxOmNJGkySFN2NFEjCZXNGFEExmagBB9HuOJdzzmCe885kn329oYBroL1gM=
        """
    )
    // (printf 'one, ' | zstd -c; printf '' | zstd -c; printf 'two, ' | zstd --no-check -c; printf three | zstd -c)
    static let zstdFrames = bytes(
        """
        KLUv/QRYKQAAb25lLCDpU8zLKLUv/SQAAQAAmenYUSi1L/0AWCkAAHR3bywgKLUv/QRYKQAAdGhyZWUUDasR
        """
    )
    // body | pzstd -c
    static let zstdSkippable = bytes(
        """
        UCpNGAQAAACVAAAAKLUv/QRYRQQA5ANsaW5lIDAgb2YgdGhlIGJvZHkKbGluZSAxMjM0NTY3ODkxMTExMTExMTEyMjIyMjIyMjIyMzMzMzMz
        MzMzMycggKPSA7IkN2GJSC5hE0lOwhKRXMIkklzCJpKchCVycksTpjSRpMkhTdjRRIwmVzRhRBMZmoAQfR7jiXc85gnvPMY8kXlxDLoL1gM=
        """
    )
    // body | zstd --zstd=wlog=23 -c
    static let zstdWindow8MiB = bytes(
        """
        KLUv/QRoRQQA5ANsaW5lIDAgb2YgdGhlIGJvZHkKbGluZSAxMjM0NTY3ODkxMTExMTExMTEyMjIyMjIyMjIyMzMzMzMzMzMzMycggKPSA7Ik
        N2GJSC5hE0lOwhKRXMIkklzCJpKchCVycksTpjSRpMkhTdjRRIwmVzRhRBMZmoAQfR7jiXc85gnvPMY8kXlxDLoL1gM=
        """
    )
    // body | zstd --zstd=wlog=24 -c
    static let zstdWindow16MiB = bytes(
        """
        KLUv/QRwRQQA5ANsaW5lIDAgb2YgdGhlIGJvZHkKbGluZSAxMjM0NTY3ODkxMTExMTExMTEyMjIyMjIyMjIyMzMzMzMzMzMzMycggKPSA7Ik
        N2GJSC5hE0lOwhKRXMIkklzCJpKchCVycksTpjSRpMkhTdjRRIwmVzRhRBMZmoAQfR7jiXc85gnvPMY8kXlxDLoL1gM=
        """
    )
    // printf '' | zstd -c
    static let zstdEmpty = bytes("KLUv/SQAAQAAmenYUQ==")
    // body | gzip -9n | brotli -c
    static let gzipThenBrotli = bytes(
        """
        j0WAH4sIAAAAAAACA23SMQ6DUBAD0Z5T/CNgm0C4TgQoSAiaNLl9RBnttFP5affYz7X17dra572217V8u+NOqsk1paahpkdNY01TTc+aZphK
        82G/ACAQCAgCgwAhUAgYAofBYboDOAwOg8PgMDgMDoPD4Ag4Ao7QQ4Ej4Ag4Ao6AI+DIv+MHMkFqCBYDAAAD
        """
    )
    // body | zstd -c | brotli -c | gzip -9n | zlib 9 | gzip -9n
    static let allThenGzip = bytes(
        """
        H4sIAAAAAAACAwGiAF3/eNoBlwBo/x+LCAAAAAAAAgPj92rQ2Kr/lyXClYXhCXNOZl6qgoFCfppCSUaqQlJ+SiUXWMjQyNjE1MzcwtIQBozg
        wBgO1BUaFl9i3qRintjpoZco7Ol3SGhizCGVSTGH1CbNaVEtKvIWXmYycclJRd8bF1161MJNEl2EJWc1CNTKPe4st3nG+d7mmM3EykKeXdzX
        mJkB/M9KEpkAAAB56kc6hgmTL6IAAAA=
        """
    )

    /// What most of them hold.
    static let text = lines(40)
    /// What the members and the frames hold.
    static let threeParts = [UInt8]("one, two, three".utf8)

    /// The first lines of the text.
    static func lines(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { "line \($0) of the body\n".utf8 }
    }

    /// Reads base64.
    static func bytes(_ base64: String) -> [UInt8] {
        [UInt8](Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
    }
}
#endif
