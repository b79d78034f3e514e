/// The version of this package, in the one place that has it.
///
/// ```swift
/// print("PiuPiu", PiuPiuVersion.current)
/// ```
///
/// Before the version is released, it is the one that is being worked on.
public enum PiuPiuVersion {
    /// The version, by the rules of Semantic Versioning.
    public static let current = "2.0.0"

    /// The `User-Agent` that requests have by default: `PiuPiu`, with the major and the minor version.
    ///
    /// A patch changes nothing that a server would have to know.
    public static let userAgent = "PiuPiu/" + current.split(separator: ".").prefix(2).joined(separator: ".")
}
