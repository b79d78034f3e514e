#if os(Linux)
import PiuPiuEngine

/// How the event loops of a transport find the addresses of names, and what they remember of them together.
struct SocketNames: Sendable {
    /// The addresses that were found.
    let addresses = Locked(AddressCache())
    /// The lookups.
    let lookups: NameLookups
}
#endif
