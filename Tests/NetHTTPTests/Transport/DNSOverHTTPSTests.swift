#if os(Linux) && Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Names resolved by our own server, behind nginx for TLS.
@Suite(.timeLimit(.minutes(1)), .enabled(if: NginxSite.program != nil)) struct DNSOverHTTPSTests {
    /// Runs `body` with a client that uses the script as a resolver, and with the port of a server that responds to
    /// `/x`.
    private func resolving(
        _ names: NameScript, middleware: [any Middleware] = [],
        _ body: (HTTPClient, Int, TestServer) async throws -> Void
    ) async throws {
        let server = try await TestServer.start([.dnsOverHTTPS(names), Stub(.get, "/x", .text("here"))])
        let certificates = try await Certificates.shared
        let locations = """
            ssl_certificate \(certificates.server); ssl_certificate_key \(certificates.serverKey);
            location / { proxy_pass \(server.baseURL); }
            """
        try await NginxSite.with(locations, listen: "ssl http2") { site in
            var configuration = CurlTransport.Configuration()
            configuration.tls.trust = .authorities(.text(try certificates.text(certificates.authority)))
            let port = site.baseURL.description.split(separator: ":").last ?? ""
            configuration.connection.dnsOverHTTPS = "https://localhost:\(port)/dns-query"
            configuration.connection.dnsCacheLife = .zero
            let transport = CurlTransport(configuration: configuration)
            let client = HTTPClient(baseURL: server.baseURL, transport: transport) { $0.middleware = middleware }
            try await body(client, server.port, server)
            await client.shutdown()
        }
        await server.stop()
    }

    private func get(_ client: HTTPClient, _ host: String, _ port: Int) async throws -> String {
        try await client.send(Request<String>(url: "http://\(host):\(port)/x"))
    }

    @Test func aNameThatOnlyTheServerKnowsIsFound() async throws {
        let names = NameScript(["api.only-here.test": [.addresses(["127.0.0.1"])]])
        try await resolving(names) { client, port, _ in
            for _ in 0..<3 {
                let text = try await get(client, "api.only-here.test", port)
                #expect(text == "here")
            }
            #expect(names.questions.contains("api.only-here.test A"))
        }
    }

    @Test(arguments: [NameScript.Answer.noSuchName, .failure, .garbage, .alias("other.test")])
    func aNameThatCannotBeResolvedIsAnErrorOfDNS(answer: NameScript.Answer) async throws {
        try await resolving(NameScript(["gone.test": [answer]])) { client, port, _ in
            let error = await #expect(throws: APIError<Never>.self) { try await get(client, "gone.test", port) }
            #expect(error?.netError?.code == .dns)
            // The loop continues.
            let text = try await client.send(Request<String>("/x"))
            #expect(text == "here")
        }
    }

    @Test func aNameThatFlapsIsFoundByARetry() async throws {
        let names = NameScript(["flaps.test": [.failure, .noSuchName, .addresses(["127.0.0.1"])]])
        let policy = RetryPolicy(maximumAttempts: 3, backoff: .constant(.milliseconds(1)))
        try await resolving(names, middleware: [RetryMiddleware(policy)]) { client, port, _ in
            let response = try await client.response(Request<String>(url: "http://flaps.test:\(port)/x"))
            #expect(response.value == "here")
            #expect(response.attempts == 3)
        }
    }

    /// The sockets of libcurl's own requests come and go beside those of the calls.
    @Test func manyNamesAtOnceAreResolved() async throws {
        let hosts = (0..<40).map { "host\($0).test" }
        let names = NameScript(Dictionary(uniqueKeysWithValues: hosts.map { ($0, [.addresses(["127.0.0.1"])]) }))
        try await resolving(names) { client, port, _ in
            for _ in 0..<2 {
                try await withThrowingTaskGroup(of: String.self) { group in
                    for host in hosts { group.addTask { try await get(client, host, port) } }
                    for try await text in group { #expect(text == "here") }
                }
            }
        }
    }

    @Test(arguments: ["http://localhost/dns-query", "localhost", "https://", "https://h/a b"])
    func anUnusableURLIsNamed(url: String) async throws {
        var configuration = CurlTransport.Configuration()
        configuration.connection.dnsOverHTTPS = url
        let client = HTTPClient(baseURL: "http://h", transport: CurlTransport(configuration: configuration))
        let error = await #expect(throws: APIError<Never>.self) { try await client.send(Request<String>("/x")) }
        #expect(error?.netError?.code == .invalidRequest)
        #expect(error?.netError?.message.contains("connection.dnsOverHTTPS") == true)
    }
}
#endif
