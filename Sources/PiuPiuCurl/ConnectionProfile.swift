#if os(Linux)
import PiuPiuAsync
import Synchronization

/// Everything that a connection depends on except its origin: TLS, identity, proxy and route.
///
/// Each profile has its own engines, and therefore its own connections. libcurl also compares settings before it reuses a
/// connection, but not all of them, and versions differ in which (curl #5617, CVE-2022-27782). Separate engines ensure that a
/// request with one identity can't use a connection of another.
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
