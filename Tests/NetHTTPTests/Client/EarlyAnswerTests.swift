#if Server
@testable import ClientTestSupport
import NetHTTP
import TestSupport
import Testing

/// Servers that respond before they have read the request's body.
@Suite(.enabled(if: Nginx.program.path != nil), .timeLimit(.minutes(1))) struct EarlyAnswerTests {
    /// nginx responds according to its configuration, ends its side and resets the stream: the response is valid (RFC
    /// 9113 section 8.1).
    @Test(arguments: [false, true])
    func aWholeAnswerOverHTTP2IsKeptWhenTheServerReadsNoFurther(isStreamed: Bool) async throws {
        try await NginxSite.withHTTP2("location / { return 200 'ok'; }") { client, _ in
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
        }
    }
}
#endif
