/// The context in which the work of a future runs.
@usableFromInline
struct FutureContext: Sendable {
    /// The run that includes the work.
    let run: FutureRun
    /// The future the work belongs to, which receives the progress of requests.
    let future: any AnyFuture
}
