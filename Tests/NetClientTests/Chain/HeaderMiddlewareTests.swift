import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

@Suite(.timeLimit(.minutes(1))) struct HeaderMiddlewareTests {
    private func sent(
        _ middleware: [any Middleware], _ stubs: [Stub] = [Stub(nil, "/x", .text("ok"))],
        _ request: Request<String> = Request("x", serializer: .string)
    ) async throws -> (headers: [HTTPFields], call: CallID) {
        let transport = MockTransport(stubs)
        let client = HTTPClient(baseURL: "http://mock.test", transport: transport) { $0.middleware = middleware }
        let response = try await client.response(request)
        return (transport.journal.requests.map(\.headers), response.call.id)
    }

    private let requestID: HTTPField.Name = "X-Request-ID"

    @Test func allAttemptsHaveTheIDOfTheCall() async throws {
        let retry = RetryMiddleware(RetryPolicy(backoff: .constant(.milliseconds(1))))
        let stubs = [
            Stub(nil, "/x", .status(.serviceUnavailable)).times(1),
            Stub(nil, "/x", .status(.found).header(.location, "/y")), Stub(nil, "/y", .text("ok")),
        ]
        for order in [[HeaderMiddleware.requestID(), retry], [retry, HeaderMiddleware.requestID()]]
            as [[any Middleware]]
        {
            let (headers, call) = try await sent(order, stubs)
            #expect(headers.map { $0[requestID] } == [call.description, call.description, call.description])
        }
        let (other, call) = try await sent([HeaderMiddleware.requestID("X-Correlation-ID")])
        #expect(other[0]["X-Correlation-ID"] == call.description)
        #expect(other[0][requestID] == nil)
    }

    @Test func aRequestKeepsItsOwnID() async throws {
        var request = Request<String>("x", serializer: .string)
        request.headers[requestID] = "mine"
        #expect(
            try await sent([HeaderMiddleware.requestID()], [Stub(nil, "/x", .text("ok"))], request).headers[0][
                requestID] == "mine")
    }

    @Test func theUserAgentNamesAppVersionAndPlatform() async throws {
        let headers = try await sent([HeaderMiddleware.userAgent(app: "Mein Shop", version: "2.1 (beta)")]).headers
        let agent = try #require(headers[0][.userAgent])
        #expect(headers[0][values: .userAgent].count == 1)
        #expect(agent.hasPrefix("Mein-Shop/2.1--beta- ("), "\(agent)")
        #expect(agent.hasSuffix(") swift-net"), "\(agent)")
        #expect(agent.contains(UserAgent.platform))
        #if os(Linux)
        #expect(
            UserAgent.platform.wholeMatch(of: /Linux \d+\.\d+\.\d+; (x86_64|arm64)/) != nil, "\(UserAgent.platform)")
        #endif
        #expect(UserAgent(app: "", version: "ü\r\n").description.hasPrefix("-/---- ("))
    }

    @Test func theOthersReplaceWhatTheyAreMeantTo() async throws {
        let all: [any Middleware] = [
            HeaderMiddleware.cacheControl("no-cache"), HeaderMiddleware.accept("application/xml"),
            HeaderMiddleware.contentType("application/octet-stream"),
        ]
        var request = Request<String>("x", method: .post, body: .bytes([1]), serializer: .string)
        request.headers[.cacheControl] = "max-age=5"
        let stubs = [Stub(nil, "/x", .text("ok"))]
        let posted = try await sent(all, stubs, request).headers[0]
        #expect(posted[.cacheControl] == "no-cache")
        #expect(posted[.accept] == "application/xml")
        let plain = try await sent(all).headers[0]
        #expect(plain[.contentType] == nil)
        #expect(plain[.cacheControl] == "no-cache")
        request.body = .text("hello")
        let text = try await sent(all, stubs, request).headers[0]
        #expect(text[.contentType]?.hasPrefix("text/plain") == true)
    }

    @Test func aValueThatWouldBreakTheMessageIsRefused() async throws {
        let error = try await failure { try await sent([HeaderMiddleware.accept("a\r\nX: y")]) }
        #expect(error.code == .invalidRequest)
        #expect(!error.message.contains("X: y"))
    }
}
