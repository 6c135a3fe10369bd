#if Server
@testable import ClientTestSupport
import NetHTTP
import NetTestServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .enabled(if: PythonPeers.areInstalled)) struct SOCKSTests {
    private func through(_ url: String, user: String? = nil) async throws -> TransportTry.Change {
        let authority = try await Certificates.shared.authority
        return {
            $0.tls.trust = .authorities(.file(authority))
            $0.proxy = .server(ProxyServer(url, user: user, password: user.map { _ in "geheim" }))
        }
    }

    @Test(arguments: ["socks5h", "socks4a"]) func theProxyLooksNamesUp(scheme: String) async throws {
        let (nginx, peers) = (try await Nginx.shared, try await PythonPeers.shared)
        let change = try await through("\(scheme)://127.0.0.1:\(peers.socks)")
        #expect(try await TransportTry.text("http://named.test:\(nginx.plain)", change).hasPrefix("plain "))
        #expect(try await TransportTry.text("https://named.test:\(nginx.tls13)", change).hasPrefix("tls13 "))
        let start = scheme == "socks4a" ? "socks4" : "socks5"
        #expect(peers.log.contains("\(start) name named.test \(nginx.plain)"))
        #expect(peers.log.contains("\(start) name named.test \(nginx.tls13)"))
    }

    @Test(arguments: ["socks5", "socks4"]) func namesAreLookedUpHere(scheme: String) async throws {
        let (nginx, peers) = (try await Nginx.shared, try await PythonPeers.shared)
        let change = try await through("\(scheme)://127.0.0.1:\(peers.socks)")
        let local: TransportTry.Change = {
            change(&$0)
            $0.connection.addressFamily = .ipv4
        }
        #expect(try await TransportTry.text("http://localhost:\(nginx.plain)", local).hasPrefix("plain "))
        #expect(peers.log.contains("\(scheme) address 127.0.0.1 \(nginx.plain)"))
        let error = try await TransportTry.failure("http://named.test:\(nginx.plain)", change)
        #expect(error.code == .connect || error.code == .dns, "\(error)")
        #expect(error.message.contains("named.test"), "\(error)")
    }

    @Test func userAndPasswordAreShown() async throws {
        let (nginx, peers) = (try await Nginx.shared, try await PythonPeers.shared)
        let url = "socks5h://127.0.0.1:\(peers.socksForUsers)"
        let text = try await TransportTry.text("http://named.test:\(nginx.plain)", try await through(url, user: "ann"))
        #expect(text.hasPrefix("plain "))
        #expect(peers.log.contains("socks5 user ann known"))
        for (user, words) in [(nil, "wants a user and a password"), ("bob", "does not accept the user and password")] {
            let error = try await TransportTry.failure(
                "http://named.test:\(nginx.plain)", try await through(url, user: user))
            #expect(error.code == .connect, "\(error)")
            #expect(error.phase == .connecting, "\(error)")
            #expect(error.message.contains("the proxy \(url)"), "\(error)")
            #expect(error.message.contains(words), "\(error)")
        }
    }

    @Test(arguments: [
        ("refused.test", "the destination refused its connection"),
        ("forbidden.test", "does not allow this destination"),
        ("unreachable.test", "cannot reach the destination"), ("broken.test", "refused a connection to broken.test"),
    ]) func socksProxyErrorsStateTheirCause(host: String, words: String) async throws {
        let port = try await PythonPeers.shared.socks
        let error = try await TransportTry.failure(
            "http://\(host):8080", try await through("socks5h://127.0.0.1:\(port)"))
        #expect(error.code == .connect, "\(error)")
        #expect(error.phase == .connecting, "\(error)")
        #expect(error.message.contains("the proxy socks5h://127.0.0.1:\(port)"), "\(error)")
        #expect(error.message.contains(words), "\(error)")
    }
}
#endif
