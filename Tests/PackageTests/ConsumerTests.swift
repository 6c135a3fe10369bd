import Foundation
import HTTPTypes
import NetTestServer
import NetTesting
import Testing

/// A foreign package that depends on this one.
@Suite(.serialized, .nestedPackage) struct ConsumerTests {
    /// A target that links only NetHTTP; its program is the first example of the README.
    private static let readme = """
        .executableTarget(name: "App", dependencies: [.product(name: "NetHTTP", package: "swift-net")])
        """
    /// A target, isolated to the main actor, that uses the build plugin.
    private static let library = """
        .executableTarget(
            name: "Library", dependencies: [.product(name: "NetOpenAPIRuntime", package: "swift-net")],
            swiftSettings: [
                .defaultIsolation(MainActor.self), .treatAllWarnings(as: .error),
                .enableUpcomingFeature("MemberImportVisibility"),
            ],
            plugins: [.plugin(name: "NetOpenAPIPlugin", package: "swift-net")])
        """

    private func writeFirstExample(to package: NestedPackage) throws {
        let parts = try PackageFolder.text("README.md").components(separatedBy: "```swift\n")
        let rest = try #require(parts.dropFirst().first)
        let example = try #require(rest.components(separatedBy: "```").first)
        try package.writeMain(
            example.replacing("\"http://127.0.0.1:8080/v1\"", with: "try BaseURL(CommandLine.arguments[1])"), of: "App")
    }

    @Test(arguments: [
        ("", ["swift-argument-parser", "swift-http-types", "swift-log"]),
        (", traits: []", ["swift-http-types", "swift-log"]),
    ]) func aConsumerFetchesOnlyWhatItsTraitsNeed(traits: String, expected: [String]) async throws {
        try await withTemporaryFolder { folder in
            let package = NestedPackage(folder: folder, isKept: false)
            try writeFirstExample(to: package)
            try package.writeManifest(dependency: NestedPackage.swiftNet(traits: traits), targets: [Self.readme])
            #expect(try await package.fetchedPackages() == expected)
        }
    }

    #if Server
    /// Compares the CPU seconds of a build from nothing with those of a package without this one, whose build time measures the
    /// current speed of the machine.
    private func expectLittleWork(_ seconds: Double, reference folder: URL) async throws {
        let reference = NestedPackage(folder: folder, isKept: false)
        try reference.remove(".build")
        try reference.writeMain("import HTTPTypes\n\nprint(HTTPFields())\n", of: "App")
        try reference.writeManifest(
            dependency: """
                .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0")
                """,
            targets: [
                """
                .executableTarget(name: "App", dependencies: [.product(name: "HTTPTypes", package: "swift-http-types")])
                """
            ])
        let ratio = try await seconds / reference.build("App")
        print("a build of a program with NetHTTP: \(seconds) CPU seconds, \(ratio) times the reference")
        // A bound that detects an unnoticed doubling, on a fast or a slow machine.
        #expect(ratio <= 33, "\(seconds) CPU seconds")
    }

    @Test func theFirstExampleOfTheReadmeBuildsLinksLittleAndRuns() async throws {
        let package = try #require(NestedPackage.current)
        // A build from nothing is measured. Only a folder that is kept contains the builds of an earlier run.
        if !package.isKept { try package.remove(".build") }
        let isFirstBuild = !package.isBuilt
        try writeFirstExample(to: package)
        try package.writeManifest(targets: [Self.readme])
        let seconds = try await package.build("App")
        if isFirstBuild {
            try await expectLittleWork(seconds, reference: package.folder.appendingPathComponent("reference"))
        } else {
            print("skipped: the CPU seconds of a build from nothing, NET_NESTED contains an earlier build")
        }

        let binary = package.program("App")
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
        #expect(missing.output.contains("unacceptableStatus while validating: the server responded with status 404"))
        await server.stop()
    }
    #endif

    @Test func bothPluginsMakeCodeInAFreshPackage() async throws {
        let package = try #require(NestedPackage.current)
        for made in ["Sources/Library", "Made", "Wrong"] { try package.remove(made) }
        try writeFirstExample(to: package)
        try FileManager.default.copyItem(
            at: PackageFolder.root.appendingPathComponent("Fixtures/plugin"),
            to: package.folder.appendingPathComponent("Sources/Library"))
        // After the README's example, only what the plugin needs in addition is compiled.
        try package.writeManifest(targets: [Self.readme, Self.library])
        _ = try await package.build("Library")
        let printed = try await run(package.program("Library"), [])
        #expect(printed.output == "GET books/a%2Fb application/json https://books.example.com/v1\ntrue\ntrue\n")

        // A change to a document, here to a part of it in a separate file, changes the code in the next build.
        let part = package.folder.appendingPathComponent("Sources/Library/parts/problem.yaml")
        let text = try String(contentsOf: part, encoding: .utf8)
        try text.replacing("message", with: "reason").write(to: part, atomically: true, encoding: .utf8)
        let second = try await package.swift("build", "--product", "Library")
        #expect(second.status != 0, "\(second)")
        #expect(second.output.contains("expected 'reason:'"), "\(second)")

        let command = try await package.swift(
            "package", "--allow-writing-to-package-directory", "generate-openapi", "Sources/Library/openapi.yaml",
            "--output", "Made")
        #expect(command.status == 0, "\(command.output)")
        let made = try FileManager.default.contentsOfDirectory(
            atPath: package.folder.appendingPathComponent("Made").path)
        #expect(made.contains { $0.hasSuffix(".swift") }, "\(made) \(command.output)")

        // An unreadable document fails the command, which prints the generator's error.
        let wrong = package.folder.appendingPathComponent("wrong.yaml")
        try "openapi: 4.0.0\n".write(to: wrong, atomically: true, encoding: .utf8)
        let failed = try await package.swift(
            "package", "--allow-writing-to-package-directory", "generate-openapi", "wrong.yaml", "--output", "Wrong")
        #expect(failed.status != 0)
        #expect(!FileManager.default.fileExists(atPath: package.folder.appendingPathComponent("Wrong").path))
        #expect(failed.output.contains("OpenAPI '4.0.0' is not supported"), "\(failed)")
    }
}
