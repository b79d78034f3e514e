import PiuPiuAsync
import SuiteSupport
import Testing

struct TimeoutPhaseTests {
    @Test func phasesHaveNames() {
        #expect(TimeoutPhase.allCases.map(\.rawValue) == ["queue", "connect", "head", "idle", "total", "attempt"])
        for phase in TimeoutPhase.allCases {
            #expect(TimeoutPhase(rawValue: phase.rawValue) == phase)
            #expect("\(phase)" == phase.rawValue)
        }
        #expect(TimeoutPhase(rawValue: "unknown") == nil)
        #expect(Set(TimeoutPhase.allCases).count == 6)
    }

    @Test func phasesAreSmall() {
        #expect(MemoryLayout<TimeoutPhase>.size == 1)
        #expect(_isPOD(TimeoutPhase.self))
    }

    @Test(arguments: [(TimeoutPhase?.some(.idle), "slow"), (.connect, "connecting"), (.total, "other"), (nil, "none")])
    func aSwitchCanNameThem(_ pair: (TimeoutPhase?, String)) {
        let text =
            switch pair.0 {
            case .connect, .queue: "connecting"
            case .head, .idle: "slow"
            case nil: "none"
            default: "other"
            }
        #expect(text == pair.1)
    }
}
