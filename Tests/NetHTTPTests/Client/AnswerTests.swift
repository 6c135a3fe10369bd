#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// Results of responses of every kind.
@Suite(.timeLimit(.minutes(2))) struct AnswerTests {
    private func text(_ bytes: [UInt8], _ type: String) -> StubResponse { .bytes(bytes, contentType: type) }

    @Test(arguments: Wire.allCases) func textIsReadInItsCharset(wire: Wire) async throws {
        let stubs = [
            Stub(.get, "/latin", text([0x63, 0xe9], "text/plain; charset=\"ISO-8859-1\"")),
            Stub(.get, "/windows", text([0x80], "text/plain; charset=windows-1252")),
            Stub(.get, "/wide", text([0xff, 0xfe, 0xe9, 0], "text/plain; charset=utf-16")),
            Stub(.get, "/none", text([0xc3, 0xa9], "text/plain")),
            Stub(.get, "/wrong", text([0x63, 0xe9], "text/plain; charset=utf-8")),
            Stub(.get, "/odd", text([0x63], "text/plain; charset=klingon")),
        ]
        try await Fixture.run(stubs, over: wire) { fixture in
            let cases: [(Path, String)] = [("latin", "cé"), ("windows", "€"), ("wide", "é"), ("none", "é")]
            for (path, text) in cases {
                let read = try await fixture.client.send(Request<String>(path))
                #expect(read == text)
            }
            for path in ["wrong", "odd"] as [Path] {
                let error = try await failure { try await fixture.client.send(Request<String>(path)) }
                #expect(error.code == .decoding)
                #expect(error.status == 200)
                #expect(error.message.contains("charset"))
            }
            let forced = Request("wrong", serializer: ResponseSerializer<String>.string(charset: .latin1))
            let read = try await fixture.client.send(forced)
            #expect(read == "cé")
            let fallback = Request("none", serializer: ResponseSerializer<String>.string(fallback: .latin1))
            let guessed = try await fixture.client.send(fallback)
            #expect(guessed == "Ã©")
        }
    }

    @Test(arguments: Wire.allCases) func dataComesAsItWasSent(wire: Wire) async throws {
        let bytes = BytePattern.bytes(from: 0, count: 100_000)
        try await Fixture.run([Stub(.get, "/x", .bytes(bytes))], over: wire) { fixture in
            let data = try await fixture.client.send(Request<Data>("x"))
            #expect(data == bytes.data)
        }
    }

    @Test func anAnswerWithoutContentIsNoJSON() async throws {
        try await Fixture.run([Stub(.get, "/x", .status(.noContent))]) { fixture in
            let error = try await failure { try await fixture.client.send(Request<[String: Int]>("x")) }
            #expect(error.code == .decoding)
            #expect(error.status == 204)
            try await fixture.client.send(Request<Void>("x"))
            let text = try await fixture.client.send(Request<String>("x"))
            #expect(text.isEmpty)
        }
    }

    @Test(arguments: Wire.allCases) func aRawAnswerIsReturnedWhateverItsStatus(wire: Wire) async throws {
        let stub = Stub(.get, "/x", .text("oops", status: .internalServerError).header(.retryAfter, "7"))
        try await Fixture.run([stub], over: wire) { fixture in
            let raw = try await fixture.client.raw(Request<[String: Int]>("x"))
            #expect(raw.status.code == 500)
            #expect(raw.head[.retryAfter] == "7")
            #expect(raw.value == Bytes("oops".utf8))
            #expect(fixture.server.requests.last?.headers[.accept] == "application/json")
        }
    }

    @Test func aLocationIsResolvedAgainstTheRequest() async throws {
        let cases: [(String, String)] = [
            ("7", "/users/7"), ("/v2/users/7", "/v2/users/7"), ("../x#top", "/x#top"), ("?a=1", "/users/new?a=1"),
        ]
        for (location, path) in cases {
            let created = StubResponse(status: .created, headers: [.location: location])
            try await Fixture.run([Stub(.post, "/users/new", created)]) { fixture in
                let response = try await fixture.client.response(
                    Request<Void>("users/new", method: .post, query: [QueryItem("q", 1)]))
                #expect(response.status == .created)
                #expect(response.location == fixture.server.baseURL.description + path)
            }
        }
    }

    @Test func everyPresetJudgesRealAnswers() async throws {
        let presets: [(StatusValidation, Set<Int>)] = [
            (.success, [200, 201, 204, 205]), (.noContent, [204, 205]),
            (.successOrNotModified, [200, 201, 204, 205, 304]),
            (.successOrRedirect, [200, 201, 204, 205, 301, 304, 308]), (.codes([404, 500]), [404, 500]),
            (.range(400..<405), [404]), (.range(300...308), [301, 304, 308]),
            (.custom { $0 % 2 == 1 }, [201, 205, 301]),
            (.any, [200, 201, 204, 205, 301, 304, 308, 404, 500]),
        ]
        let statuses = [200, 201, 204, 205, 301, 304, 308, 404, 500]
        let stub = Stub(.get, "/status/{code}") { request in
            StubResponse(status: .init(code: request.target.split(separator: "/").last.flatMap { Int($0) } ?? 400))
        }
        try await Fixture.run([stub]) { fixture in
            for (validation, accepted) in presets {
                for status in statuses {
                    let request = Request<Void>(
                        "status/\(status)", options: RequestOptions(validation: validation))
                    var (seen, error): (Int?, NetError?) = (nil, nil)
                    do {
                        seen = try await fixture.client.response(request).status.code
                    } catch let caught {
                        error = (caught as? APIError<Never>)?.netError
                    }
                    #expect(seen == (accepted.contains(status) ? status : nil))
                    #expect(error?.status == (accepted.contains(status) ? nil : status))
                    #expect(error == nil || error?.code == .unacceptableStatus)
                }
            }
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test func aFailureCanBeReadAndShown() async throws {
        let json = #"{"title":"no","detail":{"token":"SECRET","code":7}}"#
        let stub = Stub(.get, "/x", .json(text: json, status: .unprocessableContent).header(.setCookie, "id=SECRET"))
        try await Fixture.run([stub]) { fixture in
            let request = Request<Void>("x", query: [QueryItem("token", "SECRET")])
            let error = try await failure { try await fixture.client.send(request) }
            #expect(error.response?.text == json)
            #expect(error.response?.prettyJSON?.contains("\"code\" : 7") == true)
            #expect(error.response?[.setCookie] == "id=SECRET")
            let summary = error.debugSummary
            #expect(summary.contains("422"))
            #expect(summary.contains("\"code\" : 7"))
            #expect(!summary.contains("SECRET"))
            #expect((error as any Error).localizedDescription == error.description)
        }
    }

    @Test func linesOfAStreamAreReadWithTheClientsCoders() async throws {
        struct Tick: Decodable, Sendable, Equatable { let lastPrice: Int }
        let lines = StubResponse.bytes("{\"last_price\":1}\n{\"last_price\":2}\n".utf8, contentType: "a/jsonl")
        let setup = Fixture.Setup.client { $0.coding = .snakeCaseISO8601 }
        try await Fixture.run([Stub(.get, "/ticks", lines)], with: setup) { fixture in
            let first = try await fixture.client.stream(Request<Bytes>("ticks")).body
            var ticks: [Tick] = []
            for try await tick in first.jsonLines(of: Tick.self) { ticks.append(tick) }
            #expect(ticks == [Tick(lastPrice: 1), Tick(lastPrice: 2)])
            let second = try await fixture.client.stream(Request<Bytes>("ticks")).body
            for try await result in second.jsonLineResults(of: Tick.self) {
                #expect(throws: Never.self) { try result.get() }
            }
            let third = try await fixture.client.stream(Request<Bytes>("ticks")).body
            await #expect(throws: NetError.self) {
                for try await _ in third.jsonLines(of: Tick.self, coding: .standard) {}
            }
        }
    }

    @Test(arguments: Wire.allCases) func clientsMadeFromOneAnotherShareConnections(wire: Wire) async throws {
        try await Fixture.run([.echo()], over: wire) { fixture in
            let other = fixture.client.with { $0.headers[.acceptLanguage] = "de" }
            for client in [fixture.client, other, fixture.client, other] {
                let echoed = try await client.send(Request<EchoedRequest>("echo"))
                #expect(echoed.headers.contains { $0.value == "de" } == (client.configuration.headers.count == 2))
            }
            #expect(fixture.transport.statistics.openedConnections == 1)
            #expect(fixture.server.statistics.connections == 1)
        }
    }
}
#endif
