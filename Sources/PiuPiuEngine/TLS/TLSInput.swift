#if os(Linux)
import CShims

/// The memory that the TLS connections of one event loop receive into; each loop has one.
///
/// Only the loop's thread uses it.
package final class TLSInput {
    let pointer: UnsafeMutablePointer<cs_input>?

    /// Allocates memory for receives of at most `capacity` bytes.
    ///
    /// Sessions cannot be created without enough memory.
    package init(capacity: Int = 64 << 10) {
        pointer = cs_input_create(max(capacity, 1))
    }

    deinit {
        if let pointer { cs_input_free(pointer) }
    }
}
#endif
