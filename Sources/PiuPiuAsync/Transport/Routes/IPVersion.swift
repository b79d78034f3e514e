/// The versions of IP that connections use.
public enum IPVersion: Sendable, Hashable {
    /// IPv4 and IPv6, whichever answers first (RFC 8305).
    case any
    /// IPv4 only.
    case v4
    /// IPv6 only.
    case v6
}
