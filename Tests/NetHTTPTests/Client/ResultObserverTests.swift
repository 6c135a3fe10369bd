import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// Hooks that receive the same results as the caller of a request.
@Suite(.timeLimit(.minutes(1))) struct ResultObserverTests {
    private struct User: Codable, Sendable, Equatable { let name: String }
    private struct Problem: Decodable, Sendable { let code: Int }

    private struct Log: ResultObserver {
        let lines: Locked<[String]>

        func received<R: APIRequest>(_ result: CallResult<R>) {
            var line =
                switch result.outcome {
                case .success(let value): "\(value)"
                case .failure(.rejected(let failure, _)): "rejected \(failure)"
                case .failure(.failed(let error)): "failed \(error.code)"
                }
            line += " \(result.head?.status.code ?? 0) \(result.body?.count ?? -1)"
            line += " \(result.metadata.name ?? "-") \(result.call?.attempt ?? 0)"
            lines.change { $0.append(line) }
        }
    }

    private let lines = Locked<[String]>([])

    private func client(_ stubs: [Stub]) -> HTTPClient {
        HTTPClient(baseURL: "http://mock.test", transport: MockTransport(stubs)) {
            $0.resultObservers = [Log(lines: lines)]
        }
    }

    @Test func theDecodedValueIsSeen() async throws {
        let client = client([Stub(.get, "/user", .json(User(name: "Ada")))])
        let options = RequestOptions(metadata: RequestMetadata(name: "user"))
        let user = try await client.send(Request<User>("user", options: options))
        let response = try await client.response(Request<User>("user", options: options))
        #expect(user == response.value)
        let line = "User(name: \"Ada\") 200 14 user 1"
        #expect(lines.value == [line, line])
        try await client.send(Request<Void>("user"))
        #expect(lines.value.last == "() 200 -1 - 1", "a body that nobody keeps isn't there")
    }

    @Test func failuresAreSeenToo() async throws {
        let client = client([
            Stub(.get, "/busy", .json(text: #"{"code":7}"#, status: .tooManyRequests)),
            Stub(.get, "/bad", .json(text: #"{"name":7}"#)), Stub(.get, "/gone", .dropped()),
        ])
        for path in ["busy", "bad", "gone"] as [Path] { _ = try? await client.send(Request<User>(path)) }
        _ = try? await client.send(Request<User>("busy").rejected(as: Problem.self))
        _ = try? await client.send(Request<User>("users?id=1"))
        #expect(
            lines.value == [
                "failed unacceptableStatus 429 10 - 1", "failed decoding 200 10 - 1", "failed connectionLost 0 -1 - 1",
                "rejected Problem(code: 7) 429 10 - 1", "failed invalidRequest 0 -1 - 1",
            ])
    }

    /// A stream has no decoded value.
    @Test func streamsAreNotSeen() async throws {
        let client = client([Stub(.get, "/user", .text("hello"))])
        let response = try await client.stream("user")
        _ = try await response.body.collect(upTo: 100)
        #expect(lines.value.isEmpty)
    }

    @Test func aResultIsPrintedWithoutItsValue() {
        let result = CallResult<Request<String>>(.success("s3cret"), body: Bytes("s3cret".utf8))
        var dumped = ""
        dump(result, to: &dumped)
        #expect(!"\(result)\(dumped)".contains("s3cret"))
    }
}
