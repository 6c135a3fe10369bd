#if os(Linux)
import Foundation
import NetHTTP
import TestSupport
import Testing

/// A real server on loopback that refuses bodies before it has read them, over TLS with HTTP/2 and HTTP/1.1.
enum RefusingPeer: String, CaseIterable, CustomTestStringConvertible {
    /// HAProxy 2.6: a whole response over HTTP/2, and then RST_STREAM with CANCEL.
    case haproxy
    /// Caddy 2.6: a whole response, and then RST_STREAM with NO_ERROR.
    case caddy
    /// h2o 2.2: 413 over HTTP/1.1, and RST_STREAM with REFUSED_STREAM over HTTP/2, for bodies above 1,000 bytes.
    case h2o

    static let installed = allCases.filter { SystemProgram($0.rawValue).path != nil }

    /// The status of a refusal.
    var status: Int { self == .h2o ? 413 : 403 }

    var testDescription: String { rawValue }

    private func settings(_ port: Int, _ certificates: Certificates) throws -> (text: String, arguments: [String]) {
        switch self {
        case .haproxy:
            let both = try ScratchFolder.write(
                certificates.text(certificates.server) + certificates.text(certificates.serverKey), to: "haproxy.pem")
            let text = """
                global
                    maxconn 200
                defaults
                    mode http
                    timeout client 10s
                    timeout connect 10s
                    timeout server 10s
                frontend refusing
                    bind 127.0.0.1:\(port) ssl crt \(both) alpn h2,http/1.1
                    http-request return status 403 content-type text/plain string "not here"

                """
            return (text, ["-db", "-f"])
        case .caddy:
            let text = """
                {
                    admin off
                    auto_https off
                    storage file_system \(ScratchFolder.file("caddy"))
                }
                https://127.0.0.1:\(port) {
                    tls \(certificates.server) \(certificates.serverKey)
                    respond "not here" 403
                }

                """
            return (text, ["run", "--adapter", "caddyfile", "--config"])
        case .h2o:
            let text = """
                listen:
                  host: 127.0.0.1
                  port: \(port)
                  ssl:
                    certificate-file: \(certificates.server)
                    key-file: \(certificates.serverKey)
                user: root
                limit-request-body: 1000
                error-log: /dev/null
                hosts:
                  default:
                    paths:
                      /:
                        file.dir: \(ScratchFolder.path)

                """
            return (text, ["-m", "worker", "-c"])
        }
    }

    /// Runs `body` with a client that trusts the server.
    func run(_ body: (HTTPClient) async throws -> Void) async throws {
        let certificates = try await Certificates.shared
        // A shell ends the server with this process.
        let port = try await offPool { [self] () throws -> Int in
            let port = try Listener.freePort()
            let (text, arguments) = try settings(port, certificates)
            let file = try ScratchFolder.write(text, to: "\(rawValue)-\(port).conf")
            _ = try ChildProcess.daemon(SystemProgram(rawValue).path ?? rawValue, arguments + [file])
            try ChildProcess.wait(forPorts: [port], of: rawValue)
            return port
        }
        var configuration = CurlTransport.Configuration()
        configuration.tls.trust = .authorities(.text(try certificates.text(certificates.authority)))
        let client = HTTPClient(
            baseURL: try BaseURL("https://127.0.0.1:\(port)"),
            transport: CurlTransport(configuration: configuration))
        do {
            try await body(client)
        } catch {
            await client.shutdown()
            throw error
        }
        await client.shutdown()
    }
}
#endif
