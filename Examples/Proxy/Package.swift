// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that PiuPiu itself has no dependency.
let package = Package(
    name: "Proxy",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "PiuPiu", path: "../.."),
        .package(name: "PiuPiuHTTPTypes", path: "../../Integrations/HTTPTypes"),
        .package(name: "PiuPiuServer", path: "../../Integrations/Server"),
        // Without its traits, it needs fewer packages.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // Everything but the client. Benchmarks/Peers has it by a link, for the same proxy on another client.
        .target(
            name: "ProxyKit",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(
            name: "Proxy",
            dependencies: [
                "ProxyKit",
                .product(name: "PiuPiuAsync", package: "PiuPiu"),
                .product(name: "PiuPiuHTTPTypes", package: "PiuPiuHTTPTypes"),
                .product(name: "PiuPiuServer", package: "PiuPiuServer"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "ProxyTests",
            dependencies: [
                "Proxy", "ProxyKit",
                .product(name: "PiuPiuAsync", package: "PiuPiu"),
                .product(name: "PiuPiuTesting", package: "PiuPiu"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    // As in Hummingbird; its writers of bodies cannot be called from code that inherits its caller's isolation.
    target.swiftSettings = ["ExistentialAny", "MemberImportVisibility"].map { .enableUpcomingFeature($0) }
}
