#if os(Linux)
import Glibc
import TestSupport
import Testing

/// How the programs of tests are started.
@Suite struct CommandTests {
    @Test func aProgramGetsTheSignalsThatItsStarterBlocks() throws {
        let shell = try Command("sh")
        var (blocked, before) = (sigset_t(), sigset_t())
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        #expect(throws: (any Error).self) { try shell.run("-c", "kill -TERM $$; exit 0") }
        try shell.run("-c", "exit 0")
    }
}
#endif
