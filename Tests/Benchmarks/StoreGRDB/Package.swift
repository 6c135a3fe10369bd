// swift-tools-version: 6.2
import PackageDescription

/// Writes the calls of the store's benchmark by records of GRDB. A package of its own, so that no other benchmark needs GRDB.
///
/// GRDB uses the system's SQLite, as NetStore does: one copy in the process.
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
