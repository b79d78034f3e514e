/// What PiuPiu 1.11.1 did wrong, or what must not go wrong again, and the tests that show that it does not.
struct KnownBug: Sendable {
    let number: Int
    /// What happened, or for a rule what has to.
    let text: String
    /// Functions by their file, from the folder of this module's tests.
    let tests: [String: [String]]
    /// Functions by their file, from the folder of the tests of PiuPiuAsync.
    let core: [String: [String]]

    init(_ number: Int, _ text: String, _ tests: [String: [String]], core: [String: [String]] = [:]) {
        self.number = number
        self.text = text
        self.tests = tests
        self.core = core
    }
}

extension KnownBug {
    /// The faults of 1.11.1: K1 to K24.
    static let all: [KnownBug] = [
        KnownBug(
            1,
            "What a request adapter returned was dropped.",
            ["Dispatching/RequestFutureTests.swift": ["whatARequestAdapterReturnsIsSent"]]
        ),
        KnownBug(
            2,
            "Completion was kept after the end, with all it captured, and could run again.",
            [
                "Futures/FutureLifetimeTests.swift": [
                    "aFutureThatIsKeptLetsGoOfItsHandlersAndItsWork",
                    "ownersCapturedByHandlersAreLetGoOfAndMayUseTheFuture",
                ]
            ]
        ),
        KnownBug(
            3,
            "Cancellation was lost in fulfill, safeResult, safeDecoded and with adapters: futures that never end.",
            [
                "Dispatching/AdapterFutureTests.swift": [
                    "cancellingWhileAnAdapterWorksIsNotLost", "cancellingBetweenAdaptersReachesTheSocket",
                    "noRequestIsACancellationAlsoWithAdapters",
                ], "Dispatching/RequestFutureTests.swift": ["nilCancelsAndAnErrorEndsIt"],
                "Futures/CancellationTests.swift": [
                    "cancellingTheOuterFutureCancelsTheInnerWork", "cancellingAnInnerFutureCancelsTheOuter",
                    "fulfillGivesTheOutcome",
                ],
            ]
        ),
        KnownBug(
            4,
            "Cancelling reached neither parents nor requests, and an ended future could change again.",
            [
                "Dispatching/AdapterFutureTests.swift": ["cancellingBetweenAdaptersReachesTheSocket"],
                "Dispatching/RequestFutureTests.swift": ["cancelReachesTheSocket"],
                "Futures/CancellationTests.swift": ["cancellingTheOuterFutureCancelsTheInnerWork"],
                "Futures/ManyThreadsTests.swift": ["aFutureMayBeUsedFromManyThreadsAtOnce"],
                "Futures/ResponseFutureTests.swift": [
                    "sendingAgainDoesNothing", "onlyTheFirstEndCounts", "ofManyEndsAtOnceOneCounts",
                    "cancellingWhileWorkRunsCancelsIt",
                ],
            ]
        ),
        KnownBug(
            5,
            "Futures of something that was released before they were sent never ended.",
            [
                "Dispatching/MockFutureTests.swift": ["releasedBeforeSendFails"],
                "Dispatching/OtherDispatcherTests.swift": ["releasedBeforeSendFails"],
                "Dispatching/RequestFutureTests.swift": ["releasedBeforeSendFails"],
                "Requests/RequestSerializerTests.swift": ["releasedBeforeSendFails"],
            ]
        ),
        KnownBug(
            6,
            "fetchResult never returned from a cancelled future, ignored its task, replaced handlers, and worked once.",
            [
                "Futures/FetchResultTests.swift": [
                    "theResultCanBeFetchedAgain", "fetchingDoesNotStealHandlers", "cancellingTheFutureThrows",
                    "cancellingTheTaskCancelsTheFuture",
                ]
            ]
        ),
        KnownBug(
            7,
            "Status, handlers and received bytes were written from several threads without a lock.",
            [
                "Dispatching/ManyRequestsTests.swift": ["requestsFromManyThreadsAtOnceAllEndWithTheirOwnBodies"],
                "Futures/ManyThreadsTests.swift": ["aFutureMayBeUsedFromManyThreadsAtOnce"],
                "Futures/ResponseFutureTests.swift": [
                    "ofManyEndsAtOnceOneCounts", "handlersSetWhileTheFutureEndsAllRun",
                ], "Futures/UpdateTests.swift": ["updatesFromManyThreadsEndBeforeTheOutcome"],
            ]
        ),
        KnownBug(
            8,
            "All work went through the main queue: nothing ended on a server that blocks it.",
            [
                "Dispatching/RequestFutureTests.swift": ["nothingWaitsForTheMainThread"],
                "Futures/FetchResultTests.swift": ["chainsEndWhileTheMainActorIsBlocked"],
                "Futures/ResponseOperatorTests.swift": ["decodingDoesNotWaitForTheMainThread"],
            ]
        ),
        // There is no such session any more: what remains of this is that of the module below.
        KnownBug(
            9,
            "The session: hangs for unknown tasks, a search for each chunk, bodies in memory, itself kept alive.",
            [
                "Dispatching/ManyRequestsTests.swift": [
                    "requestsFromManyThreadsAtOnceAllEndWithTheirOwnBodies",
                    "aBodyInMemoryHasALimitAndADownloadNeedsNone", "aDispatcherIsLetGoOfWhileItsFuturesAreKept",
                ]
            ],
            core: [
                "ConnectionTests/ShutdownTests.swift": ["releasingClosesIdleConnections"],
                "TransferTests/Network/StreamPressureTests.swift": ["memoryDoesNotGrowWithWhatIsNotRead"],
                "ConnectionTests/URLSession/URLSessionFaultTests.swift": ["aBrokenResponseIsAnError"],
            ]
        ),
        KnownBug(
            10,
            "Requests of futures that were never sent were made, and kept a session from ending.",
            ["Dispatching/RequestFutureTests.swift": ["nothingHappensBeforeSend"]]
        ),
        KnownBug(
            11,
            "A download was copied, made no folders, and saved the page of an error.",
            [
                "Dispatching/DownloadFutureTests.swift": [
                    "theDestinationIsReplaced", "whatArrivesIsMovedAndNotCopied", "missingFoldersAreMade",
                    "anErrorStatusIsNotSaved",
                ]
            ],
            core: [
                "TransferTests/Network/DownloadTests.swift": [
                    "anExistingFileStaysUntilTheNewOneIsComplete", "foldersAreCreatedAndTakenBackWithAFailure",
                ]
            ]
        ),
        KnownBug(
            12,
            "Cancelled child futures were left out of the values, and other collections than arrays trapped.",
            [
                "Futures/CancellationTests.swift": ["cancellingAnInnerFutureCancelsTheOuter"],
                "Futures/JoinTests.swift": ["childFuturesGiveTheirValuesInOrder"],
            ]
        ),
        KnownBug(
            13,
            "The callback of thenResult was called again with the error it threw.",
            ["Futures/JoinTests.swift": ["thenResultCallsItsCallbackOnce"]]
        ),
        KnownBug(
            14,
            "safeDecoded decoded on the main queue.",
            [
                "Futures/ResponseOperatorTests.swift": [
                    "nothingIsDecodedOnTheMainActor", "decodingDoesNotWaitForTheMainThread",
                ]
            ]
        ),
        KnownBug(
            15,
            "Mocks ignored the encoder and trapped for requests without a URL.",
            ["Dispatching/MockFutureTests.swift": ["aRequestWithoutAURLIsAnError", "theEncoderOfAMockIsUsed"]],
            core: [
                "PiuPiuTestingTests/Mocking/MockURLRequestDispatcherTests.swift": [
                    "theEncoderIsUsed", "aRequestWithoutAURLThrows",
                ]
            ]
        ),
        KnownBug(
            16,
            "Basic requests lost the base path, ended in a question mark, and joined or doubled header fields.",
            [
                "Requests/BasicRequestTests.swift": [
                    "thePathIsAppendedToThatOfTheBase", "anEmptyQueryLeavesNoQuestionMark", "headersAreSetInAnyCase",
                ]
            ]
        ),
        KnownBug(
            17,
            "Transforms of integers and strings could not turn a value both ways; time zones had an error of their own.",
            ["Documents/TransformSamplesTests.swift": ["timeZonesThatDoNotExist", "integersAndStringsComeBack"]],
            core: [
                "ValueTests/Coding/Transforms/IncludedTransformsTests.swift": [
                    "otherTextsAreNoTimeZones", "textsBecomeIntegersInBothDirections",
                    "integersThatAreTextsHaveAnyWidth",
                ]
            ]
        ),
        KnownBug(
            18,
            "A position outside of a path pattern trapped.",
            [
                "Documents/TransformSamplesTests.swift": ["indicesThatAreNotThere"],
                "Paths/PathPatternTests.swift": ["indicesOutsideThePatternAreNone"],
            ]
        ),
        KnownBug(
            19,
            "Debug builds printed to the standard output.",
            ["Futures/SilenceTests.swift": ["nothingIsPrinted"]]
        ),
        KnownBug(
            20,
            "The compiler refused it in the Swift 6 mode: shared state that is not safe to share.",
            ["Futures/ManyThreadsTests.swift": ["everythingMayCrossThreads"]]
        ),
        KnownBug(
            21,
            "The progress of an upload stopped at one half on Linux.",
            ["Dispatching/RequestUpdateTests.swift": ["anUploadEndsAtOne"]]
        ),
        KnownBug(
            22,
            "A parallel join could fail and succeed, or complete twice.",
            [
                "Futures/JoinTests.swift": [
                    "sidesThatEndAtTheSameTimeEndAJoinOnce", "aJoinOfAFutureWithItselfEndsOnce",
                ], "Futures/ResponseFutureTests.swift": ["onlyTheFirstEndCounts"],
            ]
        ),
        KnownBug(
            23,
            "A chain of a dispatcher that only a function held never told anything.",
            ["Dispatching/RequestFutureTests.swift": ["releasedBeforeSendFails"]]
        ),
        KnownBug(
            24,
            "Redirects, challenges, caches and metrics were left to the defaults of URLSession.",
            [
                "Dispatching/RequestPolicyTests.swift": [
                    "aRedirectToAnotherServerLeavesSecretsBehind", "whetherRedirectsAreFollowedCanBeChosen",
                    "aChallengeIsAResponse", "nothingIsCached", "responsesSayWhatTheyTook",
                ]
            ],
            core: [
                "PolicyTests/Interception/RedirectSecretsTests.swift": ["secretsDoNotLeaveTheirOrigin"],
                "ConnectionTests/URLSession/URLSessionResponseTests.swift": [
                    "everyChallengeIsDelivered", "cookiesAndCredentialsAreNotKept",
                ],
            ]
        ),
    ]
}
