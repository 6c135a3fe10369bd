// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target: the Swift 6 language mode, every upcoming feature, warnings as errors.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
]

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let arguments = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Tools"]))

/// A SwiftNIO product, linked only if the trait is enabled. Default `Server`.
func nio(_ name: String, from package: String = "swift-nio", trait: String = "Server") -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: [trait]))
}

/// A product that is linked only if the trait of the same name is enabled.
func adapter(_ name: String, _ product: String? = nil, from package: String) -> Target.Dependency {
    .product(name: product ?? name, package: package, condition: .when(traits: [name]))
}

/// The system libraries for content codings, linked only if the trait `Compression` is enabled.
let codecs = ["CBrotli", "CZstd"].map { name in
    Target.Dependency.target(name: name, condition: .when(traits: ["Compression"]))
}

/// The packages that receive a server's metrics and traces or manage its life cycle.
let adapters: [Target.Dependency] = [
    adapter("Metrics", "CoreMetrics", from: "swift-metrics"), adapter("Tracing", from: "swift-distributed-tracing"),
    adapter("ServiceLifecycle", from: "swift-service-lifecycle"),
]
let adapterTests: [Target.Dependency] = [
    adapter("Metrics", "MetricsTestKit", from: "swift-metrics"),
    adapter("Tracing", "InMemoryTracing", from: "swift-distributed-tracing"),
    adapter("ServiceLifecycle", "ServiceLifecycleTestKit", from: "swift-service-lifecycle"),
]

// hiredis's pkg-config flags aren't needed on Linux, and SwiftPM rejects one of them with a warning in each build.
#if os(Linux)
let hiredis: String? = nil
#else
let hiredis: String? = "hiredis"
#endif

let nioServer: [Target.Dependency] = [
    nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOTLS"), nio("NIOConcurrencyHelpers"),
    // BoringSSL takes two fifths of the time of a clean build.
    nio("NIOSSL", from: "swift-nio-ssl", trait: "ServerTLS"),
    nio("NIOHTTP2", from: "swift-nio-http2", trait: "ServerTLS"),
]

