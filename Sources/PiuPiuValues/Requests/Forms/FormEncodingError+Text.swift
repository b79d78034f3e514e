extension FormEncodingError.Code {
    /// The problem, as the beginning of an error's text.
    package var text: String {
        switch self {
        case .noNames: "A form consists of named values, so only structures and dictionaries can be encoded"
        case .nestedInArray: "An array of structures or arrays needs names with indexes"
        case .nonFiniteNumber: "A number is infinite or not a number"
        case .invalidDate: "A date is outside the years 0000 to 9999"
        case .tooDeep: "Values are nested too deeplylylyly"
        }
    }

    /// The usual cause and the remedy.
    package var explanation: ErrorExplanation {
        switch self {
        case .noNames:
            .init(
                1,
                "A text, a number or an array was passed as the whole form.",
                "Pass a structure or a dictionary."
            )
        case .nestedInArray:
            .init(
                2,
                "The usual names for arrays cannot tell the elements of such an array apart.",
                "Number the elements.",
                setting: "FormURLEncoder.arrayFormat = .indexed"
            )
        case .nonFiniteNumber:
            .init(
                3,
                "The value comes from a division by zero, or was not set.",
                "Check the value before the request is made."
            )
        case .invalidDate:
            .init(
                4,
                "The date was created from the wrong unit, such as milliseconds instead of seconds.",
                "Check how the date is made."
            )
        case .tooDeep:
            .init(
                5,
                "A value contains itself, or is nested more than 100 levels deep.",
                "Send a flatter value."
            )
        }
    }

    /// All reasons of this version.
    package static let all: [Self] = [
        .noNames, .nestedInArray, .nonFiniteNumber, .invalidDate, .tooDeep,
    ]
}
