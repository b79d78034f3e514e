import NetworkKit

extension ResponseFuture {
    /// Sets every callback.
    ///
    /// - Parameters:
    ///   - journal: Takes down what they tell.
    ///   - name: What each entry begins with.
    ///   - token: What the callbacks keep alive.
    /// - Returns: This future.
    func record(_ journal: Journal, _ name: String = "", token: AnyObject? = nil) -> ResponseFuture<T> {
        response { value in
            _ = token
            journal("\(name)response \(value)")
        }.error { error in
            _ = token
            journal("\(name)error \(error)")
        }.completion {
            _ = token
            journal("\(name)completion")
        }
    }
}

extension Promise {
    /// Sets every callback.
    ///
    /// - Parameters:
    ///   - journal: Takes down what they tell.
    ///   - name: What each entry begins with.
    ///   - token: What the callbacks keep alive.
    /// - Returns: This promise.
    func record(_ journal: Journal, _ name: String = "", token: AnyObject? = nil) -> Promise<T, E> {
        success { value in
            _ = token
            journal("\(name)success \(value)")
        }.failure { value in
            _ = token
            journal("\(name)failure \(value)")
        }.error { error in
            _ = token
            journal("\(name)error \(error)")
        }.completion {
            _ = token
            journal("\(name)completion")
        }
    }
}

/// An object whose life can be watched.
final class Token: Sendable {}
