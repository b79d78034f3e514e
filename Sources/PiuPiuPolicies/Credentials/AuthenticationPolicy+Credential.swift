// Login and logout.
extension AuthenticationPolicy {
    /// Replaces the credential, for instance after a login.
    ///
    /// ```swift
    /// authentication.setCredential(try await login(user, password))
    /// ```
    ///
    /// Requests that reach the policy from now on get this credential. The policy cancels a running refresh and ignores its
    /// result; requests that wait for it are sent with the new credential. If a request was sent with an older credential and
    /// the server refuses it, the policy sends it again with the new one. If the credential belongs to another user, call
    /// ``removeCredential()`` first: then no request of the previous user is sent again as the new user.
    ///
    /// A ``Coalescing`` or a ``ResponseCache`` in front of a policy of ``OAuth2ClientCredentials``, whose token is the same for
    /// all callers, is not aware of the change: for another client, create another policy and another dispatcher.
    ///
    /// The policy determines the `lifetime` of the credential at the first request that uses it. The function returns at once,
    /// and may be called from any thread. In the `refresh` closure, return the credential instead.
    ///
    /// - Parameter credential: The credential.
    public func setCredential(_ credential: Credential) {
        let (end, dropped) = state.withLock { state in
            let dropped = state
            state.tasks = []
            return (state.machine.set(credential), dropped)
        }
        for task in dropped.tasks { task.cancel() }
        for waiter in end.waiters { waiter.resume(returning: end.lease) }
    }

    /// Removes the credential, for instance after a logout.
    ///
    /// The policy is then in the state of one that was created without a credential: the next request waits for a refresh,
    /// which receives `nil`. If only the user can log in again, throw an error of your own there.
    ///
    /// The policy cancels a running refresh and ignores its result; requests that wait for it fail with ``AuthenticationError``
    /// and the code `credentialRemoved`. So does a request that was sent with the removed credential and that the server
    /// refuses, even if another credential was set in the meantime. Any other response to such a request reaches its caller.
    /// However, a ``RetryPolicy`` that sends the request again uses the credential of that moment, and so does a redirect:
    /// cancel the calls that belong to the user.
    ///
    /// The function returns at once, and may be called from any thread. In the `refresh` closure, throw an error instead.
    public func removeCredential() {
        let (waiters, dropped) = state.withLock { state in
            let dropped = state
            state.tasks = []
            return (state.machine.remove(), dropped)
        }
        for task in dropped.tasks { task.cancel() }
        for waiter in waiters { waiter.resume(throwing: AuthenticationError(.credentialRemoved)) }
    }
}
