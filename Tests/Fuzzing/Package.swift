// swift-tools-version: 6.2
import PackageDescription

let sanitized = ["-sanitize=fuzzer,address"]

/// A target for libFuzzer. It imports internal declarations with `@testable`, which requires `-enable-testing` for the
/// whole build.
func fuzzer(_ name: String, also products: [String] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: [
            "FuzzSupport", .product(name: "NetSocketCore", package: "swift-net"),
            .product(name: "NetCore", package: "swift-net"), .product(name: "NetTesting", package: "swift-net"),
        ] + products.map { .product(name: $0, package: "swift-net") },
        swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(sanitized)],
        linkerSettings: [
            .unsafeFlags(sanitized),
            // The default linker on Linux, gold, can't read the debug information that the sanitizers produce.
            .unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux])),
        ])
}

/// Programs that feed random bytes to the library's parsers; `scripts/fuzz` builds and runs them.
let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-net", path: "../..", traits: ["Compression"])],
    targets: [
        .target(name: "FuzzSupport", swiftSettings: [.swiftLanguageMode(.v6)]),
        fuzzer("fuzz-cassette"),
        fuzzer("fuzz-har"),
        fuzzer("fuzz-websocket-extensions"),
        fuzzer("fuzz-websocket-frames"),
        fuzzer("fuzz-websocket-handshake"),
        fuzzer("fuzz-websocket-inflate"),
        fuzzer("fuzz-wires"),
        fuzzer("fuzz-uri-template"),
        fuzzer("fuzz-multipart"),
        fuzzer("fuzz-structured-fields"),
        fuzzer("fuzz-set-cookie", also: ["NetHTTP"]),
        fuzzer("fuzz-event-stream"),
        fuzzer("fuzz-fields"),
        fuzzer("fuzz-url"),
        fuzzer("fuzz-filter", also: ["NetStore"]),
        fuzzer("fuzz-challenges", also: ["NetHTTP"]),
        fuzzer("fuzz-links"),
        fuzzer("fuzz-dates", also: ["NetHTTP"]),
        fuzzer("fuzz-trace-context"),
        fuzzer("fuzz-inflate", also: ["NetHTTP"]),
        fuzzer("fuzz-cache-fields", also: ["NetHTTP"]),
        fuzzer("fuzz-cache-files", also: ["NetHTTP"]),
        fuzzer("fuzz-openapi", also: ["NetOpenAPI"]),
        fuzzer("fuzz-json", also: ["NetOpenAPI", "NetOpenAPIRuntime"]),
    ]
)
