#if os(Linux)
import CShims

/// The memory that the TLS connections of one event loop receive into, one a loop.
///
/// Only the loop's thread uses it.
package final class TLSInput {
    let pointer: UnsafeMutablePointer<cs_input>?

    /// Allocates the memory.
    ///
    /// Without enough of it, sessions cannot be created.
    ///
    /// - Parameter capacity: The number of bytes that one receive takes at most.
    package init(capacity: Int = 64 << 10) {
        pointer = cs_input_create(max(capacity, 1))
    }

    deinit {
        if let pointer { cs_input_free(pointer) }
    }
}
#endif
