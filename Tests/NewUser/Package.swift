// swift-tools-version: 6.2
import PackageDescription

/// A client of a bookshop, as written by a reader of the README and the pages it refers to; `scripts/conformance
/// new-user` builds and runs it, and its tests.
let package = Package(
    name: "bookshop", platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-net", path: "../..", traits: [])],
    targets: [
        .target(
            name: "Bookshop",
            dependencies: [
                .product(name: "NetHTTP", package: "swift-net"),
                .product(name: "NetOpenAPIRuntime", package: "swift-net"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "NetOpenAPIPlugin", package: "swift-net")]),
        .executableTarget(
            name: "bookshop-tool", dependencies: ["Bookshop"],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        .testTarget(
            name: "BookshopTests",
            dependencies: [
                "Bookshop", .product(name: "NetTesting", package: "swift-net"),
                .product(name: "NetTestTraits", package: "swift-net"),
            ],
            exclude: ["Cassettes", "Contracts"],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    ]
)
