/// The encoder of one value of a form, and its container for a single value.
struct FormValueEncoder: Encoder, SingleValueEncodingContainer {
    let place: FormPlace
    var codingPath: [any CodingKey] { place.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if place.isElement { place.fail(.nestedInArray) }
        return KeyedEncodingContainer(FormKeyedContainer(place: place))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if place.name == nil { place.fail(.noNames) }
        if place.isElement { place.fail(.nestedInArray) }
        return FormUnkeyedContainer(place: place)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() throws {}
    func encode(_ value: Bool) throws { try place.write(value) }
    func encode(_ value: String) throws { try place.write(value) }
    func encode(_ value: Double) throws { try place.write(number: value) }
    func encode(_ value: Float) throws { try place.write(number: value) }
    func encode(_ value: Int) throws { try place.write(value) }
    func encode(_ value: Int8) throws { try place.write(value) }
    func encode(_ value: Int16) throws { try place.write(value) }
    func encode(_ value: Int32) throws { try place.write(value) }
    func encode(_ value: Int64) throws { try place.write(value) }
    func encode(_ value: UInt) throws { try place.write(value) }
    func encode(_ value: UInt8) throws { try place.write(value) }
    func encode(_ value: UInt16) throws { try place.write(value) }
    func encode(_ value: UInt32) throws { try place.write(value) }
    func encode(_ value: UInt64) throws { try place.write(value) }
    func encode(_ value: some Encodable) throws { try place.encode(value) }
}

private struct FormKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: FormPlace
    var codingPath: [any CodingKey] { place.codingPath }

    func encodeNil(forKey key: Key) throws {}
    func encode(_ value: some Encodable, forKey key: Key) throws { try place.child(key).encode(value) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        FormValueEncoder(place: place.child(key)).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        FormValueEncoder(place: place.child(key)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { FormValueEncoder(place: place.child(FormKey(stringValue: "super"))) }
    func superEncoder(forKey key: Key) -> any Encoder { FormValueEncoder(place: place.child(key)) }
}

private struct FormUnkeyedContainer: UnkeyedEncodingContainer {
    let place: FormPlace
    var codingPath: [any CodingKey] { place.codingPath }
    private(set) var count = 0

    init(place: FormPlace) {
        self.place = place
    }

    private mutating func next() -> FormPlace {
        defer { count += 1 }
        return place.element(count)
    }

    mutating func encodeNil() throws { _ = next() }
    mutating func encode(_ value: some Encodable) throws { try next().encode(value) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        FormValueEncoder(place: next()).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        FormValueEncoder(place: next()).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { FormValueEncoder(place: next()) }
}
