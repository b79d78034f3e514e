extension JSONDecoder.DateDecodingStrategy {
    /// Reads dates in the format of RFC 3339 §5.6, with any offset, with or without a fraction of a second.
    public static var rfc3339: Self {
        .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            if let date = RFC3339.date(from: text) { return date }
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The text is not an RFC 3339 date.")
        }
    }
}

extension JSONEncoder.DateEncodingStrategy {
    /// Writes dates in the format of RFC 3339 §5.6, in UTC and whole seconds.
    public static var rfc3339: Self {
        .custom { date, encoder in
            var container = encoder.singleValueContainer()
            guard let text = RFC3339.string(from: date) else {
                let problem = "RFC 3339 has no form for a date outside the years 0000 to 9999."
                // The number instead of the date: describing a date that is NaN ends the process in Foundation.
                throw EncodingError.invalidValue(
                    date.timeIntervalSince1970,
                    EncodingError.Context(codingPath: encoder.codingPath, debugDescription: problem)
                )
            }
            try container.encode(text)
        }
    }
}
