#if Tools
import Foundation
import NetCore
import Testing

@testable import NetStore
@testable import net_activity

/// The doctor on files of browsers and proxies: what a file doesn't contain isn't diagnosed.
struct ForeignCallsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func findings(_ entries: [String], rule: String? = nil) throws -> [Finding] {
        let text =
            #"{"log":{"version":"1.2","creator":{"name":"WebInspector","version":"1"},"entries":[\#(entries.joined(separator: ","))]}}"#
        let path = folder.file("a.har")
        try Data(text.utf8).write(to: URL(filePath: path))
        var doctor = Doctor()
        for entry in try RecordedEntries(path: path).entries.reversed() { doctor.see(entry) }
        return doctor.findings(runs: [], rule: rule)
    }

    private func calls(
        _ count: Int, url: String = "https://a.test/x", headers: String = "", response: String,
        timings: String = #"{"send":1,"wait":4,"receive":1}"#, time: Double = 6, rest: String = ""
    ) -> [String] {
        (0..<count).map { number in
            #"""
            {"startedDateTime":"2026-03-01T10:00:\#(10 + number)Z","time":\#(time),"request":{"method":"GET",
            "url":"\#(url)?n=\#(number)","httpVersion":"HTTP/1.1","headers":[\#(headers)]},"response":\#(response),
            "timings":\#(timings)\#(rest)}
            """#
        }
    }

    private static let text = String(repeating: "words ", count: 5000)

    @Test func aDecodedBodyOfSafariIsntUncompressed() throws {
        let coded = calls(
            5,
            response: #"""
                {"status":200,"bodySize":-1,"headers":[{"name":"Content-Encoding","value":"gzip"},
                {"name":"Content-Type","value":"text/html"}],"content":{"size":30000,"mimeType":"text/html","text":"\#(Self.text)"}}
                """#)
        #expect(try findings(coded, rule: "uncompressed").isEmpty)
        let plain = calls(
            5,
            response: #"""
                {"status":200,"bodySize":-1,"headers":[{"name":"Content-Type","value":"text/html"}],
                "content":{"size":30000,"mimeType":"text/html","text":"\#(Self.text)"}}
                """#)
        let found = try #require(try findings(plain, rule: "uncompressed").first)
        #expect(!found.advice.contains("client"), "\(found.advice)")
        let fewer = calls(
            5,
            response: #"""
                {"status":200,"bodySize":700,"headers":[{"name":"Content-Type","value":"text/html"}],
                "content":{"size":30000,"mimeType":"text/html","text":"\#(Self.text)"}}
                """#)
        #expect(try findings(fewer, rule: "uncompressed").isEmpty)
    }

    @Test(
        arguments: [
            ("net::ERR_NAME_NOT_RESOLVED", "can't be resolved"), ("net::ERR_CONNECTION_REFUSED", "Nothing listens"),
            ("net::ERR_BLOCKED_BY_CLIENT", "didn't allow"), ("net::ERR_INTERNET_DISCONNECTED", "no network"),
            ("NS_ERROR_UNKNOWN_HOST", "can't be resolved"), ("", "doesn't contain why"),
        ])
    func eachReasonHasItsAdvice(_ text: String, _ advice: String) throws {
        let found = try findings(calls(4, response: #"{"status":0,"_error":"\#(text)"}"#))
        #expect(found.first?.rule == "failing")
        #expect(found.first?.advice.contains(advice) == true, "\(found)")
    }

    @Test(arguments: [("net::ERR_CONNECTION_TIMED_OUT", "while connecting"), ("net::ERR_TIMED_OUT", "")])
    func theTimeOfATimeoutIsNamedIfItIsKnown(_ text: String, _ when: String) throws {
        let found = try findings(calls(4, response: #"{"status":0,"_error":"\#(text)"}"#), rule: "timeouts")
        #expect(found.first?.title == "Calls to a.test time out \(when)")
    }

    @Test func abortedCallsArentFailures() throws {
        #expect(try findings(calls(8, response: #"{"status":0,"_error":"net::ERR_ABORTED"}"#), rule: "failing").isEmpty)
    }

    @Test func theTimeOfAWebSocketOrAStreamIsntSlowness() throws {
        let timings = #"{"send":1,"wait":60000,"receive":1}"#
        let sockets = calls(
            4, response: #"{"status":101,"headers":[]}"#, timings: timings, time: 60_002,
            rest: #","_webSocketMessages":[{"type":"send","time":1,"opcode":1,"data":"a"}]"#)
        #expect(try findings(sockets, rule: "slow-server").isEmpty)
        let streams = calls(
            4,
            response:
                #"{"status":200,"headers":[{"name":"Content-Type","value":"text/event-stream"}],"content":{"size":1,"text":"a"}}"#,
            timings: #"{"send":1,"wait":10,"receive":60000}"#, time: 60_011)
        #expect(try findings(streams, rule: "slow-download").isEmpty)
    }

    @Test(arguments: [#","_fromCache":"memory""#, #","response_":1,"_fetchType":"Disk Cache""#])
    func aResponseOfABrowsersCacheIsntFetchedAgain(_ rest: String) throws {
        let entries = (0..<8).map { number in
            #"""
            {"startedDateTime":"2026-03-01T10:00:1\#(number)Z","time":6,"request":{"method":"GET","url":"https://a.test/x",
            "headers":[]},"response":{"status":200,"headers":[],"content":{"size":2,"text":"hi"}},"timings":{}\#(rest)}
            """#
        }
        #expect(try findings(entries, rule: "could-be-cached").isEmpty)
    }
}
#endif
