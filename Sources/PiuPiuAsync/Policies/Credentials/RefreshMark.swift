/// Marks the task of a refresh and what it starts, so that the requests of a refresh do not wait for it.
struct RefreshMark: Sendable {
    /// The identity of a policy; a mark keeps it alive, so that no other object can take its address.
    final class Owner: Sendable {}

    /// The refreshes in which the current task runs.
    @TaskLocal static var current: [RefreshMark] = []

    let owner: Owner
    let number: Int

    /// Runs a function inside a refresh; tasks that it creates belong to the refresh.
    static func run<Result>(_ number: Int, of owner: Owner, _ body: () -> Result) -> Result {
        $current.withValue(current + [RefreshMark(owner: owner, number: number)], operation: body)
    }
}
