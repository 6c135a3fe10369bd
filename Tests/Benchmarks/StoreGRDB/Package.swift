// swift-tools-version: 6.2
import PackageDescription

/// Writes the calls of the store's benchmark as records of GRDB. A separate package, so that no other benchmark needs
/// GRDB.
///
/// GRDB uses the system's SQLite, like NetStore, so the process contains only one copy.
let package = Package(
    name: "StoreGRDB",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-net", path: "../../.."),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "bench-store-grdb",
            dependencies: [
                .product(name: "NetStore", package: "swift-net"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ], swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
