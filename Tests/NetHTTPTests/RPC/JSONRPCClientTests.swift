import NetHTTP
import NetTesting
import Testing

@Suite struct JSONRPCClientTests {
    /// Returns a client whose server responds to each request with the same text.
    private func client(_ response: String) -> JSONRPCClient {
        let transport = MockTransport([
            Stub(.post, "/rpc", StubResponse(headers: [.contentType: "application/json"], body: .text(response)))
        ])
        return JSONRPCClient("rpc", client: HTTPClient(baseURL: "http://mock.test", transport: transport))
    }

    @Test func aResponseToTheRequestIsItsValue() async throws {
        #expect(try await client(#"{"jsonrpc":"2.0","id":1,"result":7}"#).call("add", [3, 4], as: Int.self) == 7)
    }

    @Test(arguments: ["2", "0", "\"1\"", "null"]) func aResponseToAnotherRequestIsRefused(id: String) async {
        do throws(APIError<JSONRPCError>) {
            let value = try await client(#"{"jsonrpc":"2.0","id":\#(id),"result":7}"#).call(
                "add", [3, 4], as: Int.self)
            Issue.record("\(value) was taken")
        } catch {
            #expect(error.netError?.code == .protocolViolation || error.netError?.code == .decoding, "\(error)")
        }
    }

    @Test func anErrorIsARejection() async {
        do throws(APIError<JSONRPCError>) {
            let text = #"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}"#
            _ = try await client(text).call("nothing", as: Int.self)
            Issue.record("it went well")
        } catch {
            #expect(error.rejection?.failure.code == .methodNotFound)
        }
    }
}
