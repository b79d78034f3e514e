import Foundation
import PiuPiuAsync

/// The process of all relays, written in Python because its `ssl` module lets a server choose what no other does: what is
/// in a record, and whether a connection ends with `close_notify`.
final class TLSRelayProcess: Sendable {
    /// The process, which is started when it is first needed; `nil` if it cannot be started.
    static let shared: TLSRelayProcess? = {
        do {
            return try TLSRelayProcess()
        } catch {
            FileHandle.standardError.write(Data("Tests with scripted TLS are skipped: \(error)\n".utf8))
            return nil
        }
    }()

    private struct Relays {
        var last = 0
        var states: [Int: Observed<TLSRelay.State>] = [:]
    }

    let certificates: Certificates
    private let companion: Companion
    private let relays = Locked(Relays())

    private init() throws {
        let python = try Command("python3")
        try python.run("-I", "-c", "import ssl, sys; assert sys.version_info >= (3, 8) and ssl.HAS_TLSv1_3")
        certificates = try Certificates.shared.get()
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Python/tls_relay.py")
        companion = try Companion(python, ["-I", "-u", script.path])
        let thread = Thread { [companion, relays] in
            companion.readLines { line in Self.receive(line.split(separator: " "), relays) }
        }
        thread.name = "TLSRelay"
        thread.start()
    }

    /// Starts a relay, which tells its port through its state.
    func start(_ target: Int, _ settings: TLSRelay.Settings, _ state: Observed<TLSRelay.State>) throws -> Int {
        let number = relays.withLock { relays in
            relays.last += 1
            relays.states[relays.last] = state
            return relays.last
        }
        let (records, length) =
            switch settings.records {
            case .asWritten: ("written", 0)
            case .atMost(let length): ("written", length)
            case .exactly(let length): ("exact", length)
            }
        let command: [String: Any] = [
            "start": number, "target": target, "protocols": settings.protocols,
            "certificate": certificates.certificate("good").path, "key": certificates.key("good").path,
            "mismatch": settings.mismatch.rawValue, "version": settings.version.rawValue,
            "end": settings.end.rawValue, "records": records, "length": length,
            "requires_certificate": settings.requiresCertificate,
            "closes": settings.closesAfterGreeting,
            "greeting": settings.greeting.map { String(format: "%02x", $0) }.joined(),
        ]
        companion.send(String(decoding: try JSONSerialization.data(withJSONObject: command), as: UTF8.self))
        return number
    }

    func stop(_ number: Int) {
        let state = relays.withLock { $0.states.removeValue(forKey: number) }
        if state != nil { companion.send(#"{"stop": \#(number)}"#) }
    }

    private static func receive(_ words: [Substring], _ relays: Locked<Relays>) {
        guard words.count > 2, let number = Int(words[1]), let value = Int(words[2]),
            let state = relays.withLock({ $0.states[number] })
        else { return }
        state.update { state in
            switch words[0] {
            case "ready": state.port = value
            case "agreed": state.protocols.append(words[3] == "-" ? nil : String(words[3]))
            case "refused": state.refusals += 1
            case "sent": state.sent[value] = Int(words[3])
            default: break
            }
        }
    }
}
