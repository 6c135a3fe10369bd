#if Server
import NetHTTP
import Testing

/// Servers that answer before they have read the request's body.
@Suite(.enabled(if: Nginx.program.path != nil), .timeLimit(.minutes(1))) struct EarlyAnswerTests {
    /// nginx answers from its configuration, ends its side and resets the stream: the answer counts (RFC 9113 section 8.1).
    @Test(arguments: [false, true]) func aWholeAnswerOverHTTP2IsKeptWhenTheServerReadsNoFurther(isStreamed: Bool)
        async throws
    {
        let certificates = try await Certificates.shared
        let locations =
            "ssl_certificate \(certificates.server); ssl_certificate_key \(certificates.serverKey); "
            + "location / { return 200 'ok'; }"
        try await NginxSite.with(locations, listen: "ssl http2") { site in
            var configuration = CurlTransport.Configuration()
            configuration.tls.trust = .authorities(.text(try certificates.text(certificates.authority)))
            let client = HTTPClient(
                configuration: .init(baseURL: try BaseURL("https" + site.baseURL.dropFirst(4))),
                transport: CurlTransport(configuration: configuration))
            let piece = Bytes([UInt8](repeating: 7, count: 20_000))
            for _ in 0..<100 {
                let chunks = AsyncStream {
                    $0.yield(piece)
                    $0.finish()
                }
                let body = isStreamed ? RequestBody.stream(chunks) : .text("hello")
                let response = try await client.response(Request<String>("x", method: .post, body: body))
                #expect(response.value == "ok")
                #expect(response.metrics?.version == "2")
            }
            await client.shutdown()
        }
    }
}
#endif
