// swift-tools-version: 6.2
import PackageDescription

func runner(_ name: String, also products: [String] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["ConformanceSupport", .product(name: "NetCore", package: "swift-net")]
            + products.map { .product(name: $0, package: "swift-net") },
        swiftSettings: [.swiftLanguageMode(.v6)])
}

/// Programs that drive the library's parsers over case files; `scripts/conformance` builds and runs them.
let package = Package(
    name: "Conformance",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-net", path: "../..", traits: [])],
    targets: [
        runner("conformance-sse"), runner("conformance-uri-template"), runner("conformance-multipart"),
        runner("conformance-fields"), runner("conformance-trace-context"),
        runner("conformance-digest", also: ["NetHTTP"]), runner("conformance-http-cache", also: ["NetHTTP"]),
        runner("conformance-autobahn", also: ["NetSocket"]),
        .target(name: "ConformanceSupport", swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
