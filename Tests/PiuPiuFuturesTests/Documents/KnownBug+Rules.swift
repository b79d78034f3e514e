extension KnownBug {
    /// What a rewrite has to get right: rule 1 to rule 20.
    static let rules: [KnownBug] = [
        KnownBug(
            1,
            "One end of each future; completion once and last, also when cancelled.",
            [
                "Futures/CancelledWorkTests.swift": ["whatHasEndedIsLetGoOfWhileTheChainGoesOn"],
                "Futures/FutureLifetimeTests.swift": [
                    "aFutureThatIsKeptLetsGoOfItsHandlersAndItsWork",
                    "ownersCapturedByHandlersAreLetGoOfAndMayUseTheFuture",
                ], "Futures/JoinTests.swift": ["sidesThatEndAtTheSameTimeEndAJoinOnce"],
                "Futures/ManyThreadsTests.swift": ["aFutureMayBeUsedFromManyThreadsAtOnce"],
                "Futures/ResponseFutureTests.swift": [
                    "completionIsOnceAndLast", "onlyTheFirstEndCounts", "ofManyEndsAtOnceOneCounts",
                ],
            ]
        ),
        KnownBug(
            2,
            "Cancellation goes through every operator; what was released fails and does not hang.",
            [
                "Dispatching/AdapterFutureTests.swift": [
                    "cancellingWhileAnAdapterWorksIsNotLost", "cancellingBetweenAdaptersReachesTheSocket",
                ], "Dispatching/MockFutureTests.swift": ["releasedBeforeSendFails"],
                "Dispatching/OtherDispatcherTests.swift": ["releasedBeforeSendFails"],
                "Dispatching/RequestFutureTests.swift": [
                    "releasedBeforeSendFails", "releasedWhileItRunsFailsAndCloses",
                ],
                "Futures/CancellationTests.swift": [
                    "cancellingAnInnerFutureCancelsTheOuter", "fulfillGivesTheOutcome",
                ], "Requests/RequestSerializerTests.swift": ["releasedBeforeSendFails"],
            ]
        ),
        KnownBug(
            3,
            "Cancelling the outer future ends the inner work, and nothing ends again.",
            [
                "Dispatching/AdapterFutureTests.swift": ["cancellingBetweenAdaptersReachesTheSocket"],
                "Dispatching/RequestFutureTests.swift": ["cancelReachesTheSocket"],
                "Futures/CancellationTests.swift": ["cancellingTheOuterFutureCancelsTheInnerWork"],
                "Futures/CancelledWorkTests.swift": ["whatIsCancelledBetweenTwoFuturesDoesNotBeginTheNext"],
                "Futures/ResponseFutureTests.swift": ["cancellingWhileWorkRunsCancelsIt"],
            ]
        ),
        KnownBug(
            4,
            "fetchResult resumes once however the future or its task ends, again and again, and steals no handlers.",
            [
                "Futures/FetchResultTests.swift": [
                    "theResultCanBeFetchedAgain", "fetchingDoesNotStealHandlers", "cancellingTheFutureThrows",
                    "cancellingTheTaskCancelsTheFuture",
                ]
            ]
        ),
        KnownBug(
            5,
            "Handlers run on the main actor, and nothing else needs it.",
            [
                "Dispatching/RequestFutureTests.swift": ["nothingWaitsForTheMainThread"],
                "Futures/FetchResultTests.swift": ["chainsEndWhileTheMainActorIsBlocked"],
                "Futures/ResponseFutureTests.swift": ["handlersRunOnTheMainActor"],
                "Futures/ResponseOperatorTests.swift": ["decodingDoesNotWaitForTheMainThread"],
            ]
        ),
        KnownBug(
            6,
            "Updates, then the outcome, then completion; nothing afterwards, and nothing inside of send.",
            [
                "Futures/ResponseFutureTests.swift": ["sendNeverCallsBack"],
                "Futures/UpdateTests.swift": [
                    "onlyTheNewestUpdateIsTold", "updatesFromManyThreadsEndBeforeTheOutcome",
                ],
            ]
        ),
        KnownBug(
            7,
            "What a callback throws is the error, as it is; after a handler of success, completion still runs.",
            [
                "Dispatching/AdapterFutureTests.swift": ["whatAnAdapterThrowsIsTheError"],
                "Dispatching/RequestFutureTests.swift": ["nilCancelsAndAnErrorEndsIt"],
                "Futures/JoinTests.swift": ["aThrowInACallbackIsTheError"],
                "Futures/ResponseFutureTests.swift": ["aThrowInSuccessGoesToErrorAndThenCompletion"],
            ]
        ),
        KnownBug(
            8,
            "No request and no next future cancel; nullable joins give the value alone.",
            [
                "Dispatching/AdapterFutureTests.swift": ["noRequestIsACancellationAlsoWithAdapters"],
                "Dispatching/RequestFutureTests.swift": ["nilCancelsAndAnErrorEndsIt"],
                "Futures/JoinTests.swift": ["nothingToGoOnWithCancels", "nullableJoinsGiveTheValueAlone"],
            ]
        ),
        KnownBug(
            9,
            "Both sides of a join are made at once and started together; the first error in time ends it; safe ones wait.",
            [
                "Futures/JoinTests.swift": [
                    "theSecondFutureIsMadeAtOnceAndBothAreStartedWithTheJoin",
                    "theFirstErrorEndsAJoinAndCancelsTheOtherSide", "safeJoinsWaitForTheOtherSide",
                    "ofTwoErrorsTheFirstInTimeCounts",
                ]
            ]
        ),
        KnownBug(
            10,
            "Child futures give their values in order, none for none, and a cancelled one is not left out.",
            [
                "Futures/CancellationTests.swift": ["cancellingAnInnerFutureCancelsTheOuter"],
                "Futures/JoinTests.swift": ["childFuturesGiveTheirValuesInOrder"],
            ]
        ),
        KnownBug(
            11,
            "Request adapters take effect, and response adapters see what they made; both may wait.",
            [
                "Dispatching/AdapterFutureTests.swift": [
                    "adaptersMayTakeTheirTimeAndTakeEffect", "anAdapterThatOnlyTheDispatcherHoldsTakesEffect",
                ], "Dispatching/RequestFutureTests.swift": ["whatARequestAdapterReturnsIsSent"],
            ],
            core: [
                "PolicyTests/Interception/URLRequestAdapterTests.swift": ["aResponseAdapterSeesTheRequestThatWasSent"]
            ]
        ),
        KnownBug(
            12,
            "A status of 4xx or 5xx is no error until it is asked for.",
            ["Dispatching/RequestFutureTests.swift": ["anErrorStatusIsAResponse"]],
            core: ["ValueTests/Responses/StatusCodeTests.swift": ["theErrorFollowsTheType"]]
        ),
        KnownBug(
            13,
            "An empty body is none, and unwrapping it an error.",
            [
                "Dispatching/RequestFutureTests.swift": ["anEmptyBodyIsNil"],
                "Futures/ResponseOperatorTests.swift": ["withoutABodyThereIsNothingToDecode"],
            ]
        ),
        KnownBug(
            14,
            "A download replaces its destination, is moved, makes folders, and saves no error.",
            [
                "Dispatching/DownloadFutureTests.swift": [
                    "theDestinationIsReplaced", "whatArrivesIsMovedAndNotCopied", "missingFoldersAreMade",
                    "anErrorStatusIsNotSaved", "cancellingLeavesNothing",
                ]
            ],
            core: ["TransferTests/Network/DownloadTests.swift": ["aFailureLeavesEverythingAsItWas"]]
        ),
        KnownBug(
            15,
            "The faults of Foundation on Linux: cancelling, challenges, counters, files, ended sessions, buffers.",
            [
                "Dispatching/ManyRequestsTests.swift": ["requestsFromManyThreadsAtOnceAllEndWithTheirOwnBodies"],
                "Dispatching/RequestFutureTests.swift": [
                    "nothingHappensBeforeSend", "cancelReachesTheSocket", "theDispatcherEndsItToo",
                    "aURLThatIsNotOfTheWebIsAnError",
                ], "Dispatching/RequestPolicyTests.swift": ["aChallengeIsAResponse"],
                "Dispatching/RequestUpdateTests.swift": ["whatArrivesIsTold"],
            ],
            core: [
                "ConnectionTests/ConnectionReuseTests.swift": ["requestsInARowShareAConnection"],
                "TransferTests/Network/StreamPressureTests.swift": ["aReaderThatDoesNotReadHoldsTheServerBack"],
                "ConnectionTests/URLSession/URLSessionCancellationTests.swift": ["aStormOfCancelsEndsEveryRequest"],
                "ConnectionTests/URLSession/URLSessionResponseTests.swift": ["everyChallengeIsDelivered"],
            ]
        ),
        KnownBug(
            16,
            "A future that is not sent does nothing and leaves nothing.",
            [
                "Dispatching/RequestFutureTests.swift": ["nothingHappensBeforeSend"],
                "Futures/FutureLifetimeTests.swift": ["anUnsentFutureIsSilent"],
                "Futures/ResponseFutureTests.swift": ["nothingRunsBeforeSend"],
            ]
        ),
        KnownBug(
            17,
            "Where the callback of then runs: in the background, or on the queue that is given.",
            ["Futures/JoinTests.swift": ["callbacksRunWhereTheyAreToRun"]]
        ),
        KnownBug(
            18,
            "The body of a response is called data.",
            ["Futures/ResponseOperatorTests.swift": ["theBodyIsCalledData"]]
        ),
        KnownBug(
            19,
            "The deprecated names of the documents are there.",
            [
                "Dispatching/RequestUpdateTests.swift": ["whatArrivesIsTold"],
                "Futures/DeprecatedNamesTests.swift": ["formerNamesStillWork"],
            ],
            core: [
                "ValueTests/Coding/ResponseDecodingTests.swift": ["formerNamesStillWork"],
                "ValueTests/Coding/Transforms/IncludedTransformsTests.swift": ["namesBeforeOneEightStillWork"],
            ]
        ),
        KnownBug(
            20,
            "Errors of transforms have their path; transforms of integers and strings turn both ways.",
            [
                "Documents/TransformSamplesTests.swift": [
                    "timeZonesThatDoNotExist", "dates", "integersAndStringsComeBack",
                ]
            ],
            core: [
                "ValueTests/Coding/Transforms/DateTransformTests.swift": ["longerInitialiserDoesTheSame"],
                "ValueTests/Coding/Transforms/TransformContainersTests.swift": [
                    "errorsOfKeysHaveTheirPath", "errorsOfWrittenKeysHaveTheirPath",
                ],
            ]
        ),
    ]
}
