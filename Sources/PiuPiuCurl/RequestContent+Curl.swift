#if os(Linux)
import PiuPiuAsync

extension RequestContent {
    /// Whether the content may be endless.
    var isEndless: Bool {
        guard case .withStream(let body) = kind, !body.isRepeatable else { return false }
        return hasStarted && !isComplete
    }

    /// Whether a producer may have more bytes.
    var isProducing: Bool {
        guard case .withStream = kind else { return false }
        return !isComplete
    }
}

extension PreparedRequest {
    /// Whether the options are those of a `GET` without content.
    var isPlainGET: Bool {
        guard case .withoutContent = kind else { return false }
        return method == "GET"
    }
}

extension TLSIdentity {
    /// Whether a part of the identity is in a file, which can be replaced.
    var isInFiles: Bool {
        for case .file in [certificate, key].compactMap({ $0 }) { return true }
        return false
    }
}
#endif
