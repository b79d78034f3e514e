/// Decompresses a stream of RFC 1951; small and strict, without zlib.
struct Inflater {
    enum Failure: Error {
        /// The input ends before the stream does.
        case cutOff
        /// The stream breaks the rules, or grows without bound.
        case corrupt
    }

    private struct Code {
        /// How many codes have each length.
        var counts = [Int](repeating: 0, count: 16)
        var symbols: [Int] = []

        init(_ lengths: some Collection<Int>) throws(Failure) {
            for length in lengths { counts[length] += 1 }
            counts[0] = 0
            var left = 1
            for length in 1...15 {
                left = left * 2 - counts[length]
                guard left >= 0 else { throw .corrupt }
            }
            for length in 1...15 {
                for (symbol, other) in lengths.enumerated() where other == length { symbols.append(symbol) }
            }
        }
    }

    private static let outputLimit = 80 << 20
    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145,
        8193, 12289, 16385, 24577,
    ]
    private static let distanceBits = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private let input: ArraySlice<UInt8>
    /// The place of the next byte.
    private(set) var position: Int
    private var bitBuffer = 0
    private var bitCount = 0
    private(set) var output: [UInt8] = []

    /// Decompresses a stream from the beginning of some bytes.
    init(_ input: ArraySlice<UInt8>) throws(Failure) {
        self.input = input
        position = input.startIndex
        var isLast = false
        while !isLast {
            isLast = try bits(1) == 1
            switch try bits(2) {
            case 0: try copyStored()
            case 1: try decode(try Self.fixedLengths(), try Code(repeatElement(5, count: 30)))
            case 2: try decodeDynamic()
            default: throw .corrupt
            }
        }
    }

    private mutating func bits(_ count: Int) throws(Failure) -> Int {
        while bitCount < count {
            guard position < input.endIndex else { throw .cutOff }
            bitBuffer |= Int(input[position]) << bitCount
            position += 1
            bitCount += 8
        }
        defer {
            bitBuffer >>= count
            bitCount -= count
        }
        return bitBuffer & ((1 << count) - 1)
    }

    private mutating func copyStored() throws(Failure) {
        bitBuffer = 0
        bitCount = 0
        let count = try bits(16)
        guard try bits(16) == ~count & 0xFFFF else { throw .corrupt }
        guard position + count <= input.endIndex else { throw .cutOff }
        output += input[position..<(position + count)]
        position += count
    }

    private static func fixedLengths() throws(Failure) -> Code {
        try Code((0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    }

    private mutating func symbol(_ code: Code) throws(Failure) -> Int {
        var (value, first, index) = (0, 0, 0)
        for length in 1...15 {
            value |= try bits(1)
            let count = code.counts[length]
            if value - count < first { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw .corrupt
    }

    private mutating func decodeDynamic() throws(Failure) {
        let lengthCount = try bits(5) + 257
        let distanceCount = try bits(5) + 1
        let codeCount = try bits(4) + 4
        guard lengthCount <= 286, distanceCount <= 30 else { throw .corrupt }
        var codeLengths = [Int](repeating: 0, count: 19)
        for index in 0..<codeCount { codeLengths[Self.order[index]] = try bits(3) }
        let code = try Code(codeLengths)
        var lengths: [Int] = []
        while lengths.count < lengthCount + distanceCount {
            switch try symbol(code) {
            case 16:
                guard let last = lengths.last else { throw .corrupt }
                lengths += repeatElement(last, count: 3 + (try bits(2)))
            case 17: lengths += repeatElement(0, count: 3 + (try bits(3)))
            case 18: lengths += repeatElement(0, count: 11 + (try bits(7)))
            case let length: lengths.append(length)
            }
        }
        guard lengths.count == lengthCount + distanceCount, lengths[256] != 0 else { throw .corrupt }
        try decode(try Code(lengths[..<lengthCount]), try Code(lengths[lengthCount...]))
    }

    private mutating func decode(_ lengths: Code, _ distances: Code) throws(Failure) {
        while true {
            let value = try symbol(lengths)
            if value == 256 { return }
            guard value > 256 else {
                output.append(UInt8(value))
                continue
            }
            guard value <= 285, output.count < Self.outputLimit else { throw .corrupt }
            let count = Self.lengthBases[value - 257] + (try bits(Self.lengthBits[value - 257]))
            let place = try symbol(distances)
            guard place < 30 else { throw .corrupt }
            let distance = Self.distanceBases[place] + (try bits(Self.distanceBits[place]))
            guard distance <= output.count else { throw .corrupt }
            for _ in 0..<count { output.append(output[output.count - distance]) }
        }
    }
}
