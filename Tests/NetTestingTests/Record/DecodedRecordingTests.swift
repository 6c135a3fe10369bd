#if Server
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// A body that a transport has decoded is recorded decoded, and marked as such.
@Suite(.timeLimit(.minutes(1)))
struct DecodedRecordingTests {
    /// "hello, hello, hello, hello" in gzip (RFC 1952).
    private static let coded = Bytes(Data(base64Encoded: "H4sIAAAAAAAC/8tIzcnJ11HIwKQAVaOCdxoAAAA=") ?? Data())
    private static let get = Request<String>("coded", serializer: .string)

    private func client(of server: TestServer) throws -> (HTTPClient, RecordingTransport) {
        var curl = CurlTransport.Configuration()
        curl.proxy = .none
        let transport = RecordingTransport(CurlTransport(configuration: curl))
        return (HTTPClient(baseURL: server.baseURL, transport: transport), transport)
    }

    @Test(arguments: ["tape.json", "tape.har"]) func aServerMadeOfTheRecordingSendsNoCoding(name: String) async throws {
        let folder = try TemporaryFolder()
        let response = StubResponse.bytes(Self.coded, contentType: "text/plain").header(.contentEncoding, "gzip")
        let server = try await TestServer.start([Stub(.get, "/coded", response)])
        let (live, recording) = try client(of: server)
        let text = try await live.send(Self.get)
        #expect(text == "hello, hello, hello, hello")
        try recording.write(to: folder.file(name))
        await live.shutdown()
        await server.stop()

        let replayed = try await TestServer.start(cassette: folder.file(name))
        let (again, _) = try client(of: replayed.server)
        let answer = try await again.response(Self.get)
        #expect(answer.value == text)
        #expect(answer.head[.contentEncoding] == nil)
        await again.shutdown()
        await replayed.stop()
    }
}
#endif
