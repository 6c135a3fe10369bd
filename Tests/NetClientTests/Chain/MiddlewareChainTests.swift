import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

private struct Recorder: Middleware {
    let label: String
    let log: Locked<[String]>

    func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
        log.change { $0.append("\(label) out") }
        var request = request
        request.head.headerFields.append(HTTPField(name: "X-Via", value: label))
        let response = try await next(request, context)
        log.change { $0.append("\(label) back") }
        return response
    }
}

private struct Failing: Middleware {
    struct Oops: Error {}
    func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
        throw Oops()
    }
}

private struct Answering: Middleware {
    func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
        StreamedResponse(head: ResponseHead(status: .ok), body: ResponseBody(Bytes("mine".utf8)))
    }
}

@Suite(.timeLimit(.minutes(2))) struct MiddlewareChainTests {
    private let request = Request<String>("x", serializer: .string)

    private func client(_ middleware: [any Middleware], _ transport: any HTTPTransport) -> HTTPClient {
        HTTPClient(baseURL: "http://mock.test", transport: transport) { $0.middleware = middleware }
    }

    @Test func theFirstInTheListIsOutermostAndARequestsOwnAreInside() async throws {
        let log = Locked<[String]>([])
        let transport = MockTransport([Stub(.get, "/x", .text("ok"))])
        let client = client([Recorder(label: "a", log: log), Recorder(label: "b", log: log)], transport)
        var request = request
        request.options.middleware = [Recorder(label: "own", log: log)]
        try await client.send(request)
        #expect(log.value == ["a out", "b out", "own out", "own back", "b back", "a back"])
        #expect(transport.recordedRequests.last?.headers[values: "X-Via"] == ["a", "b", "own"])
    }

    @Test func aForeignErrorCarriesTheMiddlewaresName() async throws {
        let client = client([Failing()], MockTransport.failing(with: NetError(.dns, phase: .resolving, message: "no")))
        let error = try await failure { try await client.send(request) }
        #expect(error.code == .middleware)
        #expect(error.message.contains("Failing"))
        #expect(error.underlying is Failing.Oops)
        #expect(error.url == "http://mock.test/x")
    }

    @Test func aMiddlewareMayAnswerItself() async throws {
        let transport = MockTransport([])
        #expect(try await client([Answering()], transport).send(request) == "mine")
        #expect(transport.recordedRequests.isEmpty)
    }
}
