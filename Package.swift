// swift-tools-version: 6.2
import PackageDescription

let shims = Target.Dependency.target(name: "CShims", condition: .when(platforms: [.linux]))
let curlShim = Target.Dependency.target(name: "CurlShim", condition: .when(platforms: [.linux]))
/// Rooms that only a program with the trait `Policies` has.
let policies = Target.Dependency.target(name: "PiuPiuPolicies", condition: .when(traits: ["Policies"]))
/// A room that only a program with the trait `WebSockets` has.
let webSockets = Target.Dependency.target(name: "PiuPiuWebSocket", condition: .when(traits: ["WebSockets"]))
let engine = Target.Dependency.target(name: "PiuPiuEngine", condition: .when(platforms: [.linux]))
let sockets = Target.Dependency.target(name: "PiuPiuSockets", condition: .when(platforms: [.linux]))
/// What the tests of PiuPiuAsync depend on.
let suite: [Target.Dependency] = [
    "PiuPiuAsync", "PiuPiuPolicies", "PiuPiuWebSocket", "PiuPiuSockets", "PiuPiuURLSession", "PiuPiuExchange",
    "PiuPiuCore", "PiuPiuValues", "PiuPiuEngine", "PiuPiuTesting", "TestSupport", "SuiteSupport",
]

