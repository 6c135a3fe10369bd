// swift-tools-version: 6.2
import PackageDescription

/// A Hummingbird application that serves our WebSockets on its own port; `scripts/conformance mounted` builds and runs
/// it.
let package = Package(
    name: "Mounting",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-net", path: "../..", traits: ["Server"]),
        .package(path: "../Conformance", traits: ["Server"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .executableTarget(
            name: "mounted",
            dependencies: [
                .product(name: "ConformanceSupport", package: "Conformance"),
                .product(name: "NetCore", package: "swift-net"), .product(name: "NetHTTP", package: "swift-net"),
                .product(name: "NetSocket", package: "swift-net"),
                .product(name: "NetSocketServer", package: "swift-net"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
