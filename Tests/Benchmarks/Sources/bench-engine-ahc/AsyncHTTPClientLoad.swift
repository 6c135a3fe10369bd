internal import AsyncHTTPClient
internal import Foundation
internal import LoadDriver
internal import NIOCore
internal import NIOFoundationCompat
internal import NIOHTTP1
internal import NIOSSL

/// AsyncHTTPClient with its defaults, except for one connection per concurrent request.
struct AsyncHTTPClientLoad: LoadClient {
    private let client: HTTPClient

    init(_ settings: LoadSettings) throws {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(8, settings.concurrency)
        configuration.httpVersion = settings.usesHTTP2 ? .automatic : .http1Only
        if let path = settings.authoritiesPath {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(path)
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func get(_ url: String) async throws -> Int {
        try await collect(HTTPClientRequest(url: url)).readableBytes
    }

    func post(_ url: String, body: [UInt8]) async throws -> Int {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(body)
        return try await collect(request).readableBytes
    }

    func typed(_ url: String) async throws -> Int {
        let body = try await collect(HTTPClientRequest(url: url))
        return try JSONDecoder().decode(User.self, from: body).id
    }

    func download(_ url: String) async throws -> Int {
        var count = 0
        for try await buffer in try await execute(HTTPClientRequest(url: url)).body { count += buffer.readableBytes }
        return count
    }

    func shutdown() async {
        try? await client.shutdown()
    }

    private func collect(_ request: HTTPClientRequest) async throws -> ByteBuffer {
        try await execute(request).body.collect(upTo: 1 << 20)
    }

    private func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        let response = try await client.execute(request, timeout: .seconds(30))
        guard response.status == .ok else { throw UnexpectedAnswer("status \(response.status)") }
        return response
    }
}
