#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Concurrent calls that fail and are sent again don't affect one another's requests.
@Suite(.timeLimit(.minutes(1))) struct ConcurrentRetryTests {
    @Test(arguments: [HTTPRequest.Method.get, .put]) func eachCallRepeatsItsOwnRequest(method: HTTPRequest.Method)
        async throws
    {
        let seen = Locked<[String: Int]>([:])
        // Fails twice for each path, in any order.
        let stub = Stub(method, "/item/{id}") { request in
            let id = request.parameters["id"] ?? ""
            seen.change { $0[id, default: 0] += 1 }
            guard seen.value[id] == 3 else { return .status(.serviceUnavailable) }
            return .text("\(id) \(String(decoding: request.body, as: UTF8.self))")
        }
        let policy = RetryPolicy(backoff: .constant(.milliseconds(1)), eligibility: .idempotentMethods)
        try await Fixture.run([stub], with: .client { $0.middleware = [RetryMiddleware(policy)] }) { fixture in
            try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let body: RequestBody = method == .put ? .text("body \(number)") : .none
                        let request = Request<String>("item/\(number)", method: method, body: body)
                        return (number, try await fixture.client.send(request))
                    }
                }
                for try await (number, text) in group {
                    #expect(text == (method == .put ? "\(number) body \(number)" : "\(number) "))
                }
            }
            #expect(fixture.server.requests.count == 150)
        }
    }
}
#endif
