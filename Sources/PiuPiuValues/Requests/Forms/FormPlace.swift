/// The fields that are encoded so far.
final class FormFields {
    var items = QueryItems()
    /// The first fault of a container, which `Encoder` has no way to throw.
    var error: FormEncodingError?
}

/// A key of an element of an array, or of a superclass.
struct FormKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(index: Int) {
        stringValue = String(index)
        intValue = index
    }

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init?(intValue: Int) { self.init(index: intValue) }
}

/// A place in a form: the name that a value gets, and the path to it.
struct FormPlace {
    let format: FormURLEncoder
    let fields: FormFields
    /// The name; `nil` for the value itself, which has none.
    var name: String?
    var codingPath: [any CodingKey] = []
    /// Whether the value is an element of an array whose names have no indexes.
    var isElement = false

    static let maximumDepth = 100

    func child(_ key: some CodingKey) -> FormPlace {
        var copy = self
        copy.codingPath.append(key)
        copy.isElement = false
        copy.name = named(key.stringValue)
        return copy
    }

    func element(_ index: Int) -> FormPlace {
        var copy = self
        copy.codingPath.append(FormKey(index: index))
        copy.isElement = format.arrays != .indexed
        switch format.arrays {
        case .repeated: break
        case .brackets: copy.name = name.map { $0 + "[]" }
        case .indexed: copy.name = named(String(index))
        }
        return copy
    }

    private func named(_ key: String) -> String {
        guard let name else { return key }
        return format.nesting == .dots ? "\(name).\(key)" : "\(name)[\(key)]"
    }

    func fail(_ code: FormEncodingError.Code) {
        if fields.error == nil { fields.error = FormEncodingError(code, codingPath) }
    }

    func write(_ value: some QueryValue) throws {
        guard let name else { throw FormEncodingError(.noNames, codingPath) }
        fields.items.append(name: name, value: value)
    }

    func write(number value: some BinaryFloatingPoint & QueryValue) throws {
        guard value.isFinite else { throw FormEncodingError(.nonFiniteNumber, codingPath) }
        try write(value)
    }

    func encode(_ value: some Encodable) throws {
        // A fault in a container ends the encoding at the next value.
        if let error = fields.error { throw error }
        guard codingPath.count <= Self.maximumDepth else { throw FormEncodingError(.tooDeep, codingPath) }
        switch value {
        case let date as Date: try write(date)
        case let url as URL: try write(url.absoluteString)
        case let data as Data: try write(data.base64EncodedString())
        case let number as Decimal:
            guard number.isFinite else { throw FormEncodingError(.nonFiniteNumber, codingPath) }
            try write(number)
        default: try value.encode(to: FormValueEncoder(place: self))
        }
    }

    private func write(_ date: Date) throws {
        // Both formats accept only the dates of RFC 3339.
        guard let text = RFC3339.string(from: date) else { throw FormEncodingError(.invalidDate, codingPath) }
        switch format.dates {
        case .rfc3339: try write(text)
        case .secondsSince1970: try write(Int(date.timeIntervalSince1970.rounded(.down)))
        }
    }
}
