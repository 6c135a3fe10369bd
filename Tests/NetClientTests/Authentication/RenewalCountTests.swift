import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// A renewal is a separate attempt.
@Suite(.timeLimit(.minutes(1))) struct RenewalCountTests {
    private struct Two: CredentialProvider {
        func credential(for request: PreparedRequest) async throws -> Credential? { try .bearer("old") }

        func refreshed(from rejected: Credential?, for request: PreparedRequest) async throws -> Credential? {
            try .bearer("new")
        }
    }

    private struct Counting: Middleware {
        let counts = Locked<[Int]>([])

        func intercept(
            _ request: PreparedRequest, context: CallContext, next: Next
        ) async throws -> StreamedResponse {
            counts.change { $0.append(context.attemptCounts.renewals) }
            return try await next(request, context)
        }
    }

    @Test func aRepetitionWithANewerCredentialIsCounted() async throws {
        let counting = Counting()
        let transport = MockTransport([
            Stub(.get, "/x") { request in
                request.headers[.authorization] == "Bearer new" ? .text("ok") : .status(.unauthorized)
            }
        ])
        let client = HTTPClient(baseURL: "http://mock.test", transport: transport) {
            $0.middleware = [AuthMiddleware(Two()), counting]
        }
        #expect(try await client.send(Request<String>("x", serializer: .string)) == "ok")
        #expect(counting.counts.value == [0, 1])
    }
}
