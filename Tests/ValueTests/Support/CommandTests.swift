#if os(Linux)
import SuiteSupport
import Glibc
import TestSupport
import Testing

/// How the programs of tests are started.
struct CommandTests {
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

    @Test(.enabled(if: Command.closesDescriptors, "glibc 2.34 is needed"))
    func aProgramInheritsNoDescriptor() throws {
        let inherited = open("/dev/null", O_RDONLY)
        defer { close(inherited) }
        try #require(inherited > 2)
        try Command("sh").run("-c", "test ! -e /proc/self/fd/\(inherited)")
    }
}
#endif
