extension Duration {
    /// The duration in milliseconds with three decimal places, such as `12.345`; a negative one counts as zero.
    var milliseconds: String {
        let microseconds = clampedNanoseconds / 1000
        let fraction = String(microseconds % 1000)
        return "\(microseconds / 1000)." + String(repeating: "0", count: 3 - fraction.utf8.count) + fraction
    }
}
