/// Takes what a sample prints, so that a test can look at it.
package final class Printed {
    package private(set) var lines: [String] = []

    package init() {}

    package func callAsFunction(_ items: Any...) {
        lines.append(items.map { "\($0)" }.joined(separator: " "))
    }
}
