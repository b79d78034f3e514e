#if os(Linux)
import PiuPiuAsync
import Synchronization

/// All that a connection depends on except its origin: TLS, identity, proxy and route.
///
/// Each profile has engines of its own, and so connections of its own. libcurl compares settings too before it reuses a
/// connection, but not all of them, and versions differ in which (curl #5617, CVE-2022-27782): what is sent with one
/// identity can't reach a connection of another.
///
///     current ── retire ──▶ retired: its engines go when their last exchange ends
final class ConnectionProfile: RetirableProfile {
    let settings: CurlHandle.Settings
    private let retired = Atomic<Bool>(false)

    init(_ settings: CurlHandle.Settings) {
        self.settings = settings
    }

    var isRetired: Bool { retired.load(ordering: .acquiring) }

    func retire() { retired.store(true, ordering: .releasing) }
}

/// The profiles of a transport over libcurl.
typealias ConnectionProfiles = TransportProfiles<ConnectionPlan>
#endif
