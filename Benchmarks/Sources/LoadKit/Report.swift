import Foundation

/// A line of JSON on the standard output.
package struct Report {
    private var parts: [String] = []

    package init() {}

    package func with(_ name: String, _ value: String) -> Report { adding(name, "\"\(value)\"") }
    package func with(_ name: String, _ value: Int) -> Report { adding(name, String(value)) }
    package func with(_ name: String, _ value: Double) -> Report { adding(name, String(format: "%.3f", value)) }

    private func adding(_ name: String, _ value: String) -> Report {
        var report = self
        report.parts.append("\"\(name)\":\(value)")
        return report
    }

    package func print() {
        Swift.print("{" + parts.joined(separator: ",") + "}")
        fflush(nil)
    }
}
