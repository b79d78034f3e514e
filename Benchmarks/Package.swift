// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that what is measured here never becomes a dependency of the product. What it is compared with
// is in Peers/, so that this one has no dependency but the product.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "PiuPiu", path: "..")],
    targets: [
        // The loops that measure clients and futures, whichever they are. Peers/ has it by a link.
        .target(name: "LoadKit"),
        .executableTarget(
            name: "Load",
            dependencies: ["LoadKit", "CTrust", .product(name: "PiuPiuAsync", package: "PiuPiu")]
        ),
        .executableTarget(
            name: "FutureCost",
            dependencies: ["LoadKit", "CMalloc", .product(name: "PiuPiuFutures", package: "PiuPiu")]
        ),
        .executableTarget(
            name: "LegacyCost",
            dependencies: ["LoadKit"]
                + ["PiuPiuFutures", "NetworkKit", "PiuPiuClassic", "Futuristics"].map {
                    .product(name: $0, package: "PiuPiu")
                }
        ),
        .executableTarget(
            name: "PolicyCost",
            dependencies: ["LoadKit", .product(name: "PiuPiuAsync", package: "PiuPiu")]
        ),
        .executableTarget(
            name: "Gate",
            dependencies: ["LoadKit", "CAllocations", .product(name: "PiuPiuFutures", package: "PiuPiu")]
        ),
        .executableTarget(
            name: "Soak",
            dependencies: [
                "LoadKit", "CMalloc", .product(name: "PiuPiuAsync", package: "PiuPiu"),
                .product(name: "PiuPiuTesting", package: "PiuPiu"),
            ]
        ),
        // Drops, cancels and sends futures of every operator. Tests would be optimised differently.
        .executableTarget(
            name: "FutureWalk",
            dependencies: [
                .product(name: "PiuPiuFutures", package: "PiuPiu"), .product(name: "PiuPiuTesting", package: "PiuPiu"),
            ],
            // Those of the root package.
            swiftSettings: [
                "ExistentialAny", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
                "InferIsolatedConformances",
            ].map { .enableUpcomingFeature($0) }
        ),
        // What the allocator knows of itself, for which Swift has no module.
        .target(name: "CMalloc"),
        // Stands in front of the allocator and counts.
        .target(name: "CAllocations"),
        // Whom to trust, for `URLSession`.
        .target(name: "CTrust", linkerSettings: [.linkedLibrary(":libcurl.so.4", .when(platforms: [.linux]))]),
        // The limit to compare with: libcurl's multi interface in plain C.
        .executableTarget(
            name: "CurlLoop",
            cSettings: [.unsafeFlags(["-O2"])],
            linkerSettings: [.linkedLibrary(":libcurl.so.4")]
        ),
        // A server that answers late.
        .executableTarget(name: "StubServer", cSettings: [.unsafeFlags(["-O2"])]),
        // What a whole command takes.
        .executableTarget(name: "Measured"),
    ],
    swiftLanguageModes: [.v6]
)
