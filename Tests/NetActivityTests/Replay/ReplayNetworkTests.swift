#if Tools && Server
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@testable import NetStore

/// The destination of a call sent by `net-activity replay`, and its handling of all kinds of responses.
@Suite(.timeLimit(.minutes(2))) struct ReplayNetworkTests {
    @Test func `a redirect to another origin gets no credential and no body`() async throws {
        let other = try await TestServer.start([Stub(nil, "/there", .text("there"))])
        let there = "\(other.baseURL)/there"
        let stubs = [
            Stub(.get, "/here", StubResponse.status(.found).header(.location, there)),
            Stub(.post, "/here", StubResponse.status(.temporaryRedirect).header(.location, there)),
        ]
        try await ReplayBench.run(stubs) { bench in
            let get = try await bench.record(Request("here", headers: [.authorization: "Bearer t0ken-0123456789"]))
            let post = try await bench.record(Request("here", method: .post, body: .text("for one server")))
            other.clearRequests()
            let replay = try await bench.replay(
                get, "--bearer-env", "REPLAY_TOKEN", "--header", "Prefer: secret-preference",
                environment: ["REPLAY_TOKEN": "another-token-1"])
            #expect(replay.exitCode == 0, "\(replay.output)\(replay.errors)")
            #expect(bench.server.requests.last?.headers[.authorization] == "Bearer another-token-1")
            let arrived = try #require(other.requests.last)
            #expect(arrived.headers[.authorization] == nil)
            #expect(!arrived.headers.contains { $0.value.contains("secret") || $0.value.contains("another") })
            let posted = try await bench.replay(post, "--yes")
            #expect(posted.exitCode == 1, "\(posted.output)")
            #expect(posted.output.contains("200 → 307"), "\(posted.output)")
            #expect(other.requests.count == 1)
            // A program that doesn't follow redirects receives them, and so does its replay.
            let manual = try await bench.record(Request("here", options: RequestOptions(redirects: .manual)))
            let stayed = try await bench.replay(manual)
            #expect(stayed.exitCode == 0, "\(stayed.output)\(stayed.errors)")
            #expect(other.requests.count == 1, "\(stayed.output)\(stayed.errors)")
            // Only the first attempt: its response is the redirect.
            let first = try await bench.replay(get, "--attempt", "1", "--bearer-env", "T", environment: ["T": "abcdef"])
            #expect(first.exitCode == 0, "\(first.output)\(first.errors)")
            #expect(other.requests.count == 1, "\(first.output)\(first.errors)")
        }
        await other.stop()
    }

    @Test func `another server is one that was named`() async throws {
        let staging = try await TestServer.start([Stub(.get, "/v2/items", .text("new"))])
        try await ReplayBench.run([Stub(.get, "/items", .text("old"))]) { bench in
            let id = try await bench.record(
                Request("items", query: ["page": 2], headers: [.authorization: "Bearer t0ken-0123456789"]))
            let replay = try await bench.replay(
                id, "--base", "\(staging.baseURL)/v2/", "--header", "Authorization: Basic c3RhZ2luZw==")
            #expect(replay.exitCode == 1, "\(replay.output)\(replay.errors)")
            #expect(replay.output.contains("--base"), "\(replay.output)\(replay.errors)")
            #expect(replay.output.contains(#"line 1: "old" → "new""#))
            #expect(bench.server.requests.count == 1)
            #expect(staging.requests.first?.target == "/v2/items?page=2")
            #expect(staging.requests.first?.headers[.authorization] == "Basic c3RhZ2luZw==")
        }
        await staging.stop()
    }

    @Test func `a server that refuses or never responds is said in a sentence`() async throws {
        let slow = Stub(.get, "/slow", StubResponse.text("at last").delayed(by: .seconds(600)))
        try await ReplayBench.run([Stub(.get, "/slow", .text("at once")).times(1), slow]) { bench in
            let id = try await bench.record(Request("slow"))
            let late = try await bench.replay(id, "--timeout", "100ms")
            #expect(late.exitCode == 3, "\(late.errors)")
            #expect(late.errors.contains("timeout while"), "\(late.errors)")
            let closed = try ClosedPort()
            let refused = try await bench.replay(id, "--base", "\(closed.baseURL)")
            #expect(refused.exitCode == 3, "\(refused.errors)")
            #expect(refused.errors.contains("connect while"), "\(refused.errors)")
            #expect(refused.errors.hasPrefix("Error: the response is incomplete: "))
        }
    }

    @Test func `bytes are compared by offset, and large bodies whole`() async throws {
        var bytes = [UInt8](repeating: 0xaa, count: 5_000_000)
        let file = ChangingAnswer(StubResponse(headers: [.contentType: "image/png"], body: .bytes(bytes)))
        try await ReplayBench.run([file.stub(.get, "/file")]) { bench in
            var capture = ActivityStore.Capture.bodies
            capture.bodies = CaptureLimits(bodyBytes: 8 << 20, mediaTypes: ["*/*"])
            let whole = try await bench.record(Request("file"), capture: capture, limit: 8 << 20)
            let same = try await bench.replay(whole)
            #expect(same.exitCode == 0, "\(same.output)\(same.errors)")
            #expect(same.output.contains("the same, 5.0 MB"), "\(same.output)\(same.errors)")
            bytes[4_000_000] ^= 0xff
            file.change(to: StubResponse(headers: [.contentType: "image/png"], body: .bytes(bytes)))
            let changed = try await bench.replay(whole)
            #expect(changed.exitCode == 1, "\(changed.output)")
            #expect(changed.output.contains("byte 4,000,000: "), "\(changed.output)")
        }
    }

    @Test func `of a stored response that was cut, its beginning is compared`() async throws {
        let text = ChangingAnswer(.text(String(repeating: "grün ", count: 20_000)))
        try await ReplayBench.run([text.stub(.get, "/text")]) { bench in
            let id = try await bench.record(Request("text"))
            let same = try await bench.replay(id)
            #expect(same.exitCode == 0, "\(same.output)\(same.errors)")
            #expect(same.output.contains("the first 65,536 bytes are compared"), "\(same.output)")
            text.change(to: .text(String(repeating: "grün ", count: 20_001)))
            let longer = try await bench.replay(id)
            #expect(longer.exitCode == 1, "\(longer.output)")
            #expect(longer.output.contains("size: 120,000 B → 120,006 B"), "\(longer.output)")
        }
    }

    @Test func `several replays have a spread, and can be recorded`() async throws {
        try await ReplayBench.run([Stub(.get, "/a", .text("a"))]) { bench in
            let id = try await bench.record(Request("a"))
            let replay = try await bench.replay(id, "--times", "3", "--record")
            #expect(replay.exitCode == 0, "\(replay.output)\(replay.errors)")
            #expect(replay.output.contains("3 replays: "), "\(replay.output)\(replay.errors)")
            #expect(bench.server.requests.count == 4)
            #expect(try await bench.run("list", ["~tag replay", "--json"]).lines.count == 3)
        }
    }

    @Test func `a hostile server's control characters don't reach the terminal`() async throws {
        let esc = "\u{1b}]0;owned\u{7}\u{202e}"
        let hostile = ChangingAnswer(StubResponse.text(#"{"a\#(esc)": "b"}"#).header(.eTag, "x"))
        try await ReplayBench.run([hostile.stub(.get, "/x")]) { bench in
            let id = try await bench.record(Request("x"))
            try Command.changeWithSQLite(
                bench.file,
                """
                UPDATE net_capture SET response_fields = response_fields || char(10) || 'x-bad: ' || char(27) || '[31m'
                """)
            hostile.change(to: StubResponse.text("plain\u{1b}[31m \(esc)\nand more").header(.eTag, "y"))
            let other = try await bench.record(Request("x"))
            for words in [
                ["replay", id], ["replay", id, "--json"], ["diff", id, other], ["diff", id, other, "--json"],
            ] {
                let result = try await bench.run(words[0], Array(words.dropFirst()))
                #expect(result.exitCode == (words[0] == "diff" ? 0 : 1))
                let bad = result.output.unicodeScalars.filter { $0 != "\n" && TerminalText.steers($0) }
                #expect(bad.isEmpty, "\(result.output.debugDescription)")
                #expect(result.output.contains("x-bad"), "\(result.output.debugDescription)")
            }
        }
    }
}
#endif
