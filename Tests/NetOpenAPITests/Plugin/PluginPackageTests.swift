#if Tools
import Foundation
import Testing

/// The plugins in a user's package.
@Suite(.serialized) struct PluginPackageTests {
    /// Writes a package whose only target, isolated to the main actor, uses the build plugin.
    private func writePackage(to folder: String) throws {
        let app = folder + "/Sources/App"
        try FileManager.default.createDirectory(atPath: folder + "/Sources", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: SharedData.packageFolder.appending(path: "Fixtures/plugin").path, toPath: app)
        let manifest = """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "consumer", platforms: [.macOS(.v15)],
                dependencies: [.package(name: "swift-net", path: "\(SharedData.packageFolder.path)", traits: [])],
                targets: [
                    .executableTarget(
                        name: "App", dependencies: [.product(name: "NetOpenAPIRuntime", package: "swift-net")],
                        swiftSettings: [
                            .defaultIsolation(MainActor.self), .treatAllWarnings(as: .error),
                            .enableUpcomingFeature("MemberImportVisibility"),
                        ],
                        plugins: [.plugin(name: "NetOpenAPIPlugin", package: "swift-net")])
                ])
            """
        try manifest.write(toFile: folder + "/Package.swift", atomically: true, encoding: .utf8)
    }

    /// Runs a command of SwiftPM; once more if it takes too long, since a build may wait for itself.
    private func swift(_ arguments: String..., folder: String) async throws -> CommandRunner.Outcome {
        let (program, limited) = (URL(filePath: "/usr/bin/env"), ["timeout", "240", "swift"] + arguments)
        let outcome = try await CommandRunner.runAside(executable: program, limited, folder: folder)
        guard outcome.exitCode == 124 else { return outcome }
        return try await CommandRunner.runAside(executable: program, limited, folder: folder)
    }

    @Test func bothPluginsMakeCodeInAFreshPackage() async throws {
        let folder = try TemporaryFolder()
        try writePackage(to: folder.path)
        let first = try await swift("run", "App", folder: folder.path)
        #expect(
            first.output == "GET books/a%2Fb application/json https://books.example.com/v1\ntrue\ntrue\n",
            "\(first.output) \(first.errors)")

        // A change to a document, here to a part of it in a separate file, changes the code in the next build.
        let part = folder.path + "/Sources/App/parts/problem.yaml"
        let text = try String(contentsOfFile: part, encoding: .utf8)
        try text.replacingOccurrences(of: "message", with: "reason").write(
            toFile: part, atomically: true, encoding: .utf8)
        let second = try await swift("build", folder: folder.path)
        #expect(second.exitCode != 0, "\(second)")
        #expect((second.output + second.errors).contains("expected 'reason:'"), "\(second)")

        let command = try await swift(
            "package", "--allow-writing-to-package-directory", "generate-openapi", "Sources/App/openapi.yaml",
            "--output", "Made", folder: folder.path)
        let made = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Made")
        #expect(command.exitCode == 0, "\(made) \(command.errors)")
        #expect(made.contains { $0.hasSuffix(".swift") }, "\(made) \(command.errors)")

        // An unreadable document fails the command, which prints the generator's error.
        try "openapi: 4.0.0\n".write(toFile: folder.path + "/wrong.yaml", atomically: true, encoding: .utf8)
        let failed = try await swift(
            "package", "--allow-writing-to-package-directory", "generate-openapi", "wrong.yaml", "--output", "Wrong",
            folder: folder.path)
        #expect(failed.exitCode != 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/Wrong"))
        #expect((failed.output + failed.errors).contains("OpenAPI '4.0.0' is not supported"), "\(failed)")
    }
}
#endif
