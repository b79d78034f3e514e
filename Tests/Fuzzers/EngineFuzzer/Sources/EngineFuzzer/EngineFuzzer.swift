import FuzzDriver
import Glibc

/// Runs libFuzzer on a case: `EngineFuzzer CASE SEED OPTIONS`, with the options of libFuzzer.
@main struct EngineFuzzer {
    /// The case, set before anything runs.
    nonisolated(unsafe) static var fuzzed = FuzzCase.response
    nonisolated(unsafe) static var seed = ""
    nonisolated(unsafe) static var runs = 0

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 2, let fuzzed = FuzzCase.all.first(where: { $0.name == arguments[1] }) else {
            print(FuzzCase.all.map(\.name).joined(separator: "\n"))
            exit(arguments.count > 1 ? 2 : 0)
        }
        (Self.fuzzed, seed) = (fuzzed, arguments[2])
        LocalNetwork.isAlone = true
        let options = [arguments[0], "-seed=\(seed)", "-max_len=\(fuzzed.limit)"] + arguments.dropFirst(3)
        var pointers = options.map { strdup($0) } + [nil]
        var count = CInt(options.count)
        let code = pointers.withUnsafeMutableBufferPointer { buffer in
            buffer.withMemoryRebound(to: UnsafeMutablePointer<CChar>.self) { buffer in
                guard var start = buffer.baseAddress else { return CInt(2) }
                return LLVMFuzzerRunDriver(&count, &start, check)
            }
        }
        exit(code)
    }
}

/// Looks at an input; a finding ends the process after it was made smaller.
private func check(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    EngineFuzzer.runs += 1
    let fuzzed = EngineFuzzer.fuzzed
    guard let problem = fuzzed.problem(input) else { return 0 }
    let small = fuzzed.smallest(input, problem)
    let path = "/tmp/PiuPiuFuzz-found-\(fuzzed.name)"
    if let file = fopen(path, "w") {
        fwrite(small, 1, small.count, file)
        fclose(file)
    }
    print("\nFINDING in \(fuzzed.name), run \(EngineFuzzer.runs) of seed \(EngineFuzzer.seed): \(problem)")
    print("\(small)\n\(small.shown)\n\(small.count) bytes: \(path)")
    fflush(nil)
    _exit(1)
}

/// Makes the next input: by what libFuzzer knows of coverage, by what the case knows of its inputs, or from nothing.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt) -> Int {
    var random = FuzzRandom(seed: UInt64(seed))
    guard random.picks(60) else { return LLVMFuzzerMutate(bytes, count, capacity) }
    let fuzzed = EngineFuzzer.fuzzed
    var input = Array(UnsafeBufferPointer(start: bytes, count: count))
    if random.picks(10) { input = fuzzed.sample(&random) }
    for _ in 0...random.below(3) { fuzzed.mutate(&input, &random) }
    let size = min(input.count, capacity)
    for place in 0..<size { bytes[place] = input[place] }
    return size
}
