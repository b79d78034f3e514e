// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that what is measured here never becomes a dependency of the product.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "PiuPiu", path: "..")],
    targets: [
        .executableTarget(name: "Load", dependencies: [.product(name: "PiuPiuAsync", package: "PiuPiu")]),
        .executableTarget(
            name: "Soak",
            dependencies: [
                .product(name: "PiuPiuAsync", package: "PiuPiu"), .product(name: "PiuPiuTesting", package: "PiuPiu"),
                "CMalloc",
            ]
        ),
        .executableTarget(
            name: "FutureCost",
            dependencies: [.product(name: "PiuPiuFutures", package: "PiuPiu"), "CMalloc"]
        ),
        .executableTarget(name: "Transfers", dependencies: [.product(name: "PiuPiuAsync", package: "PiuPiu")]),
        // What the allocator knows of itself, for which Swift has no module.
        .target(name: "CMalloc"),
        // The limit to compare with: libcurl's multi interface in plain C.
        .executableTarget(
            name: "CurlLoop",
            cSettings: [.unsafeFlags(["-O2"])],
            linkerSettings: [.linkedLibrary(":libcurl.so.4")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
