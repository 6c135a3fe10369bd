// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
]

/// Warnings of C are errors, as those of Swift are.
let strictC: [CSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]

/// Programs that load a server through this library and through its peers; `scripts/bench` builds and runs them.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2")
    ],
    targets: [
        .target(name: "SocketWire", cSettings: strictC),
        .executableTarget(
            name: "bench-socket-server", dependencies: ["SocketWire"], cSettings: strictC,
            linkerSettings: [.linkedLibrary("crypto")]),
        .executableTarget(name: "bench-socket-floor", dependencies: ["SocketWire"], cSettings: strictC),
        .target(name: "SocketWorkload", swiftSettings: strict),
        .executableTarget(
            name: "bench-socket-nio",
            dependencies: [
                "SocketWorkload",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            // As SwiftNIO is written: its inbound iterator runs on no actor's behalf, so it cannot be used under SE-0461.
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
