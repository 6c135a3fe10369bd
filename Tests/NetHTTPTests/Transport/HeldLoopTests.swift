#if Server && os(Linux)
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// A server with endless HTTP/2 frames that contain nothing.
@Suite(.timeLimit(.minutes(1))) struct HeldLoopTests {
    @Test func aFloodOfEmptyFramesEndsItsConnectionAndNoOther() async throws {
        // `:status: 200`, then empty DATA frames until the connection ends.
        let flood = [UInt8]((0..<100_000).map { _ in HTTP2Frame.bytes(0, 0, 1) }.joined())
        let peer = try ScriptedPeer { connection, _ in
            guard connection.read(24).count == 24 else { return }
            connection.send(HTTP2Frame.settings + HTTP2Frame.bytes(1, 4, 1, [0x88]))
            while connection.send(flood) {}
        }
        defer { peer.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.version = .http2PriorKnowledge
        let transport = CurlTransport(configuration: configuration)
        let client = HTTPClient(baseURL: peer.baseURL, transport: transport) {
            $0.timeouts = Timeouts(stall: .seconds(8))
        }
        let error = try await failure { try await client.send(Request<Bytes>("x", serializer: .bytes)) }
        // Versions of libcurl other than 7.88 return from the call, and the timeout applies.
        let isEnded =
            error.code == .protocolViolation && error.message.contains("empty HTTP/2 frames")
            && error.message.contains("version = .http1")
        #expect(isEnded || error.isTimeout, "\(error)")
        #expect(transport.statistics.liveTransfers == 0)
        await client.shutdown()
    }

    private func outcome(of path: Path, _ client: HTTPClient) async -> NetError? {
        do throws(APIError<Never>) {
            try await client.send(Request<String>(path, serializer: .string))
            return nil
        } catch {
            return error.netError
        }
    }

    @Test func anAnswerThatIsTooLongIsNotBlamedOnOthersOfItsConnection() async throws {
        let stubs = [
            Stub(.get, "/late", .text("late").delayed(by: .seconds(2))),
            Stub(.get, "/bomb", .text("x").delayed(by: .milliseconds(300)).faulting(.headerBomb(bytes: 1 << 20))),
        ]
        try await Fixture.run(stubs, over: .http2) { fixture in
            async let late = outcome(of: "late", fixture.client)
            let bomb = try await failure { try await fixture.client.send(Request<String>("bomb", serializer: .string)) }
            #expect(bomb.code == .headersTooLarge, "\(bomb)")
            // The effect on the connection depends on libcurl's version.
            let other = await late
            #expect(other == nil || other?.code == .connectionLost, "\(String(describing: other))")
        }
    }
}
#endif
