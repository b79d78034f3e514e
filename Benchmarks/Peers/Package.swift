// swift-tools-version: 6.2
import PackageDescription

// The clients and futures to compare with. Apart from Benchmarks/Package.swift, which so has no dependency to resolve.
let package = Package(
    name: "Peers",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    ],
    targets: [
        // The same loop for every client, by a link: nothing of ours but the loop is in these programs.
        .target(name: "LoadKit"),
        .executableTarget(
            name: "PeerLoad",
            dependencies: [
                "LoadKit",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "_NIOFileSystem", package: "swift-nio"),
            ]
        ),
        // What Scripts/check-servers has every client do, by a link as well.
        .target(name: "CheckKit"),
        .executableTarget(
            name: "PeerCheck",
            dependencies: [
                "CheckKit",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        .executableTarget(
            name: "PeerFutures",
            dependencies: [
                "LoadKit",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
