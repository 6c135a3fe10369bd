#if os(Linux)
import NetHTTP
import Testing

/// One request of a separate client: its response or its error.
enum TransportTry {
    typealias Change = @Sendable (inout CurlTransport.Configuration) -> Void

    /// Runs `body` with a client that uses no proxy and the changed configuration.
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

    /// Returns a client with the same transport and another base URL.
    static func client(_ base: String, over transport: CurlTransport) throws -> HTTPClient {
        HTTPClient(baseURL: base, transport: transport)
    }

    /// Returns the text of the response, over a shared transport.
    static func text(_ base: String, over transport: CurlTransport) async throws -> String {
        try await client(base, over: transport).send(Request<String>("x", serializer: .string))
    }

    /// Returns the text of the response.
    static func text(_ base: String, _ change: Change) async throws -> String {
        try await with(base, change) { client, _ in
            try await client.send(Request<String>("x", serializer: .string))
        }
    }

    /// Returns the error; fails the test if there is none.
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

    /// Returns the message of the error for an invalid setting, which must be `.invalidRequest`.
    static func unusable(
        _ change: Change, _ location: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let error = try await failure("https://127.0.0.1:1", change, location)
        #expect(error.code == .invalidRequest, "\(error)", sourceLocation: location)
        #expect(error.phase == .preparing, "\(error)", sourceLocation: location)
        return error.message
    }
}
#endif
