#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

private struct Problem: Codable, Sendable, Equatable {
    var title: String
    var headers: [String] = []
}

/// Responses with a status that the request doesn't accept.
@Suite(.timeLimit(.minutes(2))) struct RejectionTests {
    /// About 100 KB of JSON.
    private static let large = Problem(title: "invalid", headers: (0..<5000).map { "the field \($0) is no" })

    private func rejection<R: APIRequest>(
        _ client: HTTPClient, _ request: R
    ) async throws -> (R.Failure, RejectedResponse)? {
        do {
            try await client.send(request)
        } catch {
            if case .rejected(let failure, let answer) = error { return (failure, answer) }
            throw error
        }
        return nil
    }

    @Test(arguments: Wire.allCases) func aTypedFailureMayBeAsLargeAsAnyCollectedBody(wire: Wire) async throws {
        let answer = StubResponse.json(Self.large, status: .unprocessableContent)
        try await Fixture.run([Stub(nil, "/orders", answer)], over: wire) { fixture in
            let request = Request<[String: Int]>("orders", method: .post, body: .json(["a": 1]))
            let rejected = try await rejection(fixture.client, request.rejected(as: Problem.self))
            let (problem, answer) = try #require(rejected)
            #expect(problem == Self.large)
            #expect(answer.status == .unprocessableContent)
            #expect(answer[.contentType] == "application/json")
            #expect(answer.body.count > 100_000)
            #expect(answer.call?.url == "\(fixture.server.baseURL)/orders")
            #expect(answer.call?.attempt == 1)
            #expect(answer.elapsed != nil)
            let silent = Request<Void>("orders", method: .post).rejected(as: Problem.self)
            #expect(try await rejection(fixture.client, silent)?.0 == Self.large)
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test func aFailureThatAStreamCutsOffSaysSo() async throws {
        let answer = StubResponse.json(Self.large, status: .unprocessableContent)
        try await Fixture.run([Stub(.get, "/orders", answer)]) { fixture in
            let request = Request<ResponseBody>("orders").rejected(as: Problem.self)
            let error = try await failure(as: Problem.self) { try await fixture.client.send(request) }
            #expect(error.code == .unacceptableStatus)
            #expect(error.status == 422)
            #expect(error.message.contains("65536"))
            #expect(error.response?.body.count == 65_536)
        }
    }

    @Test func aDeclaredFailureIsReadAtTheCallToo() async throws {
        let stubs = [
            Stub(.get, "/json", .json(Problem(title: "taken"), status: .unprocessableContent)),
            Stub(.get, "/html", .bytes("<html>bad</html>".utf8, contentType: "text/html", status: .badGateway)),
        ]
        try await Fixture.run(stubs) { fixture in
            let rejected = try await rejection(
                fixture.client, Request<[String: Int]>("json").rejected(as: Problem.self))
            #expect(rejected?.0 == Problem(title: "taken"))
            #expect(rejected?.1.status.code == 422)
            let html = Request<[String: Int]>("html").rejected(as: Problem.self)
            let error = try await failure(as: Problem.self) { try await fixture.client.send(html) }
            #expect(error.code == .unacceptableStatus)
            #expect(error.status == 502)
            #expect(error.response?.body == Bytes("<html>bad</html>".utf8))
            #expect(error.underlying is DecodingError)
            let text = Request<[String: Int]>("html").rejected(with: .string)
            #expect(try await rejection(fixture.client, text)?.0 == "<html>bad</html>")
        }
    }

    @Test func cancellingWhileAFailureArrivesIsCancelled() async throws {
        let slow = StubResponse(
            status: .badGateway, headers: [.contentType: "text/plain"],
            body: .chunks((0..<1000).map { StubChunk("line \($0)\n", after: .milliseconds(20)) }))
        let log = EventLog()
        let setup = Fixture.Setup.client { $0.listeners = [log] }
        try await Fixture.run([Stub(.get, "/slow", slow)], with: setup) { fixture in
            let task = Task { try await fixture.client.stream(Request<Bytes>("slow")) }
            try await fixture.server.wait { requests, _ in (requests.last?.bytesWritten ?? 0) > 20 }
            task.cancel()
            let error = await #expect(throws: APIError<Never>.self) { try await task.value }
            #expect(error?.netError?.code == .cancelled)
            #expect(log.names.last == "cancelled")
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test func aFailureThatBreaksOffKeepsWhatCame() async throws {
        let body = StubResponse.bytes(BytePattern.bytes(from: 0, count: 50_000), status: .badGateway)
        try await Fixture.run([Stub(.get, "/cut", body.dropping(.afterBodyBytes(2000)))]) { fixture in
            let error = try await failure { try await fixture.client.stream(Request<Bytes>("cut")) }
            #expect(error.code == .unacceptableStatus)
            #expect(error.status == 502)
            #expect(error.response?.body.count == 2000)
        }
    }

    @Test func aSerializerThatIsCancelledIsNoDecodingError() async throws {
        let log = EventLog()
        let setup = Fixture.Setup.client { $0.listeners = [log] }
        try await Fixture.run([Stub(.get, "/x", .text("x"))], with: setup) { fixture in
            let serializer = ResponseSerializer<String>.string.map { _ -> String in throw CancellationError() }
            let error = try await failure { try await fixture.client.send(Request("x", serializer: serializer)) }
            #expect(error.code == .cancelled)
            #expect(log.names.last == "cancelled")
        }
    }
}
#endif
