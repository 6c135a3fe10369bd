// swift-tools-version: 6.2
import PackageDescription

/// Programs that drive the library's parsers over case files; `scripts/conformance` builds and runs them.
let package = Package(
    name: "Conformance",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-net", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "conformance-sse", dependencies: [.product(name: "NetCore", package: "swift-net")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
