#if Tools && Server
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@testable import NetStore

/// `net-activity replay` against a server on loopback.
@Suite(.timeLimit(.minutes(2))) struct ReplayCommandTests {
    private static let token = "t0ken-0123456789"

    private func answer(_ text: String) -> StubResponse {
        StubResponse.text(text).header(.contentType, "application/json")
    }

    @Test func `the same response exits with 0`() async throws {
        let item = ChangingAnswer(answer(#"{"id": 7, "tags": ["a"]}"#))
        try await ReplayBench.run([item.stub(.get, "/items/7")]) { bench in
            let id = try await bench.record(
                Request("items/7", query: ["page": 2], headers: [.accept: "application/json"]))
            let replay = try await bench.replay(id)
            #expect(replay.exitCode == 0, "\(replay.output)\(replay.errors)")
            #expect(replay.output.contains("The response is the same."))
            #expect(replay.output.contains("STORED"))
            let requests = bench.server.requests
            try #require(requests.count == 2)
            #expect(Set(requests.map(\.target)) == ["/items/7?page=2"])
            for name in [HTTPField.Name.accept, .acceptEncoding, .userAgent] {
                #expect(requests[0].headers[name] == requests[1].headers[name])
            }
        }
    }

    @Test func `changes of status, headers and body are named and exit with 1`() async throws {
        let item = ChangingAnswer(
            answer(#"{"items": [{"price": 12, "big": 12345678901234567890.10}], "same": 1.0}"#).header(.eTag, "\"a\""))
        try await ReplayBench.run([item.stub(.get, "/items")]) { bench in
            let id = try await bench.record(Request("items"))
            var changed = answer(
                #"{"items": [{"price": 13, "big": 12345678901234567890.11}, "more"], "same": 1}"#
            ).header(.eTag, "\"b\"")
            changed.status = .accepted
            item.change(to: changed)
            let replay = try await bench.replay(id)
            #expect(replay.exitCode == 1, "\(replay.errors)")
            for line in [
                "status", "200 → 202", #"etag: "a" → "b""#, "$.items[0].price: 12 → 13",
                "$.items[0].big: 12345678901234567890.10 → 12345678901234567890.11", #"$.items[1]: "more" is new"#,
                "json, 3 differences",
            ] { #expect(replay.output.contains(line), "\(line) in \(replay.output)") }
            let json = try await bench.replay(id, "--json", "--times", "2")
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
            #expect(json.exitCode == 1)
            #expect(object["isSame"] as? Bool == false)
            #expect((object["replays"] as? [Any])?.count == 2)
            #expect(object["uid"] as? String == id)
            let body = (object["comparison"] as? [String: Any])?["body"] as? [String: Any]
            #expect(body?["count"] as? Int == 3)
            #expect(body?["kind"] as? String == "json")
        }
    }

    @Test func `an unsafe method isn't sent without a yes`() async throws {
        let stub = Stub(.post, "/orders") { request in .bytes(request.body) }
        try await ReplayBench.run([stub]) { bench in
            let id = try await bench.record(
                Request("orders", method: .post, headers: [.contentType: "text/plain"], body: .text("one piece")))
            let refused = try await bench.replay(id)
            #expect(refused.exitCode == 2)
            #expect(refused.output.isEmpty)
            #expect(refused.errors.contains("POST \(bench.server.baseURL)/orders with a body of 9 B"))
            #expect(refused.errors.contains("--yes"))
            try #require(bench.server.requests.count == 1)
            let sent = try await bench.replay(id, "--yes")
            #expect(sent.exitCode == 0, "\(sent.output)\(sent.errors)")
            #expect(bench.server.requests.count == 2)
            #expect(bench.server.requests[1].body == bench.server.requests[0].body)
        }
    }

    @Test func `hidden places are all named, and nothing is sent`() async throws {
        try await ReplayBench.run([Stub(.post, "/login", .text("in"))]) { bench in
            var request = Request<Bytes>(
                "login", method: .post, query: ["token": "q-secret-123", "page": 2],
                headers: [.authorization: "Bearer \(Self.token)", .cookie: "sid=c-secret-123"])
            request.body = .json(["user": JSONValue.string("ada"), "pin": 1234, "password": "b-secret"])
            let id = try await bench.record(request)
            let refused = try await bench.replay(id, "--yes")
            #expect(refused.exitCode == 2)
            #expect(bench.server.requests.count == 1)
            for place in [
                "header authorization", "header cookie", "query token", "$.password", "$.pin",
            ] { #expect(refused.errors.contains(place), "\(place) in \(refused.errors)") }
            let body = try bench.write(#"{"user":"ada"}"#, to: "body.json")
            let filled = try await bench.replay(
                id, "--yes", "--bearer-env", "REPLAY_TOKEN", "--header", "Cookie: sid=other-cookie-1", "--query",
                "token=other&query", "--body", body, environment: ["REPLAY_TOKEN": "other-token-1"])
            #expect(filled.exitCode == 0, "\(filled.output)\(filled.errors)")
            let sent = try #require(bench.server.requests.last)
            #expect(sent.headers[.authorization] == "Bearer other-token-1")
            #expect(sent.headers[.cookie] == "sid=other-cookie-1")
            #expect(sent.target == "/login?token=other%26query&page=2")
            #expect(sent.body == Bytes(#"{"user":"ada"}"#.utf8))
            #expect(
                filled.output.contains("given: header cookie, header authorization, query token, body"),
                "\(filled.output)")
        }
    }

    @Test func `nothing that was given is shown, whatever the server repeats`() async throws {
        let echo = Stub(.get, "/echo") { request in
            let value = request.headers[.authorization] ?? ""
            let own: HTTPField.Name = "X-Own"
            return StubResponse.text("got \(value) and \(request.headers[own] ?? "")")
                .header(.contentLanguage, value).header(.location, "/?x=\(value)")
        }
        try await ReplayBench.run([echo]) { bench in
            let id = try await bench.record(
                Request("echo", headers: [.authorization: "Bearer \(Self.token)", .accept: "text/plain"]))
            for format in [[], ["--json"]] {
                let replay = try await bench.run(
                    "replay",
                    [id, "--bearer-env", "REPLAY_TOKEN", "--header", "X-Own: quite-secret-too"] + format,
                    environment: ["REPLAY_TOKEN": "another-token-1"])
                #expect(bench.server.requests.last?.headers[.authorization] == "Bearer another-token-1")
                for text in [replay.output, replay.errors] {
                    #expect(!text.contains("another-token-1"), "\(text)")
                    #expect(!text.contains("quite-secret"), "\(text)")
                    #expect(!text.contains(Self.token))
                }
            }
            for argument in ["quite\u{1}secret", "X-Own", "Content-Length: quite-secret", ": quite-secret"] {
                let wrong = try await bench.replay(id, "--header", argument)
                #expect(wrong.exitCode == 2, "\(wrong.errors)")
                #expect(!(wrong.output + wrong.errors).contains("quite"), "\(wrong.errors)")
            }
            let unset = try await bench.replay(id, "--bearer-env", "eyJhbGciOi")
            #expect(unset.exitCode == 2)
            #expect(!unset.errors.contains("eyJhbGciOi"))
        }
    }

    @Test func `cookies come from a jar, those of the URL only`() async throws {
        try await ReplayBench.run([Stub(.get, "/cart", .text("full"))]) { bench in
            let id = try await bench.record(Request("cart", headers: [.cookie: "sid=c-secret-123"]))
            let lines = [
                "# Netscape HTTP Cookie File", "127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\tfrom-the-jar",
                "other.example\tFALSE\t/\tFALSE\t0\tsid\tof-another-host",
            ]
            let text = try bench.write(lines.joined(separator: "\n") + "\n", to: "cookies.txt")
            let replay = try await bench.replay(id, "--cookie-jar", text)
            #expect(replay.exitCode == 0, "\(replay.errors)")
            #expect(bench.server.requests.last?.headers[.cookie] == "sid=from-the-jar")
            #expect(!replay.output.contains("from-the-jar"))
            let store = CookieStore()
            store.withJar { _ = $0.store("sid=of-the-client", from: "\(bench.server.baseURL)/", now: Date()) }
            try await store.save(to: bench.folder.file("cookies.json"), includingSession: true)
            let own = try await bench.replay(id, "--cookie-jar", bench.folder.file("cookies.json"))
            #expect(own.exitCode == 0)
            #expect(bench.server.requests.last?.headers[.cookie] == "sid=of-the-client")
            let foreign = try bench.write(lines[0] + "\n" + lines[2] + "\n", to: "other.txt")
            let none = try await bench.replay(id, "--cookie-jar", foreign)
            #expect(none.exitCode == 2, "\(none.errors)")
            #expect(none.errors.contains("none for this URL"), "\(none.errors)")
            #expect(try await bench.replay(id, "--cookie-jar", bench.folder.file("missing")).exitCode == 3)
        }
    }

    @Test func `a body that was cut or not captured isn't sent`() async throws {
        try await ReplayBench.run([Stub(.put, "/file", .text("kept"))]) { bench in
            let text = String(repeating: "0123456789", count: 50)
            let request = Request<Bytes>("file", method: .put, body: .text(text))
            let cut = try await bench.record(request, limit: 100)
            let headers = try await bench.record(request, capture: .headers)
            let nothing = try await bench.record(request, capture: .nothing)
            for (id, reason) in [
                (cut, "only 100 B of 500 B"), (headers, "wasn't captured"), (nothing, "wasn't captured"),
            ] {
                let refused = try await bench.replay(id, "--yes")
                #expect(refused.exitCode == 2, "\(refused.errors)")
                #expect(refused.errors.contains(reason), "\(refused.errors)")
            }
            #expect(bench.server.requests.count == 3)
            let body = try bench.write(text, to: "whole")
            #expect(try await bench.replay(cut, "--yes", "--body", body).exitCode == 0)
            #expect(bench.server.requests.last?.bodyBytes == 500)
        }
    }

    @Test func `a new key is sent unless the old one is wanted`() async throws {
        try await ReplayBench.run([Stub(.post, "/orders", .text("made"))]) { bench in
            let key: HTTPField.Name = "Idempotency-Key"
            let id = try await bench.record(Request("orders", method: .post, headers: [key: "first-key"]))
            #expect(try await bench.replay(id, "--yes").exitCode == 0)
            let new = try #require(bench.server.requests.last?.headers[key])
            #expect(new != "first-key")
            #expect(new.count == 36)
            #expect(try await bench.replay(id, "--yes", "--same-key").exitCode == 0)
            #expect(bench.server.requests.last?.headers[key] == "first-key")
        }
    }

    @Test func `an unknown entry exits with 1, a wrong command line with 2, a missing file with 3`() async throws {
        try await ReplayBench.run([Stub(.get, "/a", .text("a"))]) { bench in
            let id = try await bench.record(Request("a"))
            #expect(try await bench.replay("ffffffff").exitCode == 1)
            let attempt = try await bench.replay(id, "--attempt", "9")
            #expect(attempt.exitCode == 1, "\(attempt.errors)")
            #expect(attempt.errors.contains("has no attempt 9"), "\(attempt.errors)")
            for wrong in [["--times", "0"], ["--base", "staging"], ["--query", "x"], ["--query", "none=1"]] {
                let result = try await bench.run("replay", [id] + wrong)
                #expect(result.exitCode == 2, "\(wrong) \(result.errors)")
            }
            let missing = try await bench.replay(id, "--body", bench.folder.file("missing"))
            #expect(missing.exitCode == 3)
            #expect(bench.server.requests.count == 1)
        }
    }
}
#endif
