// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that PiuPiu itself has no dependency.
let package = Package(
    name: "PiuPiuServer",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [.library(name: "PiuPiuServer", targets: ["PiuPiuServer"])],
    dependencies: [
        .package(name: "PiuPiu", path: "../.."),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // For the tests; swift-service-lifecycle needs it anyway.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .target(
            name: "PiuPiuServer",
            dependencies: [
                .product(name: "PiuPiuAsync", package: "PiuPiu"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "PiuPiuServerTests",
            dependencies: [
                "PiuPiuServer",
                .product(name: "PiuPiuAsync", package: "PiuPiu"),
                .product(name: "PiuPiuTesting", package: "PiuPiu"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        "ExistentialAny", "MemberImportVisibility", "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
    ].map { .enableUpcomingFeature($0) }
}
