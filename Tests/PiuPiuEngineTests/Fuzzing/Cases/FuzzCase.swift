/// A part of the engine that is fuzzed, with what has to hold for every input.
///
/// An input is a list of bytes, whatever it stands for: a response, or the choices of a story. So the same inputs are
/// mutated and made smaller in the same way, and a fuzzer that is guided by coverage can look for more of them.
struct FuzzCase: Sendable {
    /// The name, which is also that of the folder of its corpus.
    let name: String
    /// How many bytes an input may have.
    let limit: Int
    /// Texts that mean something in an input, which mutations insert.
    var tokens: [[UInt8]] = []
    /// Makes an input from nothing.
    let sample: @Sendable (_ random: inout FuzzRandom) -> [UInt8]
    /// Looks at an input, and throws what is wrong.
    let check: @Sendable (_ input: [UInt8]) throws(FuzzProblem) -> Void

    static let all: [FuzzCase] = [response] + network + [pool]
    #if os(Linux)
    private static let network = [race, opener, lookups, tunnel]
    #else
    private static let network: [FuzzCase] = []
    #endif

    /// What is wrong with an input; `nil` if nothing is.
    func problem(_ input: [UInt8]) -> String? {
        do throws(FuzzProblem) {
            try check(input)
            return nil
        } catch {
            return error.text
        }
    }

    /// Choices for a story: nothing but chance.
    static func choices(_ random: inout FuzzRandom, upTo limit: Int) -> [UInt8] {
        // Small numbers are the first of several choices, and large ones are more of something.
        let isSmall = random.picks(50)
        let count = random.below(limit + 1)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() >> (isSmall ? 60 : 56)) }
    }
}

/// What is wrong with an input, with nothing in it that differs from input to input.
struct FuzzProblem: Error {
    let text: String
}

/// Throws unless something holds.
func demand(_ condition: Bool, _ problem: @autoclosure () -> String) throws(FuzzProblem) {
    guard condition else { throw FuzzProblem(text: problem()) }
}

/// The bytes of an input, one choice after the other.
struct FuzzChoices {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isOver: Bool { position >= bytes.count }

    /// A number from 0 up to a limit, without it; 0 after the end.
    mutating func below(_ limit: Int) -> Int {
        guard position < bytes.count, limit > 1 else { return 0 }
        position += 1
        return Int(bytes[position - 1]) % limit
    }

    mutating func element<Element>(of list: [Element]) -> Element { list[below(list.count)] }
}
