#if os(Linux)
// Made by the programs named in CompressedBodies.swift.

/// Small bodies that grow large.
enum CompressedBombs {
    // head -c 50000000 /dev/zero | gzip -9n | gzip -9n | gzip -9n
    static let gzipBomb = bytes(
        """
        H4sIAAAAAAACA5Pv5mAAASbmt3cN/ZgcJdoe3k3lZuL0SExl5C1fMIElKcmX0fQjw7yDvh1Te803PmIImljBsFiUV1bxyCGnDm7r7TOeVK5a
        uf/XWfu706uCTmbt/m6y16br+v/ttXsnMkDBRO19Ylu12Dyqnj7/m8IGFTzybuHdU84iBbPu95xlhIpdrJbjW3eotWH+8uN3ZKBiAntf3z+r
        sYXhddHNmbeYoYKLvu/dcXqVWELMuf7VH2Jh9hxcuPNt/R2x9v1veEp3/FNfvJeBAQDxm2H54AAAAA==
        """
    )
    // head -c 50000000 /dev/zero | zlib 9 | gzip -9n | gzip -9n
    static let deflateBomb = bytes(
        """
        H4sIAAAAAAACA5Pv5mAAASbmt3c2ejklShx/+H5Cs8iLwoKuBQfvehYIZmVmZayw3NPwzYy/Y7f5wzdPWHdUsi8LFhdQEvS72Fm87sDP3/Oe
        C937eP70+9r/W89tEnAy/B8tN2s6I9DQjpiNs+NCkh126G7n99cHCji8OfY2bLEca138+vdzmYECi8yleT//cn5Q/elaAR9IR9z3L5Xh+Yyz
        i65WlvGDBO61J4Dcp+JqAKIuKUmAqExBHiDZcISDDWRoFAvIKAXd7osbwnMZf/rvfGUPEj9XvmeXZMsbeTudqLmP9jIwAADRU9E76wAAAA==
        """
    )
    // head -c 50000000 /dev/zero | brotli -c
    static let brotliBomb = bytes("z///f/gnAOKxQCD3/p/////wTwDEYQGA7v1//sHr458AiMMiAB10fQ==")
    // head -c 50000000 /dev/zero | zstd -19c | gzip -9n
    static let zstdBomb = bytes(
        """
        H4sIAAAAAAACA9PYqv+XJcOHgYGDgZHhz39LASYmBgGGUTyKR/HIwy4MDMBi4O//M9wCo8ExsjBzCzvDGm2vwwDwcrZ4EQYAAA==
        """
    )
    // python3 -c "import gzip, sys; sys.stdout.buffer.write(gzip.compress(b'', mtime=0) * 2000000)" | gzip -9n | gzip
    // -9n | gzip -9n
    static let gzipOfNothing = bytes(
        """
        H4sIAAAAAAACA5Pv5mAAASbmt3cWejEXMhz/+P/cJoObi56ahfUkLyv8wbDuplhPlMhtNq1fTMyu3xiYF59tPJ0kpKfLyyJ4OeHpgUUS/uey
        9n372Xqe+Y/cg9u71rUlXXSb9i6nLc+0ZHHV8sLiTxVXKmeff/z3oHf+xDXLlRnwgQCu55G31okUHvC06749fb6/vXw4XvULXGalr/a8yMST
        +a/q9gdOvGqXBt+X/fY/qWH1n5L8N8J4lXo9t/Pbpq3Ysvbp5+8bvm31uXb5IhNWhT/OV4vJxtvcaW0+/EL8/5sGl5dVjAwAHb8YelMBAAA=
        """
    )

    private static func bytes(_ base64: String) -> [UInt8] { CompressedBodies.bytes(base64) }
}
#endif
