#if os(Linux)
import PiuPiuEngine

/// The name lookups and the address cache that all event loops of a transport share.
struct SocketNames: Sendable {
    /// The cached addresses.
    let addresses = Locked(AddressCache())
    let lookups: NameLookups
}
#endif
