#if os(Linux)
/// A timer that runs a closure on the thread of its loop, once for each ``Reactor/schedule(_:at:)``.
package final class LoopTimer: Pollable {
    private let fire: () -> Void

    package init(_ fire: @escaping () -> Void) {
        self.fire = fire
        super.init()
    }

    package override func timerFired() { fire() }
}
#endif
