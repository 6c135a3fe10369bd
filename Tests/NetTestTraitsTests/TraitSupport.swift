import Foundation
import HTTPTypes
import NetCore
import NetTesting
import Synchronization
import Testing

/// A folder that is removed with the test.
final class TemporaryFolder: Sendable {
    let path = NSTemporaryDirectory() + "net-traits-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func text(_ name: String) throws -> String {
        try String(contentsOf: URL(filePath: file(name)), encoding: .utf8)
    }

    /// All files in it, sorted.
    var files: [String] {
        (FileManager.default.subpaths(atPath: path) ?? []).filter { name in
            var isFolder = ObjCBool(false)
            return FileManager.default.fileExists(atPath: file(name), isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }
}

/// Runs a body like a test with this trait.
func run(
    _ trait: some TestScoping, _ body: @concurrent @Sendable () async throws -> Void
) async throws {
    try await trait.provideScope(for: #require(Test.current), testCase: Test.Case.current, performing: body)
}

/// Returns the issues that a body records, which then don't fail the test. Includes an error that it throws.
func issues(of body: @concurrent @Sendable () async throws -> Void) async throws -> [Issue] {
    let found = Found()
    let catcher: IssueHandlingTrait = .compactMapIssues { issue in
        found.list.withLock { $0.append(issue) }
        return nil
    }
    try await run(catcher) {
        do { try await body() } catch { Issue.record(error) }
    }
    return found.list.withLock { $0 }
}

private final class Found: Sendable {
    let list = Mutex<[Issue]>([])
}

extension Issue {
    /// The text of the issue.
    var text: String { (comments.map(\.rawValue) + [error.map { "\($0)" } ?? ""]).joined(separator: "\n") }
}

extension [Issue] {
    /// The texts of all issues.
    var text: String { map(\.text).joined(separator: "\n") }
    /// True if there is exactly one issue, and it fails the test.
    var isOneFailure: Bool { map(\.isFailure) == [true] }
}

extension HTTPTransport {
    /// Returns the body of a GET as text.
    func text(_ url: String, headers: HTTPFields = [:]) async throws(NetError) -> String {
        let rest = url.dropFirst("http://".count)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let request = PreparedRequest(
            head: HTTPRequest(
                method: .get, scheme: "http", authority: String(rest[..<slash]), path: String(rest[slash...]),
                headerFields: headers))
        let response = try await execute(request, context: CallContext(for: request, delivery: .streamed))
        return String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
    }
}

/// Fails every request, like an unavailable network.
let deadNetwork = MockTransport { _, context in
    throw context.error(.connect, phase: .connecting, message: "connection refused")
}

/// Returns a transport that responds to every request with its path.
func echo() -> MockTransport { MockTransport([Stub(.get, "/{x}") { .text($0.path) }]) }
