internal import HTTPTypes
internal import LoadDriver
internal import Logging
internal import NetHTTP
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// This library's client.
///
/// Plain calls use `HTTPTransport.execute`, the lowest public level: a request and a context per call, no middleware,
/// no serializer. The typed workload uses `HTTPClient.send`.
struct EngineClient: LoadClient {
    private let transport: CurlTransport
    private let client: HTTPClient
    private let environment = CallContext.Environment()
    private let target: Target
    private let isPlain: Bool
    /// The stored data is removed together with the client.
    private let folder =
        FileManager.default.temporaryDirectory.path + "/bench-engine-\(ProcessInfo.processInfo.processIdentifier)"

    init(_ settings: LoadSettings) throws {
        var configuration = CurlTransport.Configuration()
        configuration.version = settings.usesHTTP2 ? .http2 : .http1
        configuration.proxy = .none
        if let path = settings.authoritiesPath {
            configuration.tls.trust = .authorities(.text(try String(contentsOfFile: path, encoding: .utf8)))
        }
        transport = CurlTransport(configuration: configuration)
        target = Target(settings.url)
        let base = try BaseURL("\(target.scheme)://\(target.authority)")
        isPlain = settings.layer == .transport
        var clientConfiguration = HTTPClient.Configuration(baseURL: base)
        if settings.layer == .store {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        switch settings.layer {
        case .transport, .client: break
        case .chain:
            clientConfiguration.middleware = [
                LoggingMiddleware(level: .debug), AuthMiddleware(try .bearer("0123456789abcdef")), RetryMiddleware(),
            ]
        case .own: clientConfiguration.middleware = [OwnMiddleware()]
        case .store: clientConfiguration.listeners = [try ActivityStore(path: folder + "/activity.sqlite")]
        }
        client = HTTPClient(configuration: clientConfiguration, transport: transport)
    }

    var executor: (any TaskExecutor)? { transport.executor }

    func get(_ url: String) async throws -> Int {
        if isPlain { return try await collect(PreparedRequest(head: head(.get, url))) }
        return try await client.send(Request<Bytes>(Path(target.path), serializer: .bytes)).count
    }

    func post(_ url: String, body: [UInt8]) async throws -> Int {
        var head = head(.post, url)
        head.headerFields[.contentType] = "application/json"
        return try await collect(PreparedRequest(head: head, body: .bytes(Bytes(body))))
    }

    func typed(_ url: String) async throws -> Int {
        try await client.send(GetUser()).id
    }

    func decode() throws -> Int {
        try JSONDecoder().decode(User.self, from: Data(User.sample)).id
    }

    func download(_ url: String) async throws -> Int {
        let response = try await execute(PreparedRequest(head: head(.get, url)), .streamed)
        var count = 0
        for try await chunk in response.body { count += chunk.count }
        return count
    }

    func shutdown() async {
        await client.shutdown()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Creates a request head from the URL's components, which a real program already has; they are split only once.
    private func head(_ method: HTTPRequest.Method, _ url: String) -> HTTPRequest {
        let target = url == target.url ? target : Target(url)
        return HTTPRequest(method: method, scheme: target.scheme, authority: target.authority, path: target.path)
    }

    private func collect(_ request: PreparedRequest) async throws -> Int {
        let limit = 1 << 20
        let response = try await execute(request, .collected(upTo: limit))
        return try await response.body.collect(upTo: limit).count
    }

    private func execute(_ request: PreparedRequest, _ delivery: BodyDelivery) async throws -> StreamedResponse {
        let context = CallContext(for: request, delivery: delivery, environment: environment)
        let response = try await transport.execute(request, context: context)
        guard response.head.status == .ok else { throw UnexpectedAnswer("status \(response.status.code)") }
        return response
    }
}

/// A URL and its components.
private struct Target {
    let url, scheme, authority, path: String

    init(_ url: String) {
        self.url = url
        scheme = url.utf8.starts(with: "https:".utf8) ? "https" : "http"
        let rest = url.utf8.dropFirst(scheme.utf8.count + 3)
        let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        authority = String(Substring(rest[..<slash]))
        path = String(Substring(rest[slash...]))
    }
}

private struct GetUser: APIRequest {
    typealias Response = User

    var path: Path { "user" }
}

/// An app's own middleware.
private struct OwnMiddleware: Middleware {
    func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        var request = request
        request.head.headerFields[.userAgent] = "app"
        return try await next(request, context)
    }
}
