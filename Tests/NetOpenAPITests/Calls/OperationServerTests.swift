#if Server
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// The requests of the client in `Generated` to servers on loopback, to which the names in its document lead.
@Suite(.timeLimit(.minutes(5))) struct OperationServerTests {
    /// The document's server and the one for uploads, with a client whose base is the former.
    private struct Site {
        let main: TestServer
        let uploads: TestServer
        let client: HTTPClient

        var api: PostOfficeClient { PostOfficeClient(client) }
        var seen: [[String]] { [main, uploads].map { $0.requests.map(\.target) } }
    }

    private static let names = [
        "uploads.post-office.example", "uploads.eu.post-office.example", "eu.tracking.post-office.example",
        "us.tracking.post-office.example", "uploads.staging.example",
    ]

    private func run(
        _ change: (inout HTTPClient.Configuration) throws -> Void = { _ in }, _ body: (Site) async throws -> Void
    ) async throws {
        let main = try await TestServer.start([Stub(nil, "*", .text("main"))])
        let uploads = try await TestServer.start([Stub(nil, "*", .text("uploads"))])
        var transport = CurlTransport.Configuration()
        transport.proxy = .none
        transport.connection.overrides["api.post-office.example:80"] = .host("127.0.0.1:\(main.port)")
        for name in Self.names { transport.connection.overrides["\(name):80"] = .host("127.0.0.1:\(uploads.port)") }
        var configuration = HTTPClient.Configuration(baseURL: PostOfficeServers.server1)
        try change(&configuration)
        let client = HTTPClient(configuration: configuration, transport: CurlTransport(configuration: transport))
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(Site(main: main, uploads: uploads, client: client)))
        } catch {
            result = .failure(error)
        }
        await client.shutdown()
        await main.stop()
        await uploads.stop()
        try result.get()
    }

    @Test func aRequestGoesToTheServerThatTheDocumentNamesForIt() async throws {
        try await run { site async throws in
            #expect(try await site.api.listLetters() == "main")
            #expect(try await site.api.uploadLetter(.init(payload: "Dear Ada")) == "uploads")
            #expect(try await site.api.track(.init(number: "a/b", serverParameter: "x")) == "uploads")
            #expect(site.seen == [["/v1/letters"], ["/v2/letters", "/v3/tracking/a%2Fb?server=x"]])
            #expect(
                site.uploads.requests.map(\.authority) == [
                    "uploads.post-office.example", "eu.tracking.post-office.example",
                ])
        }
    }

    @Test func theServersOfAnOperationComeBeforeThoseOfItsPath() async throws {
        try await run { site async throws in
            // Relative to the client's base URL.
            #expect(try await site.api.stopTracking(.init(number: "7")) == "main")
            // The same as the document's own server.
            #expect(try await site.api.resumeTracking(.init(number: "7")) == "main")
            #expect(site.seen == [["/admin/tracking/7", "/v1/tracking/7"], []])
        }
    }

    @Test func anotherServerIsChosenForOneRequest() async throws {
        try await run { site async throws in
            var request = UploadLetterRequest(payload: "a", server: UploadLetterRequest.Servers.europe)
            try await site.client.send(request)
            request.server = nil
            try await site.client.send(request)
            request.server = "//uploads.staging.example/test"
            try await site.client.send(request)
            try await site.client.send(
                TrackRequest(number: "7", server: TrackRequest.Servers.server1(region: .us, version: "v4")))
            #expect(site.seen == [["/v1/letters"], ["/v2/letters", "/test/letters", "/v4/tracking/7"]])
            #expect(
                site.uploads.requests.map(\.authority) == [
                    "uploads.eu.post-office.example", "uploads.staging.example", "us.tracking.post-office.example",
                ])
            #expect(TrackRequest.Servers.Region.allCases.map(\.rawValue) == ["eu", "us", "in"])
        }
    }

    @Test func aClientSendsAllToItsBaseURL() async throws {
        try await run {
            $0.operationServers = .baseURL
        } _: { site async throws in
            _ = try await site.api.uploadLetter(.init(payload: "a"))
            _ = try await site.api.stopTracking(.init(number: "7"))
            #expect(site.seen == [["/v1/letters", "/v1/tracking/7"], []])
        }
    }

    @Test func aClientReplacesSomeServers() async throws {
        let staging = OperationServers.replacing([
            UploadLetterRequest.Servers.server1: "http://uploads.staging.example/v2",
            "http://eu.tracking.post-office.example/v3/": "/tracking-of-tests",
        ])
        try await run {
            $0.operationServers = staging
        } _: { site async throws in
            _ = try await site.api.uploadLetter(.init(payload: "a"))
            _ = try await site.api.track(.init(number: "7"))
            try await site.client.send(
                UploadLetterRequest(payload: "a", server: UploadLetterRequest.Servers.europe))
            #expect(site.seen == [["/tracking-of-tests/tracking/7"], ["/v2/letters", "/v2/letters"]])
            #expect(
                site.uploads.requests.map(\.authority) == ["uploads.staging.example", "uploads.eu.post-office.example"])
        }
    }

    @Test func noSecretFollowsToAServerOfAnotherOrigin() async throws {
        let secret = HTTPField.Name("X-Session-Token")
        let auth = AuthMiddleware(try .bearer("b3arer"))
        try await run {
            $0.baseURL = "http://api.post-office.example/v1?key=k3y"
            $0.headers = [secret: "s3cret", .userAgent: "test"]
            $0.middleware = [auth]
        } _: { site async throws in
            _ = try await site.api.listLetters()
            _ = try await site.api.stopTracking(.init(number: "7"))
            _ = try await site.api.uploadLetter(.init(payload: "a"))
            #expect(site.seen == [["/v1/letters?key=k3y", "/admin/tracking/7?key=k3y"], ["/v2/letters"]])
            for request in site.main.requests {
                #expect(request.headers[secret] == "s3cret")
                #expect(request.headers[.authorization] == "Bearer b3arer")
            }
            let sent = try #require(site.uploads.requests.first).headers
            #expect(sent[secret] == nil)
            #expect(sent[.authorization] == nil)
            #expect(sent[.userAgent] == "test")
        }
    }

    @Test func aServerThatIsTrustedGetsThem() async throws {
        let secret = HTTPField.Name("X-Session-Token")
        let auth = AuthMiddleware(try .bearer("b3arer"))
        let trusting = OperationServers { server in
            server.sendingCredentials(server.url.hasPrefix("http://uploads.post-office.example/"))
        }
        try await run {
            $0.baseURL = "http://api.post-office.example/v1?key=k3y"
            $0.headers = [secret: "s3cret"]
            $0.middleware = [auth]
            $0.operationServers = trusting
        } _: { site async throws in
            _ = try await site.api.uploadLetter(.init(payload: "a"))
            _ = try await site.api.track(.init(number: "7"))
            let sent = site.uploads.requests
            #expect(sent.map(\.target) == ["/v2/letters?key=k3y", "/v3/tracking/7"])
            #expect(sent.map { $0.headers[secret] } == ["s3cret", nil])
            #expect(sent.map { $0.headers[.authorization] } == ["Bearer b3arer", nil])
        }
    }

    @Test func theScopeOfACredentialCanNameTheServer() async throws {
        let scope = try CredentialScope.origins("http://api.post-office.example", "http://uploads.post-office.example")
        let auth = AuthMiddleware(try .bearer("b3arer"), scope: scope)
        try await run {
            $0.middleware = [auth]
        } _: { site async throws in
            _ = try await site.api.uploadLetter(.init(payload: "a"))
            _ = try await site.api.track(.init(number: "7"))
            #expect(site.uploads.requests.map { $0.headers[.authorization] } == ["Bearer b3arer", nil])
        }
    }

    @Test func aClientWithoutABaseURLReachesThem() async throws {
        try await run {
            $0.baseURL = nil
        } _: { site async throws in
            #expect(try await site.api.uploadLetter(.init(payload: "a")) == "uploads")
            let error = await #expect(throws: APIError<Never>.self) {
                try await site.api.stopTracking(.init(number: "7"))
            }
            #expect(error?.netError?.code == .invalidRequest)
            #expect(error?.netError?.message.contains("\"/admin\" is not usable: it is relative") == true)
        }
    }
}
#endif
