extension DateFormatter {
    /// A formatter for date-times of RFC 3339 in whole seconds, such as `2018-04-12T23:20:50Z`; it writes UTC.
    ///
    /// Every call returns a new formatter, so that changing one does not change any other. Creating one is slow: for
    /// JSON, use the strategies called `rfc3339`, which do not need a formatter.
    public static var rfc3339: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ssZZZZZ"
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        return formatter
    }
}
