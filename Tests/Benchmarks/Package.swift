// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
]

/// Treats C warnings as errors.
let strictC: [CSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]

/// Programs that put a server under load through this library and through comparable ones; `scripts/bench` builds and
/// runs them.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-net", path: "../..", traits: ["Redis"]),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    ],
    targets: [
        .target(name: "LoadDriver", swiftSettings: strict),
        .executableTarget(
            name: "bench-engine-ours",
            dependencies: [
                "LoadDriver",
                .product(name: "NetHTTP", package: "swift-net"),
                .product(name: "NetStore", package: "swift-net"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: strict),
        .executableTarget(
            name: "bench-engine-ahc",
            dependencies: [
                "LoadDriver",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ], swiftSettings: strict),
        .executableTarget(name: "bench-engine-urlsession", dependencies: ["LoadDriver"], swiftSettings: strict),
        .executableTarget(name: "bench-engine-floor", linkerSettings: [.linkedLibrary("curl")]),

        .executableTarget(
            name: "bench-cache",
            dependencies: [
                "LoadDriver",
                .product(name: "NetHTTP", package: "swift-net"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ], swiftSettings: strict),

        .executableTarget(
            name: "bench-store-ours",
            dependencies: [
                "LoadDriver",
                .product(name: "NetHTTP", package: "swift-net"),
                .product(name: "NetStore", package: "swift-net"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ], swiftSettings: strict),
        .executableTarget(
            name: "bench-store-c", cSettings: strictC,
            linkerSettings: ["sqlite3", "crypto", "z", "m"].map { .linkedLibrary($0) }),

        .executableTarget(name: "bench-download-flush", cSettings: strictC),

        .executableTarget(
            name: "bench-parsers",
            dependencies: [
                .product(name: "NetHTTP", package: "swift-net"), .product(name: "NetOpenAPI", package: "swift-net"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ], swiftSettings: strict),
        .executableTarget(name: "bench-yaml-floor", cSettings: strictC, linkerSettings: [.linkedLibrary("yaml")]),

        .target(name: "SocketWire", cSettings: strictC),
        .target(name: "SocketWorkload", swiftSettings: strict),
        .executableTarget(
            name: "bench-socket-server", dependencies: ["SocketWire"], cSettings: strictC,
            linkerSettings: [.linkedLibrary("crypto")]),
        .executableTarget(name: "bench-socket-floor", dependencies: ["SocketWire"], cSettings: strictC),
        .executableTarget(
            name: "bench-socket-ours",
            dependencies: ["SocketWorkload", .product(name: "NetSocket", package: "swift-net")], swiftSettings: strict),
        .executableTarget(
            name: "bench-socket-session",
            dependencies: [
                "SocketWorkload",
                .product(name: "NetSocket", package: "swift-net"),
                .product(name: "NetTesting", package: "swift-net"),
                .product(name: "NetTestServer", package: "swift-net"),
                .product(name: "NetCore", package: "swift-net"),
            ], swiftSettings: strict),
        .executableTarget(
            name: "bench-socket-nio",
            dependencies: [
                "SocketWorkload",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            // As in SwiftNIO: its inbound iterator isn't isolated to any actor, so it can't be used under SE-0461.
            swiftSettings: [.swiftLanguageMode(.v6)]),

        .executableTarget(
            name: "bench-socket-server-ours",
            dependencies: [.product(name: "NetSocketServer", package: "swift-net")], swiftSettings: strict),
        .executableTarget(
            name: "bench-fan-out-ours",
            dependencies: [.product(name: "NetSocketServer", package: "swift-net")], swiftSettings: strict),
        .executableTarget(name: "bench-socket-server-load", dependencies: ["SocketWire"], cSettings: strictC),
        .executableTarget(
            name: "bench-socket-server-nio",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            // As in SwiftNIO; see bench-socket-nio.
            swiftSettings: [.swiftLanguageMode(.v6)]),

        .executableTarget(
            name: "bench-server-ours",
            dependencies: [
                .product(name: "NetTestServer", package: "swift-net"),
                .product(name: "NetTesting", package: "swift-net"),
                .product(name: "NetCore", package: "swift-net"),
            ], swiftSettings: strict),
        .executableTarget(
            name: "bench-server-nio",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ], swiftSettings: strict),

        .executableTarget(
            name: "bench-size-ours", dependencies: [.product(name: "NetHTTP", package: "swift-net")],
            swiftSettings: strict),
        .executableTarget(
            name: "bench-size-ahc",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
            ], swiftSettings: strict),
        .executableTarget(name: "bench-size-urlsession", swiftSettings: strict),
    ]
)
