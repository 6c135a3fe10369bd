#if canImport(Combine)
import Combine
import NetHTTP
import NetTesting
import Testing

/// A publisher has the same results as the async call.
@Suite(.timeLimit(.minutes(1))) struct PublisherTests {
    private func client(_ response: StubResponse) -> HTTPClient {
        HTTPClient(baseURL: "https://a.test", transport: MockTransport { _, _ in response })
    }

    @Test func theAnswerIsPublishedOnce() async throws {
        let publisher = client(.text("hello")).publisher(for: Request<String>("a"))
        var seen: [String] = []
        for try await value in publisher.values { seen.append(value) }
        #expect(seen == ["hello"])
    }

    @Test func aFailureIsPublished() async throws {
        let publisher = client(.status(.notFound)).publisher(for: Request<String>("a"))
        await #expect(throws: APIError<Never>.self) { for try await _ in publisher.values {} }
    }

    @Test func theElementsOfAStreamArePublishedInOrder() async throws {
        let lines = try await client(.text("a\nb\nc")).send(Request("a", serializer: .lines))
        var seen: [String] = []
        for try await line in lines.publisher().values { seen.append(line) }
        #expect(seen == ["a", "b", "c"])
    }
}
#endif
