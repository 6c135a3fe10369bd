#if Server
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct CaptivePortalProbeTests {
    /// Returns a probe's result as a word.
    private func found(_ stub: Stub, status: Int = 204, body: Bytes? = nil) async throws -> String {
        let server = try await TestServer.start([stub])
        let outcome = await CaptivePortalProbe(url: "\(server.baseURL)/204", status: status, body: body).check()
        #expect(server.requests.count == 1)
        #expect(server.requests.first?.headers[.cacheControl] == "no-cache")
        await server.stop()
        return switch outcome {
        case .open: "open"
        case .captive(let portal): "captive \(portal ?? "")"
        case .unreachable(let error): error.code.rawValue
        }
    }

    @Test func theServersOwnResponseIsAnOpenNetwork() async throws {
        #expect(try await found(Stub(.get, "/204", .status(.noContent))) == "open")
        #expect(try await found(Stub(.get, "/204", .text("fine")), status: 200) == "open")
        #expect(try await found(Stub(.get, "/204", .text("fine")), status: 200, body: Bytes("fine".utf8)) == "open")
    }

    @Test func anotherResponseIsThatOfAPortal() async throws {
        #expect(try await found(Stub(.get, "/204", .text("<html>Welcome"))) == "captive ")
        #expect(
            try await found(Stub(.get, "/204", .text("<html>")), status: 200, body: Bytes("fine".utf8)) == "captive ")
        #expect(try await found(Stub(.get, "/204", .status(.init(code: 511)))) == "captive ")
        let page = Stub(.get, "/204", .bytes(BytePattern.bytes(from: 0, count: 1 << 20)))
        #expect(try await found(page, status: 200) == "captive ")
    }

    @Test func theTargetOfARedirectIsThePortal() async throws {
        func redirect(_ location: String) -> Stub {
            Stub(.get, "/204", StubResponse.status(.found).header(.location, location))
        }
        #expect(
            try await found(redirect("https://portal.example/login?x=1")) == "captive https://portal.example/login?x=1")
        #expect(try await found(redirect("//portal.example/")) == "captive http://portal.example/")
        #expect(try await found(redirect("javascript:alert(1)")) == "captive ")
    }

    @Test func unreachableProbeServerIsNotAPortal() async throws {
        let closed = try ClosedPort()
        let outcome = await CaptivePortalProbe(url: "\(closed.baseURL)/204").check()
        guard case .unreachable(let error) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(error.code == .connect)
    }

    @Test func aSilentNetworkIsGivenUpInTime() async throws {
        let transport = MockTransport([Stub(.get, "/204", .text("").dropping(.beforeHead, form: .stall))])
        let probe = CaptivePortalProbe(url: "http://h/204", timeout: .milliseconds(20), transport: transport)
        guard case .unreachable(let error) = await probe.check() else {
            Issue.record("answered")
            return
        }
        #expect(error.isTimeout)
    }
}
#endif
