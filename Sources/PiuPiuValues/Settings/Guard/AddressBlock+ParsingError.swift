extension AddressBlock.ParsingError {
    /// The problem, as the beginning of an error's text.
    package var text: String {
        switch self {
        case .address: "The block does not begin with an IP address in its usual notation"
        case .prefixLength: "The length of the block's prefix is not a number of bits of its address"
        case .bitsAfterPrefix: "The address of the block has bits after its prefix"
        }
    }

    /// The usual cause and the remedy.
    package var explanation: ErrorExplanation {
        switch self {
        case .address:
            .init(
                1,
                "The text is a host name, or an address in an unusual notation such as octal numbers.",
                "Write the block as 10.0.0.0/8 or fd00::/8."
            )
        case .prefixLength:
            .init(
                2,
                "The number after the slash is missing or too large.",
                "Use at most 32 for IPv4 and 128 for IPv6."
            )
        case .bitsAfterPrefix:
            .init(
                3,
                "The address is that of a machine, not of the network.",
                "Set the bits after the prefix to zero, as in 10.0.0.0/8."
            )
        }
    }

    /// All reasons of this version.
    package static let all: [Self] = [
        .address, .prefixLength, .bitsAfterPrefix,
    ]
}

extension AddressBlock.ParsingError: ExplainedError {
    /// The reason as a sentence; it does not quote the text.
    public var description: String { text }
}
