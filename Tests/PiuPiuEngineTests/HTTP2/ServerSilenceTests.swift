#if os(Linux)
import Testing

@testable import PiuPiuEngine

struct ServerSilenceTests {
    /// What happens on a connection, in milliseconds after it was opened.
    enum Event: Sendable {
        case byte(at: Int64)
        case late(from: Int64, at: Int64)
        case unwanted(from: Int64, at: Int64)
    }

    private static let rows: [(String, [Event], isDoubtful: Bool)] = [
        ("nothing came in a long time", [.late(from: 0, at: 1500)], true),
        ("nothing came in a short time", [.late(from: 0, at: 300)], true),
        ("the time was hardly longer than the way", [.late(from: 0, at: 50)], false),
        ("a window update came for the upload", [.byte(at: 5), .late(from: 0, at: 1500)], true),
        ("another stream's answer came a moment later", [.byte(at: 200), .late(from: 0, at: 1500)], true),
        ("the server has just said something", [.byte(at: 1450), .late(from: 0, at: 1500)], false),
        ("it was silent before the stream began", [.late(from: 60_000, at: 60_050)], false),
        ("many streams end together", [.byte(at: 9), .late(from: 0, at: 700), .late(from: 1, at: 701)], true),
        ("a byte came after the doubt", [.late(from: 0, at: 1500), .byte(at: 1501)], false),
        ("nobody wanted it soon", [.unwanted(from: 0, at: 900)], false),
        ("nobody wanted it after long", [.byte(at: 10), .unwanted(from: 0, at: 1100)], true),
        ("short limits follow each other", [.late(from: 0, at: 60), .late(from: 60, at: 120)], true),
        (
            "nobody wanted several, one after the other",
            [.unwanted(from: 0, at: 400), .unwanted(from: 500, at: 900), .unwanted(from: 950, at: 1100)], true
        ),
        ("nobody waited for long in between", [.unwanted(from: 0, at: 400), .unwanted(from: 5000, at: 5400)], false),
        (
            "a byte came in between",
            [.unwanted(from: 0, at: 900), .byte(at: 950), .unwanted(from: 900, at: 1100)], false
        ),
    ]

    @Test(arguments: rows) func aServerIsInDoubt(_ row: (String, [Event], isDoubtful: Bool)) {
        var silence = ServerSilence(now: 0)
        var questions = 0
        for event in row.1 {
            switch event {
            case .byte(let time): _ = silence.received(now: time * 1_000_000)
            case .late(let start, let time):
                let asks = silence.gaveUp(begunAt: start * 1_000_000, isLate: true, now: time * 1_000_000)
                questions += asks ? 1 : 0
            case .unwanted(let start, let time):
                let asks = silence.gaveUp(begunAt: start * 1_000_000, isLate: false, now: time * 1_000_000)
                questions += asks ? 1 : 0
            }
        }
        #expect(silence.isDoubtful == row.isDoubtful)
        #expect(questions <= 1 && (questions == 1 || !row.isDoubtful))
        // Whatever comes ends it, once.
        #expect(silence.received(now: .max) == row.isDoubtful)
        #expect(!silence.isDoubtful)
    }
}
#endif
