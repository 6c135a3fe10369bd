// swift-tools-version: 6.2
import PackageDescription

/// A server made from documents, and a checker of values, for the conformance sets of OpenAPI. Apart from the others, since
/// it needs SwiftNIO.
let package = Package(
    name: "openapi-server",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-net", path: "../../..", traits: ["Server"])],
    targets: [
        .executableTarget(
            name: "openapi-server",
            dependencies: ["NetTestOpenAPI", "NetTestServer", "NetOpenAPI", "NetTesting", "NetCore"].map {
                .product(name: $0, package: "swift-net")
            }, swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
