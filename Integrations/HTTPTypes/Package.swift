// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that PiuPiu itself has no dependency.
let package = Package(
    name: "PiuPiuHTTPTypes",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [.library(name: "PiuPiuHTTPTypes", targets: ["PiuPiuHTTPTypes"])],
    dependencies: [
        .package(name: "PiuPiu", path: "../.."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ],
    targets: [
        .target(
            name: "PiuPiuHTTPTypes",
            dependencies: [
                .product(name: "PiuPiuAsync", package: "PiuPiu"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "PiuPiuHTTPTypesTests",
            dependencies: [
                "PiuPiuHTTPTypes",
                .product(name: "PiuPiuAsync", package: "PiuPiu"),
                .product(name: "PiuPiuTesting", package: "PiuPiu"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
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
