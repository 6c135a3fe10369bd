#if os(Linux)
import NetHTTP
import Testing

/// One request by a client of its own: what the answer says, or how it failed.
enum TransportTry {
    typealias Change = @Sendable (inout CurlTransport.Configuration) -> Void

    /// Runs `body` with a client that uses no proxy and trusts what the change says.
    static func with<Value>(
        _ base: String, _ change: Change, _ body: (HTTPClient, CurlTransport) async throws -> Value
    ) async throws -> Value {
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        change(&configuration)
        let transport = CurlTransport(configuration: configuration)
        let client = HTTPClient(baseURL: base, transport: transport)
        do {
            let value = try await body(client, transport)
            await client.shutdown()
            return value
        } catch {
            await client.shutdown()
            throw error
        }
    }

    /// A client with the same transport and another base.
    static func client(_ base: String, over transport: CurlTransport) throws -> HTTPClient {
        HTTPClient(baseURL: base, transport: transport)
    }

    /// The answer's text, over a transport that others use too.
    static func text(_ base: String, over transport: CurlTransport) async throws -> String {
        try await client(base, over: transport).send(Request<String>("x", serializer: .string))
    }

    /// The answer's text.
    static func text(_ base: String, _ change: Change) async throws -> String {
        try await with(base, change) { client, _ in
            try await client.send(Request<String>("x", serializer: .string))
        }
    }

    /// The error; the test fails where there is none.
    static func failure(
        _ base: String, _ change: Change, _ location: SourceLocation = #_sourceLocation
    ) async throws -> NetError {
        try await with(base, change) { client, _ in
            let error = try await ClientTestSupport.failure(as: Never.self, location) {
                try await client.send(Request<String>("x", query: [QueryItem("token", "geheim")], serializer: .string))
            }
            #expect(!error.description.contains("geheim"), sourceLocation: location)
            return error
        }
    }

    /// The error of a setting that no call can do with: `.invalidRequest`, and its message.
    static func unusable(
        _ change: Change, _ location: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let error = try await failure("https://127.0.0.1:1", change, location)
        #expect(error.code == .invalidRequest && error.phase == .preparing, "\(error)", sourceLocation: location)
        return error.message
    }
}
#endif
