#if os(Linux)
import Glibc

/// Why a connection could not be opened.
package struct OpenFailure: Error, Sendable, Hashable {
    /// The kind of a failure.
    package enum Kind: Sendable, Hashable {
        /// The address cannot be reached or refuses connections, or the local end cannot be used.
        case cannotConnect
        /// Memory or descriptors ran out.
        case outOfResources
        /// The system refuses the setting with this name.
        case cannotApply(String)
        /// The address may not be used, for this reason.
        case forbidden(String)
    }

    /// The kind.
    package var kind: Kind
    /// The system's error number; 0 if the system was not asked.
    package var code: Int32
    /// The operation that failed, such as `connect to 127.0.0.1:80`.
    package var what: String

    /// Creates a failure with the system's error number, and the operation that failed.
    package init(_ kind: Kind, code: Int32 = 0, what: String) {
        self.kind = kind
        self.code = code
        self.what = what
    }

    /// Creates a failure of the kind that the system's error number means, with the operation that failed.
    package init(code: Int32, what: String) {
        self.init(Self.isAboutResources(code) ? .outOfResources : .cannotConnect, code: code, what: what)
    }

    /// The failure of a connection to a host without addresses.
    static let noAddress = OpenFailure(.cannotConnect, what: "no address to connect to")

    /// The failed operation and the reason, as text.
    package var text: String {
        if case .forbidden(let reason) = kind { return "\(what): \(reason)" }
        return code == 0 ? what : "\(what): \(Self.text(of: code))"
    }

    /// Returns whether an error number means that memory or descriptors ran out.
    static func isAboutResources(_ code: Int32) -> Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) }

    /// Returns the system's text for an error number.
    static func text(of code: Int32) -> String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }

    /// The informative value of one address's failure; the failure with the greatest weight is reported.
    ///
    /// A machine without IPv6 first fails at each IPv6 address, which explains nothing.
    var weight: Int {
        switch kind {
        case .cannotApply: 4
        case .outOfResources: 3
        case .forbidden: 2
        case .cannotConnect: [ENETUNREACH, EAFNOSUPPORT, EADDRNOTAVAIL].contains(code) ? 0 : 1
        }
    }
}
#endif
