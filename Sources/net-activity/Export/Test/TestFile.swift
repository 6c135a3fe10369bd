#if Tools
internal import NetCore
internal import NetRecord
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A Swift file of tests and their cassettes, in a folder of a test target or in a separate package.
struct TestFile {
    /// The name of the suite, such as `SlowCallTests`.
    let suite: String
    private let tests: [RecordedTest]
    /// The number of calls that are equal to an earlier one, whose test covers them.
    let repeated: Int

    init(_ calls: [ChosenCall], name: String) throws {
        let name = SwiftText.name(name, isType: true)
        suite = name.hasSuffix("Tests") ? name : name + "Tests"
        var used: [String: Int] = [:]
        var contents: Set<[String]> = []
        var tests: [RecordedTest] = []
        for call in calls {
            let base = Self.name(of: call)
            let count = (used[base] ?? 0) + 1
            let test = try RecordedTest(call, name: count == 1 ? base : "\(base)No\(count)")
            guard contents.insert(test.content).inserted else { continue }
            used[base] = count
            tests.append(test)
        }
        self.tests = tests
        repeated = calls.count - tests.count
    }

    /// Returns a name such as `getBookIsAnsweredWith200`.
    private static func name(of call: ChosenCall) -> String {
        let item = call.item
        let what = item.operation ?? "\(item.method ?? "GET") \(URLReference(item.url ?? "").path)"
        let ending = item.status.map { "IsAnsweredWith\($0)" } ?? "Fails"
        return SwiftText.name(String(what.prefix(60)), isType: false) + ending
    }

    /// The source.
    var source: String {
        let modules = ["Foundation", "HTTPTypes", "NetHTTP", "NetTestTraits", "NetTesting", "Testing"]
        var lines = modules.map { "import \($0)" } + [""]
        lines += [
            "/// Calls that were kept by an activity store, made again: their recordings answer, without a network.",
            "///",
            "/// Put requests of your own in place of the ones here, and expect what matters.",
            "@Suite struct \(suite) {",
        ]
        for (index, test) in tests.enumerated() {
            if index > 0 { lines.append("") }
            lines += test.source(cassette: cassette(of: test)).map { $0.isEmpty ? "" : "    \($0)" }
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private func cassette(of test: RecordedTest) -> String { "\(suite)/\(test.name)" }

    /// Writes the source and the cassettes; returns their paths. Replaces existing files only if `replaces` is true.
    func write(to folder: String, replaces: Bool) throws -> [String] {
        let source = "\(folder)/\(suite).swift"
        let files = [source] + tests.map { "\(folder)/Cassettes/\(cassette(of: $0)).json" }
        if !replaces, let file = files.first(where: { FileManager.default.fileExists(atPath: $0) }) {
            throw Failure(
                code: .usage, description: "\(file) already exists; choose another name with --name, or use --force")
        }
        for (test, file) in zip(tests, files.dropFirst()) { try Cassette(test.exchanges).write(to: file) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(self.source.utf8).write(to: URL(fileURLWithPath: source), options: .atomic)
        return files
    }
}
#endif
