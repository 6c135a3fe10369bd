#if os(Linux)
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import Testing

/// Tests against Apache with mod_auth_gssapi; `scripts/conformance negotiate` starts it, and a Kerberos with a ticket
/// for ann.
@Suite(.timeLimit(.minutes(2))) struct NegotiateTests {
    private static let origin = ProcessInfo.processInfo.environment["NET_NEGOTIATE"]
    private static let other = ProcessInfo.processInfo.environment["NET_NEGOTIATE_OTHER"] ?? ""

    private func client(_ origins: [String]) throws -> HTTPClient {
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        configuration.negotiateOrigins = origins
        return HTTPClient(
            baseURL: try #require(Self.origin), transport: CurlTransport(configuration: configuration))
    }

    private let hello = Request<String>("private.txt", serializer: .string)

    @Test(.enabled(if: origin != nil, "scripts/conformance negotiate runs it"))
    func theUsersTicketLetsInAndGoesNowhereElse() async throws {
        let origin = try #require(Self.origin)
        let check = "Negotiate"
        let known = try client([origin])
        await PeerVerdict.of(check, "the ticket of the user lets in") {
            let response = try await known.response(hello)
            return response.value == "hello\n" && response.head["X-User"] == "ann@TEST" && response.attempts == 1
        }
        await PeerVerdict.of(check, "a streamed response") {
            try await known.stream(hello).text() == "hello\n"
        }
        await PeerVerdict.of(check, "many at once") {
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<30 { group.addTask { try await known.send(hello) } }
                return try await group.reduce(into: 0) { $0 += $1 == "hello\n" ? 1 : 0 } == 30
            }
        }
        await PeerVerdict.of(check, "a HEAD request") {
            var head = hello
            head.method = .head
            return try await known.raw(head).head.status.code == 200
        }
        await PeerVerdict.of(check, "without the option there is no ticket") {
            try await client([]).raw(hello).head.status.code == 401
        }
        await PeerVerdict.of(check, "another port is another origin") {
            try await client(["http://localhost:1"]).raw(hello).head.status.code == 401
        }
        await PeerVerdict.of(check, "another name is another origin") {
            try await client([origin.replacing("localhost", with: "127.0.0.1")]).raw(hello).head.status.code == 401
        }
        await PeerVerdict.of(check, "credentials of the request are left alone") {
            var own = hello
            own.headers.authorization = try .basic(user: "ann", password: "no")
            return try await known.raw(own).head.status.code == 401
        }
        await PeerVerdict.of(check, "a redirect takes no ticket along") {
            try await known.send(Request<String>("away", serializer: .string)) == "none"
        }
        await PeerVerdict.of(check, "another origin gets none") {
            try await known.send(Request<String>(url: Self.other, serializer: .string)) == "none"
        }
        await PeerVerdict.of(check, "after that the ticket still lets in") {
            try await known.send(hello) == "hello\n"
        }
        await known.shutdown()
    }

    @Test func invalidNegotiateOriginsAreRejected() async throws {
        var configuration = CurlTransport.Configuration()
        configuration.negotiateOrigins = ["intranet"]
        let client = HTTPClient(
            baseURL: "http://127.0.0.1:1", transport: CurlTransport(configuration: configuration))
        let error = try await failure { try await client.send(hello) }
        #expect(error.code == .invalidRequest, "\(error)")
        #expect(error.message.contains("negotiateOrigins"), "\(error)")
    }
}
#endif
