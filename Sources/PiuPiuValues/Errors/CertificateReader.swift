/// Reads the parts of a certificate that an error shows (RFC 5280 §4.1).
///
/// The certificate comes from the network and may be malformed in any way. The reader verifies nothing.
package enum CertificateReader {
    /// The maximum size of a certificate, in bytes.
    package static let maximumSize = 64 * 1024
    /// The maximum number of names to show.
    static let maximumNames = 8

    private enum Tag {
        static let octetString: UInt8 = 0x04
        static let identifier: UInt8 = 0x06
        static let utcTime: UInt8 = 0x17
        static let generalizedTime: UInt8 = 0x18
        static let sequence: UInt8 = 0x30
        static let version: UInt8 = 0xA0
        static let extensions: UInt8 = 0xA3
        static let dnsName: UInt8 = 0x82
        static let address: UInt8 = 0x87
    }

    private static let commonName: [UInt8] = [0x55, 0x04, 0x03]
    private static let organisation: [UInt8] = [0x55, 0x04, 0x0A]
    private static let alternativeNames: [UInt8] = [0x55, 0x1D, 0x11]

    /// Reads a certificate in DER; `nil` if it is not a certificate.
    ///
    /// The parts after a malformed one are missing from the result.
    package static func certificate(_ bytes: [UInt8]) -> TLSFailure.Certificate? {
        guard bytes.count <= maximumSize else { return nil }
        var outer = DERReader(bytes[...])
        guard var certificate = outer.next(Tag.sequence)?.reader,
            var fields = certificate.next(Tag.sequence)?.reader
        else { return nil }
        _ = fields.next(Tag.version)
        // The serial number and the signature algorithm.
        guard fields.next() != nil, fields.next(Tag.sequence) != nil, let issuer = fields.next(Tag.sequence),
            var validity = fields.next(Tag.sequence)?.reader, let subject = fields.next(Tag.sequence)
        else { return nil }
        var result = TLSFailure.Certificate()
        result.validFrom = validity.next().flatMap(date)
        result.validUntil = validity.next().flatMap(date)
        result.issuer = name(issuer)
        result.subject = name(subject)
        readAlternativeNames(of: fields, into: &result)
        if result.names.isEmpty, let name = attributes(of: subject).last(where: { $0.type == commonName }) {
            result.names = [text(name.value)]
        }
        return result
    }

    // MARK: Names

    private static func readAlternativeNames(of fields: DERReader, into result: inout TLSFailure.Certificate) {
        var fields = fields
        while let field = fields.next() {
            guard field.tag == Tag.extensions, var list = field.reader.first(Tag.sequence)?.reader else { continue }
            while var item = list.next()?.reader {
                guard let type = item.next(Tag.identifier), type.content.elementsEqual(alternativeNames) else {
                    continue
                }
                // A Boolean may precede the value.
                while let value = item.next() {
                    guard value.tag == Tag.octetString, var names = value.reader.first(Tag.sequence)?.reader else {
                        continue
                    }
                    while let name = names.next() { append(name, to: &result) }
                }
            }
        }
    }

    private static func append(_ name: DERReader.Element, to result: inout TLSFailure.Certificate) {
        guard name.tag == Tag.dnsName || name.tag == Tag.address else { return }
        guard result.names.count < maximumNames else {
            result.omittedNames += 1
            return
        }
        result.names.append(name.tag == Tag.dnsName ? text(name) : address(Array(name.content)))
    }

    private static func address(_ bytes: [UInt8]) -> String {
        switch bytes.count {
        case 4: bytes.map { "\($0)" }.joined(separator: ".")
        case 16:
            stride(from: 0, to: 16, by: 2)
                .map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
        default: "an address of \(bytes.count) bytes"
        }
    }

    /// Returns the common name and the organization of a distinguished name.
    private static func name(_ element: DERReader.Element) -> String {
        let attributes = attributes(of: element)
        let parts = [commonName, organisation].compactMap { type in
            attributes.last { $0.type == type }.map { text($0.value) }
        }
        return parts.joined(separator: ", ")
    }

    private static func attributes(of name: DERReader.Element) -> [(type: [UInt8], value: DERReader.Element)] {
        var result: [(type: [UInt8], value: DERReader.Element)] = []
        var sets = name.reader
        while var set = sets.next()?.reader {
            while var pair = set.next()?.reader {
                guard let type = pair.next(Tag.identifier), let value = pair.next() else { continue }
                if type.content.count == 3 { result.append((Array(type.content), value)) }
            }
        }
        return result
    }

    /// Decodes a string of any ASN.1 type, and escapes it.
    private static func text(_ element: DERReader.Element) -> String {
        // Escaping the text would truncate any further bytes.
        let bytes = Array(element.content.prefix(PrintableText.usualLimit * 4 + 4))
        let text: String
        switch element.tag {
        case 0x1E:
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map { start in
                UInt16(bytes[start]) << 8 | UInt16(bytes[start + 1])
            }
            text = String(decoding: units, as: UTF16.self)
        case 0x1C:
            let units = stride(from: 0, to: bytes.count - 3, by: 4).map { start in
                bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            text = String(decoding: units, as: UTF32.self)
        case 0x14:
            text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default:
            text = String(decoding: bytes, as: UTF8.self)
        }
        return PrintableText.escape(text)
    }

    // MARK: Dates

    /// Reads a time in the forms that RFC 5280 §4.1.2.5 allows: in UTC, with seconds and without fractions.
    private static func date(_ element: DERReader.Element) -> Date? {
        let digits = Array(element.content)
        guard digits.last == UInt8(ascii: "Z"), digits.dropLast().allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        let text = String(decoding: digits, as: UTF8.self)
        switch (element.tag, digits.count) {
        case (Tag.utcTime, 13): return date((digits[0] < 0x35 ? "20" : "19") + text)
        case (Tag.generalizedTime, 15): return date(text)
        default: return nil
        }
    }

    private static func date(_ text: String) -> Date? {
        let digits = Array(text.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
        let day = [part(0..<4), part(4..<6), part(6..<8)].joined(separator: "-")
        let time = [part(8..<10), part(10..<12), part(12..<14)].joined(separator: ":")
        return RFC3339.date(from: "\(day)T\(time)Z")
    }
}

extension DERReader {
    /// Reads the first element, if it has a tag.
    fileprivate func first(_ tag: UInt8) -> Element? {
        var copy = self
        return copy.next(tag)
    }
}
