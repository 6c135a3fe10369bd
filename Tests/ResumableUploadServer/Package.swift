// swift-tools-version: 6.2
import PackageDescription

/// A server for resumable uploads (the IETF draft) on SwiftNIO's own implementation; `scripts/conformance uploads`
/// builds and runs it.
let package = Package(
    name: "ResumableUploadServer",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "resumable-upload-server", targets: ["resumable-upload-server"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ],
    targets: [
        .executableTarget(
            name: "resumable-upload-server",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOResumableUpload", package: "swift-nio-extras"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
