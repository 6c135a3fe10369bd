#if Tools && Server
import Foundation
import NetCore
import Testing

@testable import NetStore
@testable import net_activity

/// The server of the live page, called with curl.
@Suite(.timeLimit(.minutes(1))) struct LiveServerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func with(_ body: (ActivityStore, String) async throws -> Void) async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(Events.call(1), Events.call(2))
        let reader = try ActivityReader(path: folder.file())
        let feed = LiveFeed(reader: reader, filter: .all, words: nil, title: "activity.sqlite", limit: 100)
        let server = try await LiveServer(feed: feed, port: 0, token: "0123456789abcdef")
        let running = Task { try await server.run() }
        do {
            try await body(store, server.gate.link)
        } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        _ = await running.result
        await reader.close()
        try await store.close()
    }

    private func curl(_ arguments: String...) async throws -> Command { try await curl(arguments) }

    /// Runs curl on a separate thread: the responding server needs the threads of the tasks.
    private func curl(_ arguments: [String]) async throws -> Command {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try Command.run("/usr/bin/env", ["curl", "-sS", "--noproxy", "*"] + arguments) })
            }
        }
    }

    /// Returns curl's output file, as soon as it satisfies a condition.
    private func text(of path: String, when isEnough: (String) -> Bool) async throws -> String {
        while true {
            let data = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
            let text = String(decoding: data, as: UTF8.self)
            if isEnough(text) { return text }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    @Test func thePageLoadsItsDataFromItsServerAlone() async throws {
        try await with { _, link in
            let page = try await curl("-i", link)
            #expect(page.output.contains("connect-src 'self'; script-src 'sha256-\(ReportPage.hashes.1)'"))
            #expect(page.output.contains("class LiveSource"))
            for field in ["Cache-Control: no-store", "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff"]
            {
                #expect(page.output.contains(field), "\(field)")
            }
            let list = try await curl(link + "list", link + "findings", link + "part/0")
            #expect(list.output.contains("\"count\":2"))
            #expect(list.output.contains("/items/2?page=2"))
        }
    }

    @Test func newlyStoredCallsAreSentAsEvents() async throws {
        let output = folder.file("events")
        var looking: Task<Command, any Error>?
        try await with { store, link in
            looking = Task { try await curl("-N", "-m", "50", "-o", output, link + "events?after=2") }
            try await store.write(Events.call(3, status: 418))
            // Without a time limit, for busy machines: the suite has one.
            let events = try await text(of: output) { $0.contains("\"status\":[418]") }
            #expect(events.contains("event: news\nid: 3\ndata: {\"last\":3,"))
        }
        _ = try await looking?.value
    }

    @Test func aRefusalSaysWhatToDo() async throws {
        try await with { _, link in
            let port = link.split(separator: ":")[2].prefix { $0 != "/" }
            let cases: [([String], String, String)] = [
                (["-X", "POST", link], "405 Method Not Allowed", "it accepts only GET"),
                (["-H", "Host: evil.test:\(port)", link], "421 Misdirected Request", "127.0.0.1:\(port)"),
                (["http://127.0.0.1:\(port)/list"], "403 Forbidden", "Open the link"),
                ([link + "nothing"], "404 Not Found", "Not found"),
            ]
            for (arguments, status, text) in cases {
                let result = try await curl(["-i"] + arguments)
                #expect(result.output.contains(status), "\(result.output)")
                #expect(result.output.contains(text), "\(result.output)")
            }
        }
    }

    @Test func aStoreThatCantBeReadIsToldAsSuch() async throws {
        try await with { store, link in
            try await store.close()
            try Command.changeWithSQLite(folder.file(), "DROP TABLE net_item")
            let result = try await curl("-i", link + "list")
            #expect(result.output.contains("500 Internal Server Error"))
            #expect(result.output.contains("net_item"))
        }
    }

    @Test func itEndsWhileABrowserLooks() async throws {
        let output = folder.file("events")
        var looking: Task<Command, any Error>?
        try await with { _, link in
            looking = Task { try await curl("-N", "-m", "50", "-o", output, link + "events?after=0") }
            _ = try await text(of: output) { !$0.isEmpty }
        }
        // curl didn't end by its own time limit.
        #expect(try await looking?.value.exitCode != 28)
    }
}
#endif
