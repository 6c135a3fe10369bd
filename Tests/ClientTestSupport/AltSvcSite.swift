#if os(Linux)
import Foundation
import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport

/// A client of two nginx servers with TLS: an origin and its alternative. Both respond with a description of the
/// request:
///
///     PORT VERSION HOST ALT-USED COOKIE
///
/// and repeat the header `X-Alt` as `Alt-Svc`.
struct AltSvcSite {
    let origin: Int
    let alternative: Int
    let transport: CurlTransport
    let client: HTTPClient
    let store: AltSvcStore
    let clock: TestClock

    /// The deviations from HTTP/2 with a certificate shared by both servers.
    struct Setup: Sendable {
        var listen = "ssl http2"
        var isOfOthers = false
        var locations = ""
        var middleware: [any Middleware] = []
        var connectTimeout = Duration.seconds(30)
        var transport: @Sendable (inout CurlTransport.Configuration) -> Void = { _ in }
    }

    /// Runs `body` while both serve, then `after` when the alternative has stopped.
    static func with(
        _ setup: Setup = Setup(), _ body: (AltSvcSite) async throws -> Void,
        after: (AltSvcSite) async throws -> Void = { _ in }
    ) async throws {
        let certificates = try await Certificates.shared
        let locations = """
            absolute_redirect off;
            location / { add_header Alt-Svc $http_x_alt always;
                return 200 '$server_port $server_protocol $http_host [$http_alt_used] [$http_cookie]'; }
            location /login { add_header Set-Cookie 'id=$server_port; Path=/'; return 302 /home; }
            """
        let own = "ssl_certificate \(certificates.server); ssl_certificate_key \(certificates.serverKey);"
        let others = "ssl_certificate \(certificates.other); ssl_certificate_key \(certificates.otherKey);"
        try await NginxSite.with("\(own) \(locations)", listen: "ssl http2") { origin in
            var site: AltSvcSite?
            try await NginxSite.with(
                "\(setup.isOfOthers ? others : own) \(setup.locations) \(locations)", listen: setup.listen
            ) { alternative in
                let made = try AltSvcSite(setup, certificates, origin, alternative)
                site = made
                try await body(made)
            }
            if let site {
                try await after(site)
                await site.client.shutdown()
            }
        }
    }

    private init(
        _ setup: Setup, _ certificates: Certificates, _ origin: NginxSite, _ alternative: NginxSite
    ) throws {
        (self.origin, self.alternative) = (origin.port, alternative.port)
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        configuration.tls.trust = .authorities(.file(certificates.authority))
        setup.transport(&configuration)
        transport = CurlTransport(configuration: configuration)
        (store, clock) = (AltSvcStore(), TestClock())
        let middleware = AltSvcMiddleware(store, connectTimeout: setup.connectTimeout)
        client = HTTPClient(baseURL: "https://localhost:\(origin.port)", transport: transport) { [clock] in
            $0.timeouts = Timeouts(connect: .seconds(600))
            $0.middleware = setup.middleware + [middleware]
            $0.clock = clock.netClock
        }
    }

    /// A client without middleware, over the same transport.
    var plainClient: HTTPClient {
        get throws { try TransportTry.client("https://localhost:\(origin)", over: transport) }
    }

    /// Returns the header value that names the alternative by its port.
    func field(_ protocolName: String = "h2", host: String = "", age: Int = 60) -> String {
        "\(protocolName)=\"\(host):\(alternative)\"; ma=\(age)"
    }

    func request(_ path: String = "x", naming field: String? = nil) -> Request<String> {
        var request = Request<String>(Path(path), serializer: .string)
        if let field { request.headers["X-Alt"] = field }
        return request
    }

    /// Sends a request, and returns the server's description of it.
    @discardableResult
    func get(_ path: String = "x", naming field: String? = nil) async throws -> String {
        try await client.send(request(path, naming: field))
    }

    /// Sends a request. Returns the server's description of it, and the number of attempts, including unfinished ones.
    func trying(_ request: Request<String>) async throws -> (answer: String, attempts: Int) {
        let before = transport.statistics.startedTransfers
        let answer = try await client.send(request)
        return (answer, transport.statistics.startedTransfers - before)
    }

    /// The origin's response to a request sent directly to it.
    var byOrigin: String { "\(origin) HTTP/2.0 localhost:\(origin) [] []" }

    /// The alternative's response in its place.
    var byAlternative: String { "\(alternative) HTTP/2.0 localhost:\(origin) [localhost:\(alternative)] []" }

    /// The time until the only alternative is tried again; nil if it isn't marked as broken.
    var pause: Double? {
        store.entries.first?.services.first?.brokenUntil.map { $0.timeIntervalSince(clock.date) }
    }
}

extension NginxSite {
    /// The port of its address.
    var port: Int { baseURL.description.split(separator: ":").last.flatMap { Int($0) } ?? 0 }
}
#endif
