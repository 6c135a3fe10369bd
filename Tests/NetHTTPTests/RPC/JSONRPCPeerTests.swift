#if os(Linux)
@testable import ClientTestSupport
import NetHTTP
import TestSupport
import Testing

/// Tests against jsonrpcserver from PyPI.
@Suite(.timeLimit(.minutes(2))) struct JSONRPCPeerTests {
    static let python = StreamPeer.python(with: "jsonrpcserver")

    private struct Point: Codable, Hashable { let x: Double, name: String? }

    private func refusal<Value: Sendable>(
        _ body: () async throws(APIError<JSONRPCError>) -> Value
    ) async -> (JSONRPCError?, NetError?, status: Int?) {
        do throws(APIError<JSONRPCError>) {
            _ = try await body()
            return (nil, nil, nil)
        } catch {
            return (error.rejection?.failure, error.netError, error.status)
        }
    }

    @Test(.enabled(if: python != nil, "scripts/bootstrap --tests installs jsonrpcserver"))
    func theServerOfAnotherUnderstandsEverything() async throws {
        let peer = try StreamPeer("rpc/jsonrpc_server.py", with: #require(Self.python))
        let client = HTTPClient(baseURL: peer.baseURL)
        let rpc = JSONRPCClient("rpc", client: client)
        let check = "JSON-RPC"
        await PeerVerdict.of(check, "parameters by position") { try await rpc.call("add", [1, 2], as: Int.self) == 3 }
        await PeerVerdict.of(check, "parameters by name") {
            try await rpc.call("add", ["a": 40, "b": 2], as: Int.self) == 42
        }
        await PeerVerdict.of(check, "values of types") {
            let point = Point(x: 1.5, name: "ä")
            return try await rpc.call("echo", point, as: Point.self) == point
        }
        await PeerVerdict.of(check, "a result that is null") {
            let value = try await rpc.call("nothing", as: JSONValue.self)
            return try await rpc.call("nothing", as: String?.self) == nil && value == .null
        }
        await PeerVerdict.of(check, "a notification") {
            try await rpc.notify("log", ["text": "one"])
            try await rpc.notify("log", ["two"])
            return try await rpc.call("logged", as: [String].self) == ["one", "two"]
        }
        await PeerVerdict.of(check, "a batch") {
            var batch = JSONRPCBatch()
            let sum = batch.call("add", [1, 2], as: Int.self)
            batch.notify("log", ["text": "three"])
            let broken = batch.call("fail", as: Int.self)
            let log = batch.call("logged", as: [String].self)
            let results = try await rpc.send(batch)
            let error = #expect(throws: JSONRPCError.self) { try results.value(of: broken) }
            let sumValue = try results.value(of: sum)
            return try sumValue == 3 && results.value(of: log).last == "three" && error?.code.rawValue == 7
        }
        await PeerVerdict.of(check, "a batch of notifications and an empty one") {
            var batch = JSONRPCBatch()
            batch.notify("log", ["four"])
            _ = try await rpc.send(batch)
            _ = try await rpc.send(JSONRPCBatch())
            return try await rpc.call("logged", as: [String].self).last == "four"
        }
        for path in ["rpc", "status"] as [Path] {
            let rpc = JSONRPCClient(path, client: client)
            let place = path == "rpc" ? "with a status of success" : "with a status of its own"
            await PeerVerdict.of(check, "an error of the method \(place)") {
                let (error, _, status) = await refusal { () async throws(APIError<JSONRPCError>) in
                    try await rpc.call("fail", as: Int.self)
                }
                return error?.code.rawValue == 7 && error?.message == "it is broken"
                    && error?.data == ["why": "PLANTED"] && !"\(String(describing: error))".contains("PLANTED")
                    && status == (path == "rpc" ? 200 : 400)
            }
            await PeerVerdict.of(check, "an unknown method \(place)") {
                await refusal { () async throws(APIError<JSONRPCError>) in try await rpc.call("no", as: Int.self) }.0?
                    .code == .methodNotFound
            }
            await PeerVerdict.of(check, "wrong parameters \(place)") {
                await refusal { () async throws(APIError<JSONRPCError>) in
                    try await rpc.call("add", [1], as: Int.self)
                }.0?.code == .invalidParameters
            }
        }
        await PeerVerdict.of(check, "a result of another type") {
            await refusal { () async throws(APIError<JSONRPCError>) in
                try await rpc.call("add", [1, 2], as: String.self)
            }.1?.code == .decoding
        }
        await PeerVerdict.of(check, "a response to another request") {
            await refusal { () async throws(APIError<JSONRPCError>) in
                try await JSONRPCClient("other", client: client).call("add", [1, 2], as: Int.self)
            }.1?.code == .protocolViolation
        }
        await PeerVerdict.of(check, "a page in place of a response") {
            let error = await refusal { () async throws(APIError<JSONRPCError>) in
                try await JSONRPCClient("page", client: client).call("add", [1, 2], as: Int.self)
            }.1
            return error?.code == .unacceptableStatus && error?.status == 502
        }
        await client.shutdown()
        withExtendedLifetime(peer) {}
    }
}
#endif
