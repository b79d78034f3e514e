// swift-tools-version: 6.2
import PackageDescription

// Apart from the root package, which has no dependency.
let package = Package(
    name: "PiuPiuObservability",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [.library(name: "PiuPiuObservability", targets: ["PiuPiuObservability"])],
    dependencies: [
        .package(name: "PiuPiu", path: "../.."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    ],
    targets: [
        .target(
            name: "PiuPiuObservability",
            dependencies: [
                .product(name: "PiuPiuAsync", package: "PiuPiu"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),
        .testTarget(
            name: "PiuPiuObservabilityTests",
            dependencies: [
                "PiuPiuObservability",
                .product(name: "PiuPiuAsync", package: "PiuPiu"),
                .product(name: "PiuPiuTesting", package: "PiuPiu"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

let features = ["ExistentialAny", "NonisolatedNonsendingByDefault", "InferIsolatedConformances"]
for target in package.targets {
    // The tests read what four other modules collected.
    let more = target.isTest ? [] : ["MemberImportVisibility"]
    target.swiftSettings = (features + more).map { .enableUpcomingFeature($0) }
}
