/// Reads the elements of a value in DER (ITU-T X.690 §10) one by one.
///
/// It supports what a certificate needs: tags of one byte and definite lengths of at most four bytes. It never reads beyond its
/// bytes, and does not recurse.
struct DERReader {
    /// One element.
    struct Element {
        /// The identifier octet: class, form and number.
        let tag: UInt8
        let content: ArraySlice<UInt8>

        /// A reader for the elements inside.
        var reader: DERReader { DERReader(content) }
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Reads the next element; `nil` at the end, or if the next bytes are malformed.
    mutating func next() -> Element? {
        guard let tag = rest.first, tag & 0x1F != 0x1F else { return nil }
        var bytes = rest.dropFirst()
        guard let first = bytes.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard (1...4).contains(count), bytes.count >= count else { return nil }
            length = bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            bytes = bytes.dropFirst(count)
        }
        guard bytes.count >= length else { return nil }
        rest = bytes.dropFirst(length)
        return Element(tag: tag, content: bytes.prefix(length))
    }

    /// Reads the next element if it has a tag; otherwise returns `nil`, and leaves the element to be read.
    mutating func next(_ tag: UInt8) -> Element? {
        var ahead = self
        guard let element = ahead.next(), element.tag == tag else { return nil }
        self = ahead
        return element
    }
}
