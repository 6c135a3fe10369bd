#if os(Linux) && Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// Lines, JSON values and parts as they arrive from servers.
@Suite(.timeLimit(.minutes(1))) struct TypedStreamTests {
    private struct Number: Decodable, Sendable, Equatable { let number: Int }

    private func numbers(_ query: QueryItems) -> Request<JSONLines<Number>> {
        Request("numbers", query: query, serializer: .jsonLines())
    }

    @Test func jsonLinesOfAnotherProgramAreRead() async throws {
        try await StreamPeer.withClient { client in
            var seen: [Int] = []
            for try await value in try await client.send(numbers([])) { seen.append(value.number) }
            #expect(seen == [1, 2, 3, 4, 5])
        }
    }

    /// The attempt succeeded, and the consumer didn't cancel: the call failed.
    @Test func aCallWhoseLinesAreBadEndsAsFailed() async throws {
        try await StreamPeer.withClient { client in
            let events = client.activity
            for request in [numbers([QueryItem("bad", "3")])] {
                _ = await #expect(throws: NetError.self) { for try await _ in try await client.send(request) {} }
            }
            for await event in events {
                guard case .ended(let outcome) = event.kind else { continue }
                guard case .failed(let error) = outcome else {
                    Issue.record("the call ended as \(outcome)")
                    return
                }
                #expect(error.code == .decoding)
                return
            }
        }
    }

    @Test func aBadLineEndsTheStreamOrIsHandedOut() async throws {
        try await StreamPeer.withClient { client in
            let bad: QueryItems = ["bad": 3]
            var seen: [Int] = []
            let error = await #expect(throws: NetError.self) {
                for try await value in try await client.send(numbers(bad)) { seen.append(value.number) }
            }
            // Blank lines between the values count as lines.
            #expect(seen == [1, 2])
            #expect(error?.code == .decoding)
            #expect(error?.message.contains("line 5") == true)
            #expect(error?.url?.contains("/numbers") == true)
            #expect(error?.elapsed != nil)
            #expect(error?.message.contains("can't be decoded as Number: ") == true)
            let request = Request("numbers", query: bad, serializer: .jsonLineResults(of: Number.self))
            var results: [Int?] = []
            for try await result in try await client.send(request) { results.append((try? result.get())?.number) }
            #expect(results == [1, 2, nil, 4, 5])
        }
    }

    @Test func aFailingStatusComesBeforeAnyLine() async throws {
        try await StreamPeer.withClient { client in
            let error = try await failure { try await client.send(numbers([QueryItem("status", "503")])) }
            #expect(error.code == .unacceptableStatus)
            #expect(error.status == 503)
            let body = try #require(error.response?.body)
            #expect(String(decoding: body, as: UTF8.self).hasPrefix("{\"number\": 1}"))
        }
    }

    @Test func partsOfAnotherProgramAreRead() async throws {
        try await StreamPeer.withClient { client in
            let parts = try await client.send(Request("parts", serializer: .multipart))
            var seen: [String] = []
            for try await part in parts {
                let bytes = try await part.body.collect(upTo: 10_000)
                seen.append("\(part.mediaType?.description ?? "-") \(part.filename ?? "-") \(bytes.count)")
            }
            #expect(seen.count == 2)
            #expect(seen.last == "application/octet-stream naïve.bin 5000")
            #expect(seen.first?.hasPrefix("text/plain") == true)
            #expect(seen.first?.hasSuffix(" - 5") == true)
        }
    }

    @Test(arguments: Wire.allCases) func linesAreReadInTheCharsetOfTheResponse(wire: Wire) async throws {
        let stub = Stub(.get, "/{charset}") { request in
            .bytes(
                Bytes([0x63, 0x61, 0x66, 0xe9, 0x0d, 0x0a, 0x80]),
                contentType: "text/plain; charset=\(request.parameters["charset"] ?? "")")
        }
        try await Fixture.run([stub], over: wire) { fixture in
            var seen: [String] = []
            for name in ["latin1", "windows-1252", "utf-8"] {
                let path = Path() / name
                for try await line in try await fixture.client.send(Request(path, serializer: .lines)) {
                    seen.append(line)
                }
            }
            #expect(seen == ["café", "\u{80}", "café", "€", "caf\u{fffd}", "\u{fffd}"])
            let wide = try await fixture.client.send(Request("utf-16", serializer: .lines))
            let error = await #expect(throws: NetError.self) { for try await _ in wide {} }
            #expect(error?.code == .unsupported)
            #expect(error?.message.contains("utf-16") == true)
            let unknown = try await failure { try await fixture.client.send(Request("x", serializer: .lines)) }
            #expect(unknown.code == .decoding)
        }
    }

    @Test(arguments: Wire.allCases) func aByteOrderMarkIsNoPartOfTheFirstLine(wire: Wire) async throws {
        let texts = [
            "\u{feff}a\n\u{feff}b": ["a", "\u{feff}b"], "\u{feff}": [], "\u{feff}\na": ["", "a"], "\u{feff}a": ["a"],
        ]
        for (text, expected) in texts {
            try await Fixture.run([Stub(.get, "/text", .text(text))], over: wire) { fixture in
                var seen: [String] = []
                for try await line in try await fixture.client.send(Request("text", serializer: .lines)) {
                    seen.append(line)
                }
                #expect(seen == expected)
                #expect(
                    try await fixture.client.send(Request<String>("text")) == String(text.unicodeScalars.dropFirst()))
            }
        }
    }

    @Test(arguments: Wire.allCases) func leavingTheLoopClosesTheConnection(wire: Wire) async throws {
        let endless = Stub(.get, "/lines") { _ in
            let (stream, feed) = AsyncStream<Bytes>.makeStream()
            feed.yield(Bytes("{\"number\":1}\n{\"num".utf8))
            return StubResponse(body: .stream { stream })
        }
        try await Fixture.run([endless], over: wire) { fixture in
            for try await line in try await fixture.client.send(Request("lines", serializer: .lines)) {
                #expect(line == "{\"number\":1}")
                break
            }
            let request = Request("lines", serializer: .jsonLines(of: Number.self))
            for try await value in try await fixture.client.send(request) {
                #expect(value.number == 1)
                break
            }
            try await fixture.server.wait { requests, _ in
                requests.count == 2 && requests.allSatisfy { $0.outcome == .clientWentAway }
            }
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test(arguments: Wire.allCases) func aBodyThatIsSentForIsReadWithTheClientsCoders(wire: Wire) async throws {
        struct Name: Decodable, Sendable { let firstName: String }
        let setup = Fixture.Setup.client { $0.coding = .snakeCaseISO8601 }
        try await Fixture.run([Stub(.get, "/names", .text(#"{"first_name":"Ada"}"#))], over: wire, with: setup) {
            let body = try await $0.client.send(Request<ResponseBody>("names"))
            for try await name in body.jsonLines(of: Name.self) { #expect(name.firstName == "Ada") }
        }
    }

    @Test(arguments: Wire.allCases) func aStreamedBodyThatIsTooLargeToCollectNamesItsCall(wire: Wire) async throws {
        try await Fixture.run([Stub(.get, "/text", .text("0123456789"))], over: wire) { fixture in
            let body = try await fixture.client.stream(Request<Bytes>("text")).body
            let error = await #expect(throws: NetError.self) { try await body.collect(upTo: 9) }
            #expect(error?.code == .bodyTooLarge)
            #expect(error?.url?.hasSuffix("/text") == true)
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test(arguments: Wire.allCases) func aStreamIsRetriedUntilItsFirstByte(wire: Wire) async throws {
        let log = EventLog()
        let setup = Fixture.Setup.client {
            $0.middleware = [RetryMiddleware(RetryPolicy(backoff: .constant(.milliseconds(1))))]
            $0.listeners = [log]
        }
        let stubs = [Stub(.get, "/lines", .status(.serviceUnavailable)).times(2), Stub(.get, "/lines", .text("a\nb"))]
        try await Fixture.run(stubs, over: wire, with: setup) { fixture in
            var seen: [String] = []
            for try await line in try await fixture.client.send(Request("lines", serializer: .lines)) {
                seen.append(line)
            }
            #expect(seen == ["a", "b"])
            #expect(
                log.names == [
                    "started", "attemptEnded", "retrying", "attemptEnded", "retrying", "responded", "attemptEnded",
                    "completed",
                ])
            guard case .ended(.completed(200, responseBytes: 3))? = log.all.last?.kind else {
                Issue.record("the bytes of the stream are not in its last event")
                return
            }
        }
    }
}
#endif
