/// Metrics in Prometheus' text format 0.0.4.
///
/// See https://prometheus.io/docs/instrumenting/exposition_formats/.
struct PrometheusText {
    /// The type of a metric.
    enum MetricType: String {
        case counter, gauge, histogram
    }

    private(set) var text = ""
    private var name = ""

    /// Starts a metric; the help text must not contain line ends and backslashes.
    mutating func begin(_ name: StaticString, _ type: MetricType, _ help: StaticString) {
        self.name = "\(name)"
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type.rawValue)\n"
    }

    /// Appends a sample of the metric.
    mutating func add(_ value: Int, _ labels: [(StaticString, String)] = []) {
        sample("", labels, "\(value)")
    }

    /// Appends the samples of a histogram, whose buckets are cumulative.
    mutating func add(_ histogram: Statistics.Histogram, _ labels: [(StaticString, String)]) {
        var count = 0
        for (index, part) in histogram.counts.enumerated() {
            count += part
            let bound = Self.bounds.indices.contains(index) ? Self.bounds[index] : "+Inf"
            sample("_bucket", labels + [("le", bound)], "\(count)")
        }
        sample("_sum", labels, Self.seconds(histogram.sum))
        sample("_count", labels, "\(count)")
    }

    private mutating func sample(_ suffix: String, _ labels: [(StaticString, String)], _ value: String) {
        text += name + suffix
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",") + "}"
        }
        text += " \(value)\n"
    }

    /// The bounds in seconds, such as `0.005` and `10`.
    private static let bounds = Statistics.Histogram.bounds.map { seconds($0) }

    private static func seconds(_ duration: Duration) -> String {
        let seconds = Double(duration.clampedNanoseconds) / 1e9
        // Without a fraction, like Prometheus itself.
        return seconds.rounded() == seconds && seconds < 1e9 ? "\(Int(seconds))" : "\(seconds)"
    }

    private static func escaped(_ label: String) -> String {
        var result = ""
        // Iterate over scalars, because a carriage return and a line feed form one character.
        for scalar in label.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