let package = Package(
    name: "PiuPiu",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        "PiuPiuAsync", "PiuPiuFutures", "PiuPiuCurl", "PiuPiuRecording", "PiuPiuTesting", "PiuPiuClassic", "NetworkKit",
        "Futuristics", "PiuPiuTransforms",
    ].map { .library(name: $0, targets: [$0]) },
    traits: [
        .default(enabledTraits: ["Policies", "WebSockets"]),
        .trait(
            name: "Policies",
            description: "Retries, limits, credentials, the cache, cookies, statistics and logs."
        ),
        .trait(name: "WebSockets", description: "WebSockets: messages both ways over HTTP/1.1 and HTTP/2."),
    ],
    targets: [
        // libcurl's stable ABI, declared by us: a bare toolchain has the library, but not its headers.
        .target(
            name: "CurlShim",
            // Before glibc 2.34, dlopen is in a library of its own.
            linkerSettings: [":libcurl.so.4", "dl"].map { .linkedLibrary($0, .when(platforms: [.linux])) }
        ),
        // OpenSSL's ABI, declared by us and looked up at run time, and what else the engine needs in C.
        .target(name: "CShims", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        // The rooms of the client, from the bottom; ARCHITECTURE.md has a picture. Nothing in one knows those above it.
        .target(name: "PiuPiuBytes"),
        // HTTP of our own: sockets, TLS, HTTP/1.1 and HTTP/2, without Foundation.
        .target(name: "PiuPiuEngine", dependencies: ["PiuPiuBytes", shims]),
        // Responses, errors, settings, and how they are written and read.
        .target(name: "PiuPiuValues", dependencies: ["PiuPiuBytes", shims]),
        // The seam between the dispatcher, policies and transports.
        .target(name: "PiuPiuCore", dependencies: ["PiuPiuValues", shims]),
        // What the transports share: the validated request, time limits, the end of an exchange.
        .target(name: "PiuPiuExchange", dependencies: ["PiuPiuCore"]),
        .target(name: "PiuPiuSockets", dependencies: ["PiuPiuExchange", "PiuPiuEngine", shims]),
        .target(name: "PiuPiuURLSession", dependencies: ["PiuPiuExchange"]),
        .target(name: "PiuPiuPolicies", dependencies: ["PiuPiuCore", shims]),
        // WebSockets: frames, messages, and their two ends.
        .target(name: "PiuPiuWebSocket", dependencies: ["PiuPiuCore", shims]),
        // The product: the dispatcher, transfers, pages.
        .target(
            name: "PiuPiuAsync",
            dependencies: ["PiuPiuExchange", "PiuPiuURLSession", sockets, policies, webSockets, engine]
        ),
        // Strategies for fields of JSON that are not what they should be.
        .target(name: "PiuPiuTransforms", dependencies: ["PiuPiuValues"]),
        // The transport over libcurl, for HTTP/3 and DNS over HTTPS. Nothing else depends on it.
        .target(
            name: "PiuPiuCurl",
            dependencies: ["PiuPiuAsync", "PiuPiuSockets", "PiuPiuEngine", shims, curlShim]
        ),
        .target(name: "PiuPiuFutures", dependencies: ["PiuPiuAsync", "PiuPiuTransforms"]),
        // Older systems under their own names, for code that was written for them: PiuPiu 1.3, NetworkKit 4.2 and 5.3, and
        // Futuristics 0.2.
        .target(name: "PiuPiuClassic", dependencies: ["PiuPiuFutures"], path: "Sources/Legacy/PiuPiuClassic"),
        .target(name: "NetworkKit", dependencies: ["PiuPiuFutures"], path: "Sources/Legacy/NetworkKit"),
        .target(name: "Futuristics", dependencies: ["PiuPiuFutures"], path: "Sources/Legacy/Futuristics"),
        // HAR files: recording what passes, and answering from them.
        .target(name: "PiuPiuRecording", dependencies: ["PiuPiuAsync", "PiuPiuPolicies"]),
        // For tests, of this package and of others: mocks, a scripted server, and the cases for transports.
        .target(name: "PiuPiuTesting", dependencies: ["PiuPiuAsync"]),
        .target(
            name: "TestSupport",
            dependencies: ["PiuPiuAsync", "PiuPiuTesting"],
            path: "Tests/TestSupport",
            exclude: ["Python"]
        ),
        // What tests of several areas share, and how many of them run at a time.
        .target(
            name: "SuiteSupport",
            dependencies: ["PiuPiuAsync", "PiuPiuTesting", "TestSupport", "TestProcess"],
            path: "Tests/SuiteSupport"
        ),
        .target(name: "TestProcess", path: "Tests/TestProcess"),
        // Shows Foundation's faults in processes of its own, because some of them end the process.
        .executableTarget(
            name: "FoundationCanaries",
            dependencies: ["PiuPiuAsync", "PiuPiuTesting"],
            path: "Tests/FoundationCanaries"
        ),
        // Sends many requests to servers that nobody here wrote; Scripts/check-servers runs it.
        .executableTarget(
            name: "ServerCheck",
            dependencies: ["PiuPiuAsync", "CheckKit"],
            path: "Tests/ServerCheck/Client"
        ),
        // Checks WebSockets against servers of other projects; Scripts/check-websockets runs it.
        .executableTarget(name: "WebSocketCheck", dependencies: ["PiuPiuAsync"], path: "Tests/WebSocketCheck/Client"),
        // What every client that is checked does; Benchmarks/Peers has it by a link.
        .target(name: "CheckKit", path: "Tests/ServerCheck/CheckKit"),
        // Sends mutated responses; Scripts/fuzz runs it.
        .executableTarget(
            name: "ResponseFuzzer",
            dependencies: ["PiuPiuAsync", "PiuPiuEngine", "TestSupport"],
            path: "Tests/Fuzzers/ResponseFuzzer"
        ),
        // Reads random and damaged frames of WebSocket, and measures reading and writing them.
        .executableTarget(
            name: "FrameFuzzer",
            dependencies: ["PiuPiuWebSocket"],
            path: "Tests/Fuzzers/FrameFuzzer"
        ),
        .executableTarget(name: "Tour", dependencies: ["PiuPiuAsync", "PiuPiuTesting"], path: "Examples/Tour"),
        .executableTarget(
            name: "APIClient",
            dependencies: ["PiuPiuAsync", "PiuPiuRecording", "PiuPiuTesting"],
            path: "Examples/APIClient"
        ),
        .executableTarget(
            name: "Fetch",
            dependencies: ["PiuPiuAsync", "PiuPiuCurl", "PiuPiuRecording", "PiuPiuTesting"],
            path: "Examples/Fetch"
        ),
        .testTarget(name: "FetchTests", dependencies: ["Fetch", "PiuPiuAsync", "PiuPiuTesting", "TestSupport"]),
        .testTarget(
            name: "PiuPiuRecordingTests",
            dependencies: ["PiuPiuAsync", "PiuPiuRecording", "PiuPiuTesting", "TestSupport"]
        ),
        .testTarget(
            name: "PiuPiuTestingTests",
            dependencies: ["PiuPiuTesting", "PiuPiuAsync", "TestSupport", "SuiteSupport"]
        ),
        .testTarget(
            name: "PiuPiuFuturesTests",
            dependencies: ["PiuPiuFutures", "PiuPiuTesting", "TestSupport"],
            exclude: ["Migration/Symbols"]
        ),
        // Code as users of the older systems have it.
        .testTarget(
            name: "LegacyCodeTests",
            dependencies: ["PiuPiuFutures", "PiuPiuTesting", "TestSupport"],
            exclude: ["Documents/Blocks.md"]
        ),
        .testTarget(
            name: "PiuPiuClassicTests",
            dependencies: ["PiuPiuClassic", "PiuPiuFutures", "PiuPiuTesting", "TestSupport"],
            exclude: ["Documents/Blocks.md"]
        ),
        .testTarget(name: "PiuPiuClassicSwift6Tests", dependencies: ["PiuPiuClassic", "PiuPiuTesting"]),
        .testTarget(
            name: "NetworkKitTests",
            dependencies: ["NetworkKit", "PiuPiuFutures", "PiuPiuTesting", "TestSupport"],
            exclude: ["Documents/Blocks.md"]
        ),
        .testTarget(name: "NetworkKitSwift6Tests", dependencies: ["NetworkKit"]),
        .testTarget(
            name: "FuturisticsTests",
            dependencies: ["Futuristics", "PiuPiuFutures", "PiuPiuTesting", "TestSupport"],
            exclude: ["Documents/Blocks.md"]
        ),
        .testTarget(name: "FuturisticsSwift6Tests", dependencies: ["Futuristics"]),
        // Of PiuPiuAsync, by area: both cores compile, and a change compiles one area again.
        .testTarget(name: "ValueTests", dependencies: suite + ["PiuPiuRecording", "PiuPiuTransforms"]),
        .testTarget(
            name: "ParserTests",
            dependencies: suite + ["PiuPiuCurl", "PiuPiuRecording", "PiuPiuTransforms", "PiuPiuFutures"]
        ),
        .testTarget(name: "PiuPiuEngineTests", dependencies: ["PiuPiuEngine", shims]),
        .testTarget(name: "EngineTests", dependencies: suite),
        .testTarget(name: "ConnectionTests", dependencies: suite + ["FoundationCanaries"]),
        .testTarget(name: "TransferTests", dependencies: suite),
        .testTarget(name: "PolicyTests", dependencies: suite),
        .testTarget(name: "WebSocketTests", dependencies: suite),
        .testTarget(name: "ObservationTests", dependencies: suite + ["PiuPiuRecording"]),
        .testTarget(
            name: "DocumentationTests",
            dependencies: suite + ["PiuPiuCurl", "PiuPiuRecording", "PiuPiuTransforms"]
        ),
        .testTarget(name: "PiuPiuCurlTests", dependencies: suite + ["PiuPiuCurl", curlShim, shims]),
    ],
    swiftLanguageModes: [.v6]
)

