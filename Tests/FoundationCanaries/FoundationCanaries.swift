import Foundation

/// Shows one fault of Foundation on Linux: the first argument names it.
///
/// The status is 10 if the fault was seen and 0 if it was not. If something else went wrong, so that nothing could be
/// seen, it is 20, and if it took too long, 30.
@main
enum FoundationCanaries {
    static func main() {
        #if os(Linux)
        guard let canary = CommandLine.arguments.dropFirst().first.flatMap(Canary.init(rawValue:)) else {
            print(Canary.allCases.map(\.rawValue).joined(separator: "\n"))
            return
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + 20) { exit(30) }
        do {
            exit(try canary.isSeen() ? 10 : 0)
        } catch {
            exit(20)
        }
        #endif
    }
}
