// Login and logout.
extension AuthenticationPolicy {
    /// Replaces the credential, for instance after a login.
    ///
    /// ```swift
    /// authentication.setCredential(try await login(user, password))
    /// ```
    ///
    /// Each request that reaches the policy from now on gets it. A refresh that runs is cancelled, and its result is ignored;
    /// the requests that wait for it are sent with the new credential. A request that was sent with an older credential
    /// and is refused is sent again with the new one. If it is another user's, call ``removeCredential()`` first: then no
    /// request of the user before is sent again as the new user.
    ///
    /// A ``Coalescing`` or a ``ResponseCache`` in front of a policy of ``OAuth2ClientCredentials``, whose token is the same for all
    /// callers, does not see this: for another client, create another policy and another dispatcher.
    ///
    /// The policy asks for its `lifetime` at the first request that uses it. The function returns at once, and may be called
    /// from any thread. In `refresh`, return the credential instead.
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
    /// The policy is then as if it had been created without a credential: the next request waits for a refresh, which gets
    /// `nil`. Throw an error of your own there if only the user can log in again.
    ///
    /// A refresh that runs is cancelled, and its result is ignored; the requests that wait for it fail with
    /// ``AuthenticationError`` and the code `credentialRemoved`. So does a request that was sent with the credential before
    /// and is refused, also if another credential was set in the meantime. Every other answer to such a request reaches its
    /// caller. A ``RetryPolicy`` that sends it again takes the credential of that moment, however, as a redirect does: cancel
    /// the calls that belong to the user.
    ///
    /// The function returns at once, and may be called from any thread. In `refresh`, throw an error instead.
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
