// swift-tools-version: 6.2
import PackageDescription

// Apart from the root package, which has no dependency.
let package = Package(
    name: "NIOServer",
    platforms: [.macOS(.v14)],
    dependencies: [.package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2")],
    targets: [
        .executableTarget(
            name: "NIOServer",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
