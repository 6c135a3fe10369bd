#if Server
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// User names outside ASCII: servers that announce UTF-8 and can't read `username*` (CherryPy 18.10).
@Suite(.timeLimit(.minutes(1))) struct DigestNameTests {
    /// Returns the statuses and the forms of the name that a server has seen in three calls; `refused` are the forms that
    /// it responds to with 400.
    private func forms(refused: Set<String>, user: String = "ünal") async throws -> (statuses: [Int], forms: [String]) {
        let seen = Locked<[String]>([])
        let stub = Stub(.get, "/x") { request in
            guard let field = request.headers[.authorization] else {
                return StubResponse.status(.unauthorized).header(
                    .wwwAuthenticate, "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", charset=UTF-8, algorithm=SHA-256")
            }
            let form = field.contains("username*=UTF-8''") ? "extended" : "plain"
            seen.change { $0.append(form) }
            return refused.contains(form) ? .status(.badRequest) : .text("hello")
        }
        let server = try await TestServer.start([stub.optional()])
        let client = HTTPClient(baseURL: server.baseURL) {
            $0.middleware = [DigestMiddleware(user: user, password: "geheim")]
        }
        var statuses: [Int] = []
        for _ in 0..<3 {
            do {
                statuses.append(try await client.response(Request<String>("x")).status.code)
            } catch {
                statuses.append(error.netError?.status ?? 0)
            }
        }
        await client.shutdown()
        await server.stop()
        return (statuses, seen.value)
    }

    @Test func thePlainNameIsTriedOnceAndRemembered() async throws {
        let (statuses, forms) = try await forms(refused: ["extended"])
        #expect(statuses == [200, 200, 200])
        #expect(forms == ["extended", "plain", "plain", "plain"])
    }

    @Test func aServerThatReadsTheExtendedNameGetsIt() async throws {
        let (statuses, forms) = try await forms(refused: [])
        #expect(statuses == [200, 200, 200])
        #expect(forms == ["extended", "extended", "extended"])
    }

    @Test func anotherReasonForThe400IsNotRemembered() async throws {
        let (statuses, forms) = try await forms(refused: ["extended", "plain"])
        #expect(statuses == [400, 400, 400])
        #expect(forms == ["extended", "plain", "extended", "plain", "extended", "plain"])
    }

    @Test func namesInASCIIAreNeverExtended() async throws {
        let (statuses, forms) = try await forms(refused: ["plain"], user: "ann")
        #expect(statuses == [400, 400, 400])
        #expect(forms == ["plain", "plain", "plain"])
    }
}
#endif
