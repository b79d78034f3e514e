// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as yours would be; only the path to PiuPiu differs.
let package = Package(
    name: "Recipes",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "PiuPiu", path: "../..")],
    targets: [
        .target(name: "Interruption"),
        .executableTarget(name: "Chat", dependencies: [.async, .testing]),
        .executableTarget(name: "Worker", dependencies: ["Interruption", .async, .testing]),
        .executableTarget(name: "Mirror", dependencies: ["Interruption", .async, .testing]),
        .executableTarget(name: "Rewrite", dependencies: [.async, .futures, .testing]),
    ],
    swiftLanguageModes: [.v6]
)

extension Target.Dependency {
    static let async = product(name: "PiuPiuAsync", package: "PiuPiu")
    static let futures = product(name: "PiuPiuFutures", package: "PiuPiu")
    /// For the servers that the recipes bring along; your program does not need it.
    static let testing = product(name: "PiuPiuTesting", package: "PiuPiu")
}
