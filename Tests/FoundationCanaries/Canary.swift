/// A fault of Foundation's `URLSession` on Linux against which `URLSessionTransport` has a guard.
///
/// Each case shows one of them, with plain Foundation, in a process of its own; the numbers are those of the project's
/// list of faults. Once one is not seen any more, Foundation is mended and the guard can go.
///
/// Only faults that show every time are here: not fault 1, the deadlock of `data(for:)` when its task is cancelled,
/// which takes up to thousands of requests to be seen, and 16 and 44, which are races too.
package enum Canary: String, CaseIterable, Sendable {
    case row02AnsweringARedirectAfterCancelTraps
    case row03RedirectCarriesSecretsAway
    case row04RedirectLosesTheBody
    case row05RedirectResolvesWrongly
    case row07TrailerTraps
    case row07EndInsideTheHeadTraps
    case row08UnauthorizedNeverEnds
    case row11DispositionIsIgnored
    case row12InformationalHeadIsAResponse
    case row15ResumingSendsAgain
    case row18CompressedLengthIsExpected
    case row19HalfASecondIsNone
    case row20ResourceTimeoutIsIgnored
    case row21LineBreakInANameIsSent
    case row23StaleConnectionHangs
    case row24StreamInPlaceOfDataTraps
    case row31FieldWithoutSpaceFails
    case row34RepeatedFieldsAreJoined
    case row38MetricsNeverCome
    case row42LiteralAddressFails
    case row43TaskAfterInvalidationTraps
    case row48ContentTypeIsInvented
    case row51RedirectWithoutLocationLosesItsBody
    case row52AcceptEncodingOfOnesOwnIsDecoded

    /// Whether the fault ends the process.
    package var traps: Bool {
        switch self {
        case .row02AnsweringARedirectAfterCancelTraps, .row07TrailerTraps, .row07EndInsideTheHeadTraps,
            .row24StreamInPlaceOfDataTraps, .row43TaskAfterInvalidationTraps:
            true
        default: false
        }
    }
}
