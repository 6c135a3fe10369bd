#if Tools
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import Testing

@testable import NetStore
@testable import net_activity

#if Server
import NetTestServer
#endif

/// The request made from a stored call.
struct ReplayPlanTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func entry(
        _ url: String, method: String = "GET", fields: [(String, String)] = [], body: StoredExchange.Body? = nil
    ) -> ReportEntry {
        var item = StoredItem(id: 1, uid: CallID(high: 1, low: 2), kind: .call, startedAt: Self.now)
        (item.method, item.url, item.attempts, item.status) = (method, url, 1, 200)
        var attempt = StoredAttempt(1)
        (attempt.method, attempt.url, attempt.status) = (method, url, 200)
        var entry = ReportEntry(item)
        entry.attempts = [attempt]
        entry.exchanges = [
            StoredExchange(
                number: 1, status: 200, requestHeaders: fields.map { .init(name: $0.0, value: $0.1) }, request: body)
        ]
        return entry
    }

    private func plan(
        _ entry: ReportEntry, attempt: Int? = nil, _ change: (inout ReplayFillings) throws -> Void = { _ in }
    ) throws -> ReplayPlan {
        var fillings = ReplayFillings()
        try change(&fillings)
        return try #require(ReplayPlan(entry, attempt: attempt, fillings: fillings, now: Self.now))
    }

    @Test func `headers of the connection and of the old trace stay behind`() throws {
        let stored = entry(
            "https://h/",
            fields: [
                ("Host", "h"), ("Connection", "close, X-Hop"), ("X-Hop", "1"), ("Content-Length", "5"),
                ("TE", "trailers"),
                ("Accept-Encoding", "br"), ("traceparent", "00-1"), ("Transfer-Encoding", "chunked"), ("X-A", "1"),
                ("X-A", "2"), ("Referer", "r"),
            ])
        let request = try plan(stored) { $0.omitted = ["referer"] }.request(codings: "gzip")
        #expect(
            request.head.headerFields.map { "\($0.name): \($0.value)" }.sorted() == [
                "Accept-Encoding: gzip", "X-A: 1", "X-A: 2",
            ])
        #expect(request.url == "https://h/")
    }

    @Test func `of a call that was redirected, the attempt before is repeated`() throws {
        var stored = entry("https://h/a", method: "POST", fields: [("X-Try", "1")])
        for (number, url, method) in [(2, "https://h/a", "POST"), (3, "https://other/b", "GET")] {
            var attempt = StoredAttempt(number)
            (attempt.url, attempt.method, attempt.status) = (url, method, number == 3 ? 200 : 303)
            stored.attempts.append(attempt)
            stored.exchanges.append(
                StoredExchange(number: number, requestHeaders: [.init(name: "X-Try", value: "\(number)")]))
        }
        let whole = try plan(stored)
        #expect(whole.method == .post)
        #expect("\(whole.target)" == "https://h/a")
        #expect(whole.followsRedirects)
        #expect(whole.fields.map(\.value) == ["2"])
        let third = try plan(stored, attempt: 3)
        #expect(third.method == .get)
        #expect("\(third.target)" == "https://other/b")
        #expect(!third.followsRedirects)
        #expect(ReplayPlan(stored, attempt: 4, fillings: ReplayFillings(), now: Self.now) == nil)
        stored.attempts[2].status = 302
        #expect(try !plan(stored).followsRedirects)
    }

    @Test(
        arguments: [
            (
                "https://h/a?token=<redacted>&b=1&token=<redacted:0a1b2c3d>", ["token=x y", "token=2"],
                "https://h/a?token=x%20y&b=1&token=2", [String]()
            ),
            ("https://h/a?api%5Fkey=<redacted>", ["api_key=k&"], "https://h/a?api%5Fkey=k%26", []),
            ("https://h/a?b", ["c=1"], "https://h/a?b", ["query c: the URL has no such item"]),
            ("https://h/<redacted>/b#part", [], "https://h/<redacted>/b", ["a part of the path (it can't be filled)"]),
            (
                "https://<redacted>@h:8443/?next=%3Credacted%3E", [], "https://h:8443/?next=%3Credacted%3E",
                [
                    "user and password of the URL (--header 'authorization: …')", "query next (--query 'next=…')",
                ]
            ),
        ] as [(String, [String], String, [String])])
    func `hidden parts of the URL are filled or named`(
        url: String, query: [String], expected: String, missing: [String]
    ) throws {
        let found = try plan(entry(url)) { fillings in for item in query { try fillings.add(query: item) } }
        #expect("\(found.target)" == expected, "\(found.missing)")
        #expect(found.missing == missing, "\(found.missing)")
        #expect(!found.shownURL.contains("x%20y"))
        #expect(!found.shownURL.contains("0a1b2c3d"))
        #expect((found.refusal == nil) == missing.isEmpty)
    }

    @Test(
        arguments: [
            (
                #"{"user": {"pins": [1, {"pin": 0}], "name": "<redacted>"}, "total": 0}"#, "application/json",
                ["$.user.name", "$.user.pins[1].pin"]
            ),
            ("a=1&password=%3Credacted%3E", "application/x-www-form-urlencoded", ["field password"]),
            ("<a><password>&lt;redacted&gt;</password></a>", "text/xml", ["a part of it"]), ("plain", "text/plain", []),
        ] as [(String, String, [String])])
    func `hidden parts of a body are named`(body: String, type: String, expected: [String]) {
        #expect(HiddenPlaces.inBody(Bytes(body.utf8), contentType: type) == expected)
    }

    @Test func `another server gets the same path and query below its own`() throws {
        let stored = entry("http://h:8080/a/b?c=d")
        for base in ["https://staging.example.com/v2", "https://staging.example.com/v2/"] {
            let found = try plan(stored) { try $0.set(base: base) }
            #expect("\(found.target)" == "https://staging.example.com/v2/a/b?c=d")
        }
        for base in ["", "staging", "ftp://h", "https://u:p@h", "https://h/?a", "https://h/#a", "https://"] {
            #expect(throws: Failure.self, "\(base)") { try plan(stored) { try $0.set(base: base) } }
        }
    }

    @Test func `of a response, no more than the limit is read`() async throws {
        #if Server
        let chunks = (0..<40).map { _ in StubChunk(String(repeating: "x", count: 1000)) }
        try await ReplayBench.run([Stub(.get, "/long", StubResponse(body: .chunks(chunks)))]) { bench in
            let plan = try plan(entry("\(bench.server.baseURL)/long"))
            let sender = ReplaySender(plan, redaction: .safeDefault, timeout: nil, store: nil, limit: 2500)
            let replay = ComparedCall(try await sender.send())
            #expect(replay.status == 200)
            #expect(replay.responseBody?.bytes.count == 2500)
            #expect(replay.responseBody?.isCut == true)
        }
        #endif
    }
}
#endif
