#if os(Linux) && Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import TestSupport
import Testing

/// Users of real servers: certificates of nginx, cookies of Python's server.
@Suite(.timeLimit(.minutes(5))) struct IdentityPeerTests {
    private static let data = Request<String>("me", serializer: .string)

    private func stores(_ folder: TemporaryFolder) -> [any HTTPCacheStore] {
        [MemoryCacheStore(), DiskCacheStore(folder: folder.path("cache"))]
    }

    @Test(.enabled(if: NginxSite.program != nil, "nginx isn't installed"))
    func certificatesOfNginx() async throws {
        let certificates = try await Certificates.shared
        let authority = try certificates.text(certificates.authority)
        let locations = """
            ssl_certificate \(certificates.server); ssl_certificate_key \(certificates.serverKey);
            ssl_verify_client optional; ssl_client_certificate \(certificates.authority);
            location / { add_header Cache-Control "private, max-age=600"; default_type text/plain;
            return 200 "data of $ssl_client_s_dn"; }
            """
        try await NginxSite.with(locations, listen: "ssl") { site in
            let base = try BaseURL("https" + site.baseURL.description.dropFirst(4))
            func transport(_ certificate: String?, _ key: String) -> CurlTransport {
                var configuration = CurlTransport.Configuration()
                configuration.proxy = .none
                configuration.tls.trust = .authorities(.text(authority))
                configuration.tls.identity = certificate.map { .init(certificate: .file($0), key: .file(key)) }
                return CurlTransport(configuration: configuration)
            }
            let users = [
                ("data of CN=ann", transport(certificates.client, certificates.clientKey)),
                ("data of CN=bob", transport(certificates.bob, certificates.bobKey)), ("data of ", transport(nil, "")),
            ]
            for order in IdentityOrder.all {
                try await TemporaryFolder.with { folder in
                    for (index, store) in stores(folder).enumerated() {
                        await PeerVerdict.of("identity", "nginx's certificates, \(order), store \(index)") {
                            let chain = order.arrange([
                                CacheMiddleware(store), CoalescingMiddleware(), RetryMiddleware(),
                            ])
                            let clients = users.map { text, transport in
                                (text, HTTPClient(baseURL: base, transport: transport) { $0.middleware = chain })
                            }
                            for _ in 0..<2 {
                                for (text, client) in clients where try await client.send(Self.data) != text {
                                    return false
                                }
                            }
                            return true
                        }
                    }
                    // Another process would be another store on the same folder.
                    await PeerVerdict.of("identity", "nginx's certificates, \(order), the folder used again") {
                        let chain = order.arrange([CacheMiddleware(DiskCacheStore(folder: folder.path("cache")))])
                        for (text, transport) in users.reversed() {
                            let client = HTTPClient(baseURL: base, transport: transport) { $0.middleware = chain }
                            guard try await client.send(Self.data) == text else { return false }
                        }
                        return true
                    }
                }
            }
            for (_, transport) in users { await transport.shutdown() }
        }
    }

    private static let server = """
        import http.server, sys
        class Site(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def log_message(self, *_): pass
            def do_GET(self):
                cookies = dict(part.split("=", 1) for part in self.headers.get("Cookie", "").split("; ") if "=" in part)
                text = ("data of " + cookies.get("sid", "nobody")).encode()
                self.send_response(200)
                parts = self.path.split("/")
                if parts[1] == "login": self.send_header("Set-Cookie", "sid=%s; Path=/" % parts[2])
                if parts[1] == "logout": self.send_header("Set-Cookie", "sid=; Max-Age=0; Path=/")
                self.send_header("Cache-Control", "private, max-age=600")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)
        site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
        print(site.server_port, flush=True)
        site.serve_forever()
        """

    @Test(.enabled(if: SystemProgram("python3").path != nil, "python3 isn't installed"))
    func cookiesOfPython() async throws {
        let python = try #require(SystemProgram("python3").path)
        let child = try ChildProcess(python, ["-c", Self.server])
        defer { child.stop() }
        let port = try child.lines { Int($0) != nil }.last ?? ""
        for order in IdentityOrder.all {
            try await TemporaryFolder.with { folder in
                for (index, store) in stores(folder).enumerated() {
                    await PeerVerdict.of("identity", "Python's cookies, \(order), store \(index)") {
                        let chain = order.arrange([
                            CookieMiddleware(), CacheMiddleware(store), CoalescingMiddleware(), RetryMiddleware(),
                        ])
                        let client = HTTPClient(baseURL: BaseURL(unchecked: "http://127.0.0.1:\(port)")) {
                            $0.middleware = chain
                        }
                        defer { Task { await client.shutdown() } }
                        for (path, user) in [
                            ("login/ann", "ann"), ("login/bob", "bob"), ("logout", "nobody"), ("login/ann", "ann"),
                        ] {
                            _ = try await client.send(
                                Request<String>(
                                    url: "http://127.0.0.1:\(port)/\(path)",
                                    options: RequestOptions { $0.cachePolicy = .noStore }, serializer: .string))
                            for _ in 0..<2 where try await client.send(Self.data) != "data of \(user)" { return false }
                        }
                        return true
                    }
                }
            }
        }
    }
}
#endif
