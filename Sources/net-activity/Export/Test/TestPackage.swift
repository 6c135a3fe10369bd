#if Tools
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A new package for tests, which `swift test` runs.
struct TestPackage {
    /// The location of swift-net: a folder, or the URL of a repository.
    let dependency: String

    /// Writes the manifest unless it exists, and returns the folder for tests.
    func write(to folder: String) throws -> String {
        let tests = "\(folder)/Tests/RecordedTests"
        try FileManager.default.createDirectory(atPath: tests + "/Cassettes", withIntermediateDirectories: true)
        let file = "\(folder)/Package.swift"
        if !FileManager.default.fileExists(atPath: file) {
            try Data(manifest(from: folder).utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        }
        return tests
    }

    private func manifest(from folder: String) -> String {
        let place: String
        if dependency.contains("://") {
            place = "url: \(SwiftText.literal(dependency)), from: \"0.1.0\""
        } else {
            let path = URL(fileURLWithPath: dependency).standardizedFileURL.path
            place = "name: \"swift-net\", path: \(SwiftText.literal(path))"
        }
        let module = "PackageDescription"
        return """
            // swift-tools-version: 6.2
            import \(module)

            let package = Package(
                name: "recorded-tests", platforms: [.macOS(.v15)],
                dependencies: [.package(\(place), traits: [])],
                targets: [
                    .testTarget(
                        name: "RecordedTests",
                        dependencies: [
                            .product(name: "NetHTTP", package: "swift-net"),
                            .product(name: "NetTesting", package: "swift-net"),
                            .product(name: "NetTestTraits", package: "swift-net"),
                        ],
                        exclude: ["Cassettes"])
                ])

            """
    }
}
#endif
