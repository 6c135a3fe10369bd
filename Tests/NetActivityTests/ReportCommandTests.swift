#if Tools
import Foundation
import NetCore
import Testing

@testable import NetStore

struct ReportCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func report(_ arguments: String...) throws -> Command {
        try Command.run(Command.product("net-activity"), ["report"] + arguments)
    }

    /// Creates a file with five calls, one of them with a body and a line of a log, and a WebSocket.
    private func makeFile() async throws {
        let store = try ActivityStore(at: folder.file())
        let failure = NetError(.connectionLost, phase: .receiving, message: "</script><script>window.broken=1</script>")
        let body = CaptureContent.Body(
            bytes: Bytes(#"{"name":"Ada","token":"<redacted>"}"#.utf8), size: 34, isCut: false, type: "application/json"
        )
        store.record(
            PendingCapture(
                Events.id(0), number: 1, status: 200, requestHeaders: "accept: */*",
                responseHeaders: "content-type: application/json", response: body))
        let calls = [
            Events.call(0, operation: "getUser"),
            Events.call(1, status: 404, outcome: .rejected(status: 404, responseBytes: 3)),
            Events.call(2, url: "https://x/<img src=x onerror=window.broken=1>", outcome: .failed(failure)),
            Events.call(3, outcome: .cancelled), Events.call(4, took: .seconds(3)),
        ]
        for event in Events.socket(5) { store.record(event) }
        try await store.write(Array(calls.joined()))
        try await store.close()
    }

    @Test func aReportIsOneFileOfItsOwner() async throws {
        try await makeFile()
        let path = folder.file("report.html")
        let result = try report(folder.file(), "-o", path)
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.output.contains("6 entries"), "\(result.errors)")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let html = try String(contentsOfFile: path, encoding: .utf8)
        #expect(html.hasPrefix("<!doctype html>"))
        #expect(html.hasSuffix("</html>\n"))
        #expect(!html.contains("http://"))
        #expect(!html.contains("https://"))
        #expect(!html.contains("onerror"))
        #expect(html.contains("default-src 'none'; script-src 'sha256-"))
    }

    @Test func aFilterChoosesWhatIsInIt() async throws {
        try await makeFile()
        let path = folder.file("report.html")
        let some = try report(folder.file(), "~c 404 | ~e", "-o", path)
        #expect(some.output.contains("3 entries"), "\(some.output)\(some.errors)")
        let few = try report("--file", folder.file(), "--limit", "2", "-o", path)
        #expect(few.output.contains("2 entries"), "\(few.output)\(few.errors)")
        let none = try report(folder.file(), "nowhere", "-o", path)
        #expect(none.exitCode == 0, "\(none.output)\(none.errors)")
        #expect(none.output.contains("0 entries"), "\(none.output)\(none.errors)")
    }

    @Test func failedReportsLeaveTheExistingFileUnchanged() async throws {
        try await makeFile()
        let path = folder.file("report.html")
        try Data("before".utf8).write(to: URL(fileURLWithPath: path))
        let broken = try report(folder.file(), "~c 5y", "-o", path)
        #expect(broken.exitCode != 0, "\(broken.errors)")
        #expect(broken.errors.contains("column 4"), "\(broken.errors)")
        let missing = try report(folder.file("missing.sqlite"), "-o", path)
        #expect(missing.exitCode != 0, "\(missing.errors)")
        #expect(missing.errors.contains("no such file"), "\(missing.errors)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "before")
        let nowhere = try report(folder.file(), "-o", folder.file("missing/report.html"))
        #expect(nowhere.exitCode != 0, "\(nowhere.errors)")
        #expect(nowhere.errors.contains("cannot be written"), "\(nowhere.errors)")
        #expect(try report(folder.file(), "--limit", "0").exitCode != 0)
    }

    @Test func aBrowserShowsIt() async throws {
        try await makeFile()
        let path = folder.file("report.html")
        #expect(try report(folder.file(), "-o", path).exitCode == 0)
        guard let browser = HeadlessBrowser.find() else {
            return print("skipped: 3 looks at a report, there is no Chromium (apt-get install chromium-headless-shell)")
        }
        let all = try browser.document(of: path, "")
        #expect(all.contains("data-state=\"ready\""))
        #expect(all.contains(">6 of 6<"))
        #expect(all.contains("connectionLost"))
        #expect(all.contains("&lt;img src=x"))
        let failed = try browser.document(of: path, "#filter=~e%20!~error%20cancelled")
        #expect(failed.contains(">1 of 6<"))
        let detail = try browser.document(of: path, "#call=\(Events.id(0).description)&tab=3")
        #expect(detail.contains("class=\"tree\""))
        #expect(detail.contains("Ada"))
        #expect(detail.contains("application/json"))
        for document in [all, failed, detail] {
            #expect(!document.contains("<img"))
            #expect(!document.contains("window.broken=1</script>"))
        }
    }
}

/// Chromium without a window.
private struct HeadlessBrowser {
    let path: String

    static func find() -> HeadlessBrowser? {
        let folders = ["/usr/bin", "/usr/local/bin"]
        let named = ProcessInfo.processInfo.environment["NET_CHROMIUM"].map { [$0] } ?? []
        let known = ["chromium-headless-shell", "chromium", "google-chrome"].flatMap { name in
            folders.map { "\($0)/\(name)" }
        }
        return (named + known).first { FileManager.default.isExecutableFile(atPath: $0) }.map {
            HeadlessBrowser(path: $0)
        }
    }

    /// Returns the document of a page after its scripts have run.
    func document(of path: String, _ fragment: String) throws -> String {
        let result = try Command.run(
            self.path,
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom",
                "file://\(path)\(fragment)",
            ])
        return result.output
    }
}
#endif
