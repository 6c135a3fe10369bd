#if os(Linux) && Server
@testable import ClientTestSupport
import Foundation
import NetHTTP
import NetSocket
import NetTestServer
import NetTesting
import TestSupport

/// An nginx in front of an echo server, with a requirement for the handshake at each path.
///
/// | path | |
/// |---|---|
/// | `/echo` | accepts, and sets the cookie `seat` |
/// | `/member` | accepts handshakes with the cookie |
/// | `/moved` | redirects to `/member`, and sets the cookie |
/// | `/to/…` | redirects to an absolute URL with `ws:` |
/// | `/private` | accepts `Bearer new-geheim` |
/// | `/query` | accepts `access_token=new-geheim` |
/// | `/sub` | accepts the subprotocol `bearer.new-geheim` |
/// | `/trace` | accepts handshakes with `traceparent` |
/// | `/busy` | 503 |
/// | `/no` | 403 with a body |
struct HandshakeSite: Sendable {
    let server: TestServer
    /// `127.0.0.1:PORT`.
    let authority: String
    /// `localhost:PORT`, with TLS.
    let secureAuthority: String

    var log = EventLog()

    /// Runs `body` while both are running.
    static func run(_ body: (HandshakeSite) async throws -> Void) async throws {
        let protocols = ["chat", "bearer.new-geheim"]
        let echo = WebSocketStub("/{path}", subprotocols: protocols) { socket in
            try await socket.send("cookies: \(socket.request.headers[.cookie] ?? "none")")
            while let message = try await socket.receive() { try await socket.send(message) }
        }
        let server = try await TestServer.start(webSockets: [echo])
        let certificates = try await Certificates.shared
        let securePort = try Listener.freePort()
        func pass(_ path: String, _ lines: String = "") -> String {
            """
            location = \(path) { \(lines)
                proxy_pass \(server.baseURL); proxy_http_version 1.1;
                proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade"; }
            """
        }
        let locations = """
            \(pass("/echo", #"add_header Set-Cookie "seat=7; Path=/" always;"#))
            \(pass("/member", #"if ($cookie_seat != "7") { return 403; }"#))
            location = /moved { add_header Set-Cookie "seat=7; Path=/" always; return 302 /member; }
            location ~ ^/to/(.*)$ { return 307 ws://$http_host/$1; }
            \(pass("/private", #"if ($http_authorization != "Bearer new-geheim") { return 401; }"#))
            \(pass("/query", #"if ($arg_access_token != "new-geheim") { return 401; }"#))
            \(pass("/sub", #"if ($http_sec_websocket_protocol !~ "bearer.new-geheim") { return 401; }"#))
            \(pass("/trace", #"if ($http_traceparent = "") { return 400; }"#))
            location = /busy { return 503; }
            location = /no { return 403 "members only"; }
            """
        let secure = """
            } server { listen 127.0.0.1:\(securePort) ssl;
            ssl_certificate \(certificates.server); ssl_certificate_key \(certificates.serverKey);
            \(pass("/echo", #"add_header Strict-Transport-Security "max-age=600" always;"#))
            location = /down { return 302 http://$http_host/echo; }
            """
        do {
            try await NginxSite.with(locations + secure) { nginx in
                // It listens to one port after the other.
                try await offPool { try ChildProcess.wait(forPorts: [securePort], of: "nginx") }
                try await body(
                    HandshakeSite(
                        server: server, authority: String(nginx.baseURL.description.dropFirst("http://".count)),
                        secureAuthority: "localhost:\(securePort)"))
            }
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// A client of the site that logs its events, and trusts it.
    func client(
        _ middleware: any Middleware..., with change: (inout WebSocketClient.Configuration) -> Void = { _ in }
    ) async throws -> WebSocketClient {
        let certificates = try await Certificates.shared
        var transport = CurlWebSocketTransport.Configuration()
        transport.proxy = .none
        transport.tls.trust = .authorities(.text(try certificates.text(certificates.authority)))
        var configuration = WebSocketClient.Configuration(
            baseURL: try BaseURL("ws://\(authority)"), middleware: middleware, listeners: [log])
        change(&configuration)
        return WebSocketClient(
            configuration: configuration, transport: CurlWebSocketTransport(configuration: transport))
    }

    /// Opens a WebSocket, checks that it transfers messages, and closes it and its client. Returns the cookies that the
    /// server received, and the response.
    @discardableResult
    func converse(_ client: WebSocketClient, _ request: WebSocketRequest) async throws -> (
        cookies: String?, ResponseHead
    ) {
        let socket: WebSocketConnection
        do {
            socket = try await client.connect(request)
        } catch {
            await client.shutdown()
            throw error
        }
        let greeting = try await socket.receive().text
        try await socket.send("hello")
        let echo = try await socket.receive()
        await socket.close()
        await client.shutdown()
        guard echo == .text("hello") else { throw NetError(.unknown, phase: .receiving, message: "no echo") }
        return (greeting.map { String($0.dropFirst("cookies: ".count)) }, socket.response)
    }

    /// The attempts so far: number, status, and the URL's path.
    var attempts: [String] {
        log.all.compactMap { event in
            guard case .attemptEnded(let attempt) = event.kind else { return nil }
            let path = attempt.url.map { URL(string: $0)?.path() ?? $0 } ?? "?"
            return "\(attempt.number) \(attempt.status ?? 0) \(path)"
        }
    }
}
#endif
