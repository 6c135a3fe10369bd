import Foundation
import Testing

/// A foreign package that depends on this one without traits. Its programs are built in one folder, so that NetCore is compiled
/// once for all of them.
///
/// The folder is temporary. If `NET_NESTED` names a folder, the package is created there and kept, so that the next run compiles
/// only what has changed.
struct NestedPackage: Sendable {
    /// Provides a package for the tests of a suite.
    struct Scope: SuiteTrait, TestScoping {
        func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            if let path = ProcessInfo.processInfo.environment["NET_NESTED"], !path.isEmpty {
                let package = NestedPackage(folder: URL(fileURLWithPath: path), isKept: true)
                try await NestedPackage.$current.withValue(package, operation: function)
            } else {
                try await withTemporaryFolder { folder in
                    let package = NestedPackage(folder: folder, isKept: false)
                    try await NestedPackage.$current.withValue(package, operation: function)
                }
            }
        }
    }

    @TaskLocal static var current: NestedPackage?

    /// Each module is compiled in one piece and without debug information, in half the time: as in `scripts/lib.sh`.
    private static let flags =
        ["-debug-info-format", "none"]
        + ["-whole-module-optimization", "-no-emit-module-separately-wmo", "-num-threads", "2"].flatMap {
            ["-Xswiftc", $0]
        }

    let folder: URL
    /// True if the package stays, and may contain the builds of an earlier run.
    let isKept: Bool

    /// True if one of its programs was built.
    var isBuilt: Bool { FileManager.default.fileExists(atPath: program("")) }

    /// Returns the path of a built program.
    func program(_ name: String) -> String { folder.appendingPathComponent(".build/debug/\(name)").path }

    /// Writes the manifest, with the declarations of a dependency and of targets.
    func writeManifest(dependency: String = swiftNet(traits: ", traits: []"), targets: [String]) throws {
        let manifest = """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "nested", platforms: [.macOS(.v15)],
                dependencies: [\(dependency)],
                targets: [
                    \(targets.joined(separator: ", "))
                ])
            """
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try manifest.write(to: folder.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
    }

    /// Returns the declaration of this package as a dependency.
    static func swiftNet(traits: String) -> String {
        ".package(name: \"swift-net\", path: \"\(PackageFolder.root.path)\"\(traits))"
    }

    /// Writes the only file of a target.
    func writeMain(_ program: String, of target: String) throws {
        let sources = folder.appendingPathComponent("Sources/\(target)")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        try program.write(to: sources.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
    }

    /// Removes a file or folder, if it exists.
    func remove(_ path: String) throws {
        let file = folder.appendingPathComponent(path)
        if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
    }

    private struct Dependency: Decodable {
        let identity: String
        let dependencies: [Dependency]
    }

    /// Returns the packages that the first dependency depends on.
    func fetchedPackages() async throws -> [String] {
        let shown = try await run("swift", ["package", "show-dependencies", "--format", "json"], in: folder)
        let start = try #require(shown.output.firstIndex(of: "{"), "\(shown.output)")
        let tree = try JSONDecoder().decode(Dependency.self, from: Data(shown.output[start...].utf8))
        return try #require(tree.dependencies.first).dependencies.map(\.identity).sorted()
    }

    /// Runs a command of SwiftPM with the flags of all builds; once more if it takes too long, because a build may wait for
    /// itself.
    func swift(_ command: String, _ arguments: String...) async throws -> ProgramResult {
        let limited = ["300", "swift", command] + Self.flags + arguments
        let result = try await run("timeout", limited, in: folder)
        return result.status == 124 ? try await run("timeout", limited, in: folder) : result
    }

    /// Builds a program, and returns the CPU seconds of all processes of the build.
    func build(_ product: String) async throws -> Double {
        // The shell's own clock includes all child processes. A build that waits for itself is repeated.
        let command = #"TIMEFORMAT='cpu %U %S'; time { timeout 300 swift build "$@" || timeout 300 swift build "$@"; }"#
        let build = try await run(
            "bash", ["-c", command, "bash"] + Self.flags + ["--product", product], in: folder)
        try #require(build.status == 0, "\(build.output)")
        let line = try #require(build.lines.last { $0.hasPrefix("cpu ") })
        let figures = line.split(separator: " ").compactMap { Double($0) }
        try #require(figures.count == 2, "\(line)")
        return figures.reduce(0, +)
    }
}

extension Trait where Self == NestedPackage.Scope {
    /// A package for the tests of a suite, which is `NestedPackage.current` in them.
    static var nestedPackage: Self { Self() }
}
