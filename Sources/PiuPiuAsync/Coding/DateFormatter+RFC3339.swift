extension DateFormatter {
    /// A formatter for date-times of RFC 3339 in whole seconds, such as `2018-04-12T23:20:50Z`; it writes UTC.
    ///
    /// Every call gives a new formatter, so that changing one changes no other. It is slow to create: for JSON use the
    /// strategies called `rfc3339`, which need none.
    public static var rfc3339: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ssZZZZZ"
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        return formatter
    }
}
