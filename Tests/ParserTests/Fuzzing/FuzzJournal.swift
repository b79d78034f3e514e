import PiuPiuAsync

/// The input that is being looked at, in a file that outlives a process that ends.
final class FuzzJournal {
    private let url: URL
    private let file: OpenFile

    /// Creates a journal of a target in the folder that `FUZZ_JOURNAL` names, or in that of temporary files.
    init(_ target: String) throws {
        let folder = FuzzOptions.environment["FUZZ_JOURNAL"].map { URL(fileURLWithPath: $0, isDirectory: true) }
        url = (folder ?? FileManager.default.temporaryDirectory).appending(path: "PiuPiuFuzz-\(getpid())-\(target)")
        OpenFile.remove(url)
        file = try OpenFile.creating(url)
    }

    deinit {
        OpenFile.remove(url)
    }

    /// Notes an input before it is looked at.
    ///
    /// The file has a line with what it is and how long, and the input. What follows is of longer inputs before.
    func note(_ target: String, seed: UInt64, number: Int, _ input: [UInt8]) throws {
        let line = "\(target) --seed \(seed) --only \(number) of \(input.count) bytes\n"
        try file.write(Data(line.utf8) + Data(input), at: 0)
    }
}
