import Foundation
import HTTPTypes
import NetTestServer
import NetTesting
import Testing

/// A foreign package that depends on this one.
@Suite(.serialized) struct ConsumerTests {
    /// Writes a package that links only NetHTTP; its program is the first example of the README.
    private func writeConsumer(to folder: URL, traits: String) throws {
        let sources = folder.appendingPathComponent("Sources/App")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        let manifest = """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "consumer", platforms: [.macOS(.v15)],
                dependencies: [.package(name: "swift-net", path: "\(PackageFolder.root.path)"\(traits))],
                targets: [
                    .executableTarget(name: "App", dependencies: [.product(name: "NetHTTP", package: "swift-net")])
                ])
            """
        try manifest.write(to: folder.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
        let program = try firstExample().replacing(
            "\"http://127.0.0.1:8080/v1\"", with: "try BaseURL(CommandLine.arguments[1])")
        try program.write(to: sources.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
    }

    private func firstExample() throws -> String {
        let parts = try PackageFolder.text("README.md").components(separatedBy: "```swift\n")
        let rest = try #require(parts.dropFirst().first)
        return try #require(rest.components(separatedBy: "```").first)
    }

    private struct Dependency: Decodable {
        let identity: String
        let dependencies: [Dependency]
    }

    @Test(arguments: [
        ("", ["swift-argument-parser", "swift-http-types", "swift-log"]),
        (", traits: []", ["swift-http-types", "swift-log"]),
    ]) func aConsumerFetchesOnlyWhatItsTraitsNeed(traits: String, expected: [String]) async throws {
        try await withTemporaryFolder { folder in
            try writeConsumer(to: folder, traits: traits)
            let shown = try await run("swift", ["package", "show-dependencies", "--format", "json"], in: folder)
            let start = try #require(shown.output.firstIndex(of: "{"), "\(shown.output)")
            let tree = try JSONDecoder().decode(Dependency.self, from: Data(shown.output[start...].utf8))
            let package = try #require(tree.dependencies.first)
            #expect(package.dependencies.map(\.identity).sorted() == expected)
        }
    }

    /// Writes a package without this one: its build time measures the current speed of the machine.
    private func writeReference(to folder: URL) throws {
        let sources = folder.appendingPathComponent("Sources/App")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        let manifest = """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "reference", platforms: [.macOS(.v15)],
                dependencies: [.package(url: "https://github.com/apple/swift-http-types", from: "1.8.0")],
                targets: [
                    .executableTarget(
                        name: "App", dependencies: [.product(name: "HTTPTypes", package: "swift-http-types")])
                ])
            """
        try manifest.write(to: folder.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
        let program = "import HTTPTypes\n\nprint(HTTPFields())\n"
        try program.write(to: sources.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
    }

    /// Builds the program and returns the CPU seconds of all compiler processes.
    private func build(in folder: URL) async throws -> Double {
        // The shell's own clock includes all child processes of the build. A build that waits for itself is repeated.
        let command = "TIMEFORMAT='cpu %U %S'; time { timeout 300 swift build || timeout 300 swift build; }"
        let build = try await run("bash", ["-c", command], in: folder)
        try #require(build.status == 0, "\(build.output)")
        let line = try #require(build.lines.last { $0.hasPrefix("cpu ") })
        let figures = line.split(separator: " ").compactMap { Double($0) }
        try #require(figures.count == 2, "\(line)")
        return figures.reduce(0, +)
    }

    #if Server
    @Test func theFirstExampleOfTheReadmeBuildsLinksLittleAndRuns() async throws {
        try await withTemporaryFolder { folder in
            try writeConsumer(to: folder, traits: ", traits: []")
            let seconds = try await build(in: folder)
            let reference = folder.appendingPathComponent("reference")
            try writeReference(to: reference)
            let ratio = try await seconds / build(in: reference)
            print("a build of a program with NetHTTP: \(seconds) CPU seconds, \(ratio) times the reference")
            // A bound that detects an unnoticed doubling, on a fast or a slow machine.
            #expect(ratio <= 33, "\(seconds) CPU seconds")

            let binary = folder.appendingPathComponent(".build/debug/App").path
            let needed = try await run("readelf", ["-d", binary]).output
            let loaded = try await run("ldd", [binary]).output
            #expect(needed.contains("libcurl.so"))
            for library in ["FoundationNetworking", "libsqlite3", "libyaml"] {
                #expect(!needed.contains(library), "\(library) is linked")
                #expect(!loaded.contains(library), "\(library) is linked")
            }

            let server = try await TestServer.start([
                Stub(
                    .get, "/v1/books",
                    .json(text: #"{"items": [{"title": "Emma", "authors": ["Jane Austen"], "id": 7}]}"#))
            ])
            let listed = try await run(binary, [server.baseURL.description + "/v1"])
            #expect(listed.output == "Emma by Jane Austen\n")
            #expect(listed.status == 0)
            let missing = try await run(binary, [server.baseURL.description + "/elsewhere"])
            #expect(
                missing.output.contains("unacceptableStatus while validating: the server responded with status 404"))
            await server.stop()
        }
    }
    #endif
}