let features = [
    "ExistentialAny", "MemberImportVisibility", "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
]
// Tests that stand for code of users have none of these features, and most of them the Swift 5 language mode.
let userCode: [String: SwiftLanguageMode] = [
    "LegacyCodeTests": .v5,
    "PiuPiuClassicTests": .v5, "PiuPiuClassicSwift6Tests": .v6,
    "NetworkKitTests": .v5, "NetworkKitSwift6Tests": .v6,
    "FuturisticsTests": .v5, "FuturisticsSwift6Tests": .v6,
]
for target in package.targets where !["CShims", "CurlShim", "TestProcess"].contains(target.name) {
    target.swiftSettings =
        userCode[target.name].map { [.swiftLanguageMode($0)] } ?? features.map { .enableUpcomingFeature($0) }
}
// In release configuration, what is tested is optimised, not the tests: that would take the compiler four times as long.
for target in package.targets where target.type == .test || ["TestSupport", "SuiteSupport"].contains(target.name) {
    target.swiftSettings?.append(
        .unsafeFlags(["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))
    )
}
// The tests and programs that CI keeps in a sanitizer's build, separated by commas. It leaves out those in which the sanitizer
// can find nothing, and what only they need.
if let kept = Context.environment["PIUPIU_TARGETS"]?.split(separator: ",").map(String.init) {
    var needed = Set(kept)
    var size = 0
    while needed.count > size {
        size = needed.count
        for target in package.targets where needed.contains(target.name) {
            needed.formUnion(target.dependencies.compactMap(\.targetName))
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { !needed.contains($0.name) }
}

extension Target.Dependency {
    /// The name of the target, if it is one of this package.
    fileprivate var targetName: String? {
        switch self {
        case .targetItem(let name, _), .byNameItem(let name, _): name
        default: nil
        }
    }
}
