// swift-tools-version: 6.2
import PackageDescription

func runner(
    _ name: String, also products: [String] = [], underServer servers: [String] = [], other: [Target.Dependency] = []
) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["ConformanceSupport", .product(name: "NetCore", package: "swift-net")] + other
            + products.map { .product(name: $0, package: "swift-net") }
            + servers.map { .product(name: $0, package: "swift-net", condition: .when(traits: ["Server"])) },
        swiftSettings: [.swiftLanguageMode(.v6)])
}

/// Programs that test the library together with others; `scripts/conformance` builds and runs them. The sets that only read
/// files of cases are in conformance-cases, an executable of swift-net.
let package = Package(
    name: "Conformance",
    platforms: [.macOS(.v15)],
    products: [.library(name: "ConformanceSupport", targets: ["ConformanceSupport"])],
    traits: [
        .trait(name: "Server", description: "The runners that need a server of the library's own (SwiftNIO)."),
        .trait(
            name: "Redis", description: "The runner that needs servers on a broker (libhiredis).",
            enabledTraits: ["Server"]),
    ],
    dependencies: [
        .package(
            name: "swift-net", path: "../..",
            traits: [
                .trait(name: "Server", condition: .when(traits: ["Server"])),
                .trait(name: "Redis", condition: .when(traits: ["Redis"])),
            ]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ],
    targets: [
        runner("conformance-autobahn", also: ["NetSocket"]),
        runner(
            "conformance-socket-peers", also: ["NetHTTP", "NetSocket", "NetSocketCore"],
            underServer: ["NetSocketServer", "NetTestServer", "NetTesting"],
            other: [.product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"]))]),
        // Contains links to the tests of NetStore, which fill a database in the same way.
        runner(
            "conformance-filter", also: ["NetStore", "NetTesting"],
            other: [.product(name: "HTTPTypes", package: "swift-http-types")]),
        // Contains links as well; the expressions and calls are those of the filter's set.
        runner(
            "conformance-report", also: ["NetStore", "NetTesting"],
            other: [.product(name: "HTTPTypes", package: "swift-http-types")]),
        runner(
            "conformance-fan-out", also: ["NetHTTP", "NetSocket", "NetSocketCore"], underServer: ["NetSocketServer"],
            other: [.product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"]))]),
        .executableTarget(
            name: "conformance-http-peers",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NetCore", package: "swift-net"), .product(name: "NetHTTP", package: "swift-net"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .executableTarget(
            name: "conformance-otlp",
            dependencies: ["NetCore", "NetHTTP", "NetStore"].map { .product(name: $0, package: "swift-net") },
            swiftSettings: [.swiftLanguageMode(.v6)]),
        runner("conformance-browser", also: ["NetSocket", "NetSocketCore"], underServer: ["NetTestServer"]),
        .executableTarget(
            name: "conformance-secrets",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
            ]
                + ["NetCore", "NetHTTP", "NetSocket", "NetStore", "NetTesting"].map {
                    .product(name: $0, package: "swift-net")
                }
                + ["NetSocketServer", "NetTestServer"].map {
                    .product(name: $0, package: "swift-net", condition: .when(traits: ["Server"]))
                },
            swiftSettings: [.swiftLanguageMode(.v6)]),
        // Also compiled into conformance-cases, through a link.
        .target(name: "ConformanceSupport", swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
