/// The version of this package, which is defined only here.
///
/// ```swift
/// print("PiuPiu", PiuPiuVersion.current)
/// ```
///
/// Before a release, it is the version in development.
public enum PiuPiuVersion {
    /// The version, by the rules of Semantic Versioning.
    public static let current = "2.0.0"

    /// The default `User-Agent` of requests: `PiuPiu`, with the major and the minor version.
    ///
    /// A patch changes nothing that a server has to know.
    public static let userAgent = "PiuPiu/" + current.split(separator: ".").prefix(2).joined(separator: ".")
}
