#if os(Linux)
import Glibc

/// Why a name has no addresses.
package struct LookupFailure: Error, Sendable, Hashable {
    /// The kind of a failure.
    package enum Kind: Sendable, Hashable {
        /// The name does not exist, or has no address of the requested version of IP.
        case notFound
        /// No resolver could be asked, or none answered; a later lookup may succeed.
        case temporary
        /// Memory, descriptors or threads ran out.
        case outOfResources
    }

    /// The kind.
    package var kind: Kind
    /// The resolver's code, one of `EAI_…`.
    package var code: Int32
    /// The system's text for the code.
    package var text: String

    /// Creates a failure with the resolver's code.
    package init(_ kind: Kind, code: Int32) {
        self.kind = kind
        self.code = code
        text = gai_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// Interprets the resolver's code and the system's error number after a lookup that failed.
    init(code: Int32, errno: Int32) {
        if OpenFailure.isAboutResources(errno) || code == EAI_MEMORY {
            self.init(.outOfResources, code: code)
            if code != EAI_MEMORY { text = OpenFailure.text(of: errno) }
        } else if code == EAI_SYSTEM {
            self.init(.temporary, code: code)
            text = OpenFailure.text(of: errno)
        } else {
            self.init(code == EAI_AGAIN ? .temporary : .notFound, code: code)
        }
    }
}
#endif