let package = Package(
    name: "swift-net",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "NetCore", targets: ["NetCore"]),
        .library(name: "NetHTTP", targets: ["NetHTTP"]),
        .library(name: "NetSocket", targets: ["NetSocket"]),
        .library(name: "NetSocketCore", targets: ["NetSocketCore"]),
        .library(name: "NetSocketServer", targets: ["NetSocketServer"]),
        .library(name: "NetOpenAPIRuntime", targets: ["NetOpenAPIRuntime"]),
        .library(name: "NetTesting", targets: ["NetTesting"]),
        .library(name: "NetTestTraits", targets: ["NetTestTraits"]),
        .library(name: "NetTestServer", targets: ["NetTestServer"]),
        .library(name: "NetOpenAPI", targets: ["NetOpenAPI"]),
        .library(name: "NetTestOpenAPI", targets: ["NetTestOpenAPI"]),
        .library(name: "NetStore", targets: ["NetStore"]),
        .executable(name: "net-openapi-generate", targets: ["net-openapi-generate"]),
        .executable(name: "net-activity", targets: ["net-activity"]),
        .executable(name: "net-get", targets: ["net-get"]),
        .executable(name: "net-lab", targets: ["net-lab"]),
        .plugin(name: "NetOpenAPIPlugin", targets: ["NetOpenAPIPlugin"]),
        .plugin(name: "NetOpenAPICommand", targets: ["NetOpenAPICommand"]),
    ],
    traits: [
        .trait(name: "Tools", description: "net-activity, net-get and net-lab (swift-argument-parser)."),
        .trait(
            name: "Server",
            description:
                "NetSocketServer, the loopback test servers of NetTestServer and NetTestOpenAPI, and net-lab (SwiftNIO)."
        ),
        .trait(
            name: "ServerTLS", description: "TLS and HTTP/2 for those servers (BoringSSL).",
            enabledTraits: ["Server"]),
        .trait(
            name: "Redis", description: "RedisFanOut: channels across servers, on Redis or Valkey (libhiredis).",
            enabledTraits: ["Server"]),
        .trait(name: "Compression", description: "The content codings brotli and zstd (libbrotlidec, libzstd)."),
        .trait(name: "Metrics", description: "Metrics of HTTP calls for swift-metrics."),
        .trait(name: "Tracing", description: "Spans of HTTP calls for swift-distributed-tracing."),
        .trait(name: "ServiceLifecycle", description: "HTTPClient as a service of swift-service-lifecycle."),
        .default(enabledTraits: ["Tools"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .systemLibrary(
            name: "CHiredis", pkgConfig: hiredis, providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])]),
        .systemLibrary(name: "CPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"]), .brew(["libpsl"])]),
        // Headers of the kernel that Glibc's module omits.
        .systemLibrary(name: "CNetlink"),
        // A function for moving files that Glibc's module omits.
        .systemLibrary(name: "CFiles"),

        .target(name: "NetCore", dependencies: [httpTypes, logging], swiftSettings: strict),
        .target(
            name: "NetClient",
            dependencies: [
                "NetCore", "NetCrypto", "CPSL", .target(name: "CNetlink", condition: .when(platforms: [.linux])),
                httpTypes, logging,
            ],
            swiftSettings: strict),
        .target(
            name: "NetObserve",
            dependencies: [
                "NetCore", "NetRecord", httpTypes, logging, adapter("Metrics", "CoreMetrics", from: "swift-metrics"),
                adapter("Tracing", from: "swift-distributed-tracing"),
            ], swiftSettings: strict),
        .target(name: "NetOpenAPIRuntime", dependencies: ["NetCore", httpTypes], swiftSettings: strict),
        .target(name: "NetRecord", dependencies: ["NetCore", httpTypes], swiftSettings: strict),
        .target(name: "NetCurl", dependencies: ["NetCore", "CCurl", httpTypes], swiftSettings: strict),
        .target(name: "NetCrypto", dependencies: ["NetCore", "CCrypto"], swiftSettings: strict),
        .target(name: "NetCompression", dependencies: ["NetCore", "CZlib"] + codecs, swiftSettings: strict),
        .target(
            name: "NetSocketCore", dependencies: ["NetCore", "NetCompression", "NetCrypto", httpTypes],
            swiftSettings: strict),
        .target(
            name: "NetHTTP",
            dependencies: [
                "NetClient", "NetObserve", "NetCore", "NetCompression", "NetCrypto", "NetCurl",
                .target(name: "CFiles", condition: .when(platforms: [.linux])), httpTypes, logging,
            ] + adapters,
            swiftSettings: strict),
        .target(
            name: "NetSocket",
            dependencies: [
                "NetClient", "NetObserve", "NetSocketCore", "NetCore", "NetCurl", httpTypes, logging,
                adapter("Tracing", from: "swift-distributed-tracing"),
            ], swiftSettings: strict),
        .target(
            name: "NetSocketServer",
            dependencies: [
                "NetObserve", "NetSocketCore", "NetCore", "NetCompression", httpTypes, logging,
                nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOTLS"), nio("NIOConcurrencyHelpers"),
                nio("NIOSSL", from: "swift-nio-ssl", trait: "ServerTLS"),
                .target(name: "CHiredis", condition: .when(traits: ["Redis"])),
            ] + adapters, swiftSettings: strict),
        .target(
            name: "NetTesting", dependencies: ["NetCore", "NetRecord", "NetSocketCore", httpTypes],
            swiftSettings: strict),
        .target(name: "NetTestTraits", dependencies: ["NetTesting", "NetCore"], swiftSettings: strict),
        .target(
            name: "NetTestServer",
            dependencies: ["NetTesting", "NetCore", "NetSocketCore", "NetCrypto", "CCrypto", httpTypes] + nioServer,
            swiftSettings: strict),
        .target(name: "NetOpenAPI", dependencies: ["CYAML"], swiftSettings: strict),
        .target(
            name: "NetTestOpenAPI",
            dependencies: [
                "NetOpenAPI", "NetOpenAPIRuntime", "NetTestServer", "NetTesting", "NetRecord", "NetCore", httpTypes,
            ],
            swiftSettings: strict),
        .target(
            name: "NetStore",
            dependencies: ["NetCore", "NetRecord", "NetCompression", "NetCrypto", "CSQLite", httpTypes, logging],
            swiftSettings: strict),

        .executableTarget(name: "net-openapi-generate", dependencies: ["NetOpenAPI"], swiftSettings: strict),
        .executableTarget(
            name: "net-activity",
            dependencies: [
                "NetStore", "NetHTTP", "NetTesting", "NetRecord", "NetCompression", "NetOpenAPI", "NetCore", httpTypes,
                arguments, nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
            ],
            // scripts/regenerate turns the page into a Swift source file.
            exclude: ["Report/Page"], swiftSettings: strict),
        .executableTarget(
            name: "net-get", dependencies: ["NetHTTP", "NetCore", httpTypes, arguments], swiftSettings: strict),
        .executableTarget(
            name: "net-lab",
            dependencies: [
                "NetCore", "NetHTTP", "NetSocket", "NetSocketCore", "NetSocketServer", "NetTesting", "NetTestServer",
                "NetStore", "NetOpenAPI", "NetOpenAPIRuntime", httpTypes, logging, arguments,
            ],
            // Embedded in the executable, so that it needs neither a folder beside it nor Bundle.
            resources: [.embedInCode("Chat/chat.html")], swiftSettings: strict),

        // Not a product: scripts/bench socket runs it.
        .executableTarget(
            name: "socket-codec-bench", dependencies: ["NetSocketCore", "NetCore", "CZlib"],
            path: "Tests/Benchmarks/SocketCodec", swiftSettings: strict),

        // Not a product: the OpenAPI conformance sets run it.
        .executableTarget(
            name: "openapi-server",
            dependencies: ["NetTestOpenAPI", "NetTestServer", "NetOpenAPI", "NetTesting", "NetCore"],
            path: "Tests/Conformance/OpenAPIServer", swiftSettings: strict),

        // Not a product: the OpenAPI conformance sets run it.
        .executableTarget(
            name: "openapi-samples", dependencies: ["NetOpenAPI"], path: "Tests/Conformance/OpenAPISamples",
            swiftSettings: strict),

        // Not a product: the conformance sets that only read files of cases run it.
        .executableTarget(
            name: "conformance-cases", dependencies: ["NetHTTP", "NetCore", httpTypes], path: "Tests/Conformance/Cases",
            swiftSettings: strict),

        .plugin(name: "NetOpenAPIPlugin", capability: .buildTool(), dependencies: ["net-openapi-generate"]),
        .plugin(
            name: "NetOpenAPICommand",
            capability: .command(
                intent: .custom(
                    verb: "generate-openapi", description: "Generate a typed Swift client from an OpenAPI document."),
                permissions: [.writeToPackageDirectory(reason: "Writes the generated Swift files.")]),
            dependencies: ["net-openapi-generate"]),

        .target(
            name: "TestSupport", dependencies: ["NetCore", "NetCompression", "NetTesting"], path: "Tests/TestSupport",
            swiftSettings: strict),
        .target(
            name: "ClientTestSupport",
            dependencies: [
                "TestSupport", "NetHTTP", "NetCore", "NetCrypto", "NetTesting", "NetTestServer", httpTypes, logging,
            ],
            path: "Tests/ClientTestSupport", swiftSettings: strict),
        .testTarget(
            name: "NetCoreTests",
            dependencies: ["TestSupport", "NetOpenAPIRuntime", "NetCore", "NetTesting", httpTypes, logging],
            swiftSettings: strict),
        .testTarget(
            name: "NetClientTests",
            dependencies: [
                "ClientTestSupport", "TestSupport", "NetClient", "NetHTTP", "NetSocket", "NetCore", "NetTesting",
                "NetTestServer", httpTypes, logging,
            ], swiftSettings: strict),
        .testTarget(
            name: "NetObserveTests",
            dependencies: [
                "ClientTestSupport", "TestSupport", "NetObserve", "NetHTTP", "NetSocket", "NetCore", "NetTesting",
                "NetTestServer", httpTypes, logging,
            ] + adapters + adapterTests, swiftSettings: strict),
        .testTarget(
            name: "NetOpenAPIRuntimeTests",
            dependencies: ["TestSupport", "NetOpenAPIRuntime", "NetCore", "NetTesting", httpTypes],
            swiftSettings: strict),
        .testTarget(
            name: "NetCompressionTests", dependencies: ["TestSupport", "NetCompression", "NetCore"],
            swiftSettings: strict),
        .testTarget(
            name: "NetCurlTests", dependencies: ["TestSupport", "NetCurl", "NetCore", "NetTesting", httpTypes],
            swiftSettings: strict),
        .testTarget(
            name: "NetRecordTests",
            dependencies: ["NetRecord", "NetOpenAPI", "NetCore", "NetHTTP", "NetTesting", "NetTestServer", httpTypes],
            swiftSettings: strict),
        .testTarget(
            name: "NetHTTPTests",
            dependencies: [
                "ClientTestSupport", "TestSupport", "NetClient", "NetObserve", "NetCore", "NetCompression", "NetCrypto",
                "NetCurl", "NetHTTP", "NetTesting", "NetTestServer", httpTypes, logging,
            ] + adapters + adapterTests,
            swiftSettings: strict),
        // On Linux this target compiles the transports for Apple platforms, which no library there contains: its
        // folders are links to the sources.
        .testTarget(
            name: "URLSessionTransportTests",
            dependencies: ["NetSocket", "NetSocketCore", "NetCore", "NetTesting", "NetTestServer", httpTypes],
            swiftSettings: strict + [.define("NET_URLSESSION_ON_LINUX", .when(platforms: [.linux]))]),
        .testTarget(
            name: "NetSocketCoreTests", dependencies: ["NetSocketCore", "NetCore", "NetTesting", httpTypes],
            swiftSettings: strict),
        .testTarget(
            name: "NetSocketTests",
            dependencies: [
                "TestSupport", "NetSocket", "NetSocketCore", "NetCore", "NetCurl", "NetTesting", "NetTestServer",
                httpTypes,
                logging,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "NetSocketServerTests",
            dependencies: [
                "TestSupport", "NetSocketServer", "NetSocketCore", "NetSocket", "NetCore", "NetTesting", httpTypes,
                logging, nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOEmbedded"),
            ] + adapters + adapterTests, swiftSettings: strict),
        .testTarget(
            name: "NetTestingTests",
            dependencies: ["NetTesting", "NetRecord", "NetCore", "NetHTTP", "NetSocket", "NetTestServer", httpTypes],
            swiftSettings: strict),
        .testTarget(
            name: "NetTestTraitsTests",
            dependencies: [
                "NetTestTraits", "NetTesting", "NetCore", "NetHTTP", "NetSocket", "NetTestServer", httpTypes,
            ],
            exclude: ["Cassettes"], swiftSettings: strict),
        .testTarget(
            name: "NetTestServerTests",
            dependencies: ["NetTestServer", "NetTesting", "NetCore", "NetHTTP", httpTypes], swiftSettings: strict),
        .testTarget(
            name: "NetOpenAPITests",
            dependencies: [
                "NetOpenAPI", "NetOpenAPIRuntime", "NetTestOpenAPI", "NetCore", "NetHTTP", "NetTesting",
                "NetTestServer",
                httpTypes,
            ],
            // Doesn't use the build plugin: otherwise each build of the package would build the generator twice.
            swiftSettings: strict),
        .testTarget(
            name: "NetTestOpenAPITests",
            dependencies: [
                "NetTestOpenAPI", "NetOpenAPI", "NetOpenAPIRuntime", "NetTestServer", "NetTesting", "NetCore",
                "NetHTTP",
                httpTypes,
            ], swiftSettings: strict),
        .testTarget(
            name: "IdentityTests",
            dependencies: [
                "ClientTestSupport", "TestSupport", "NetHTTP", "NetSocket", "NetStore", "NetCore", "NetTesting",
                "NetTestServer", httpTypes,
            ], swiftSettings: strict),
        // Not a product: the tests of the outbox run and kill it.
        .executableTarget(
            name: "outbox-worker", dependencies: ["NetStore", "NetHTTP", "NetCore", httpTypes],
            path: "Tests/OutboxWorker", exclude: ["server.py"], swiftSettings: strict),
        // Not a product: a test runs it, kills it, and reads what its store says.
        .executableTarget(
            name: "sync-worker", dependencies: ["NetStore", "NetHTTP", "NetCore"], path: "Tests/SyncWorker",
            swiftSettings: strict),
        // A SQLite file system that fails on demand.
        .target(name: "FaultVFS", dependencies: ["CSQLite"], path: "Tests/FaultVFS"),
        .testTarget(
            name: "NetStoreTests",
            dependencies: [
                "NetStore", "NetCore", "NetCompression", "NetCrypto", "NetRecord", "NetHTTP", "NetSocket", "NetTesting",
                "NetTestServer", "FaultVFS",
                // Some tests run this program.
                "net-activity", "outbox-worker", "sync-worker", "CSQLite", httpTypes, logging,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "NetGetTests",
            dependencies: [
                "net-get", "ClientTestSupport", "TestSupport", "NetHTTP", "NetCore", "NetTesting", "NetTestServer",
                httpTypes,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "NetActivityTests",
            dependencies: [
                "net-activity", "NetStore", "NetHTTP", "NetRecord", "NetTesting", "NetTestTraits", "NetTestServer",
                "TestSupport", "NetCompression", "NetCore", httpTypes, logging,
            ], exclude: ["Generated/Cassettes"], swiftSettings: strict),
        .testTarget(
            name: "NetLabTests",
            dependencies: [
                "net-lab", "TestSupport", "NetSocketServer", "NetSocketCore", "NetSocket", "NetStore", "NetCore",
                "NetTesting", httpTypes, arguments,
            ], swiftSettings: strict),
        .testTarget(
            name: "PackageTests",
            dependencies: [
                "NetCore", "NetClient", "NetObserve", "NetHTTP", "NetSocket", "NetSocketCore", "NetSocketServer",
                "NetStore", "NetTesting",
                "NetTestTraits", "NetTestServer", "NetOpenAPI", "NetOpenAPIRuntime", "NetTestOpenAPI", httpTypes,
                logging, nio("NIOCore"),
            ] + adapters + adapterTests,
            swiftSettings: strict),
    ]
)
