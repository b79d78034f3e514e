// swift-tools-version: 6.2
import PackageDescription

// A package of its own, because everything in it is instrumented: libFuzzer is guided by the coverage of the engine.
let package = Package(
    name: "EngineFuzzer",
    targets: [
        .target(name: "CShims", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "PiuPiuBytes"),
        .target(name: "PiuPiuEngine", dependencies: ["CShims", "PiuPiuBytes"]),
        // What Swift calls of libFuzzer.
        .target(name: "FuzzDriver"),
        // The cases are those of the tests, by a link.
        .executableTarget(name: "EngineFuzzer", dependencies: ["PiuPiuEngine", "PiuPiuBytes", "CShims", "FuzzDriver"]),
    ],
    swiftLanguageModes: [.v6]
)

let features = [
    "ExistentialAny", "MemberImportVisibility", "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
]
for target in package.targets where !["CShims", "FuzzDriver"].contains(target.name) {
    // The coverage of the cases themselves would lead nowhere.
    let isFuzzed = ["PiuPiuBytes", "PiuPiuEngine"].contains(target.name)
    target.swiftSettings =
        features.map { .enableUpcomingFeature($0) }
        + [.unsafeFlags([isFuzzed ? "-sanitize=fuzzer,address" : "-sanitize=address"])]
    // gold, the usual linker, ends with an internal error.
    if !isFuzzed { target.linkerSettings = [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])] }
}
