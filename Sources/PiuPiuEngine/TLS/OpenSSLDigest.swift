#if os(Linux)
import CShims

/// SHA-256, computed by the OpenSSL of this process with the processor's instructions for it.
package struct OpenSSLDigest {
    /// The number of bytes of the digest.
    private static let length = 32

    private final class Context {
        let pointer: OpaquePointer

        /// Creates a context; `nil` if there is no memory.
        init?() {
            guard let pointer = cs_EVP_MD_CTX_new() else { return nil }
            self.pointer = pointer
        }

        deinit { cs_EVP_MD_CTX_free(pointer) }
    }

    /// The state; `nil` after a failure.
    private var context: Context?

    /// Begins a digest; `nil` if there is no OpenSSL, or if it refuses the function.
    package init?() {
        guard case .success = OpenSSLLibrary.shared, let type = cs_EVP_sha256(), let context = Context(),
            cs_EVP_DigestInit_ex(context.pointer, type, nil) == 1
        else { return nil }
        self.context = context
    }

    /// Appends bytes.
    package mutating func update(bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 0, let own = own() else { return }
        if cs_EVP_DigestUpdate(own.pointer, bytes.baseAddress, bytes.count) != 1 { context = nil }
    }

    /// Computes the 32 bytes of the digest; `nil` if OpenSSL failed, or if this was called before.
    package mutating func digest() -> [UInt8]? {
        guard let own = own() else { return nil }
        context = nil
        var count: UInt32 = 0
        // The length of the longest digest that OpenSSL knows.
        var digest = [UInt8](repeating: 0, count: 64)
        // Without this, the context could be freed while OpenSSL uses it.
        let isComputed = withExtendedLifetime(own) { cs_EVP_DigestFinal_ex(own.pointer, &digest, &count) == 1 }
        guard isComputed, count == Self.length else { return nil }
        return Array(digest.prefix(Self.length))
    }

    /// Returns a state that no copy of this value shares; `nil` after a failure.
    private mutating func own() -> Context? {
        guard context != nil, !isKnownUniquelyReferenced(&context) else { return context }
        guard let shared = context, let copy = Context(), cs_EVP_MD_CTX_copy_ex(copy.pointer, shared.pointer) == 1
        else {
            context = nil
            return nil
        }
        context = copy
        return copy
    }
}
#endif
