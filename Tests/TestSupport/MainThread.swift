import Foundation

extension DispatchQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the main queue runs this; on Linux, it need not do so on the first thread of the process.
    package static var isMain: Bool { getSpecific(key: key) == true }
}

extension MainActor {
    /// Returns when whatever was sent to the main actor has run.
    package static func drain() async {
        for _ in 0..<3 {
            await Task { @MainActor in }.value
            await Task.yield()
        }
    }
}
