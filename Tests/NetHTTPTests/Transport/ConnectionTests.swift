#if Server
import CCurl
@testable import ClientTestSupport
import Glibc
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

@testable import NetCurl

@Suite(.timeLimit(.minutes(2)), .enabled(if: PythonPeers.areInstalled)) struct ConnectionTests {
    // MARK: Unix sockets

    @Test func aUnixSocketStandsForAHost() async throws {
        let (nginx, peers) = (try await Nginx.shared, try await PythonPeers.shared)
        let change: TransportTry.Change = {
            $0.connection.unixSockets = [
                "daemon": .path(nginx.socket), "*.local": .abstract(peers.abstract), "gone": .path("/no/such.sock"),
            ]
            // A socket on this machine needs no proxy, even if one is configured.
            $0.proxy = .server(ProxyServer("http://127.0.0.1:1"), except: ["127.0.0.1"])
        }
        try await TransportTry.with("http://daemon", change) { _, transport in
            for _ in 0..<2 {
                for (host, start) in [
                    ("daemon", "unix"), ("a.local", "abstract"), ("127.0.0.1:\(nginx.plain)", "plain"),
                ] {
                    let text = try await TransportTry.text("http://\(host)", over: transport)
                    #expect(text.hasPrefix(start + " "), "\(text)")
                    #expect(text.hasSuffix(" " + host), "\(text)")
                }
            }
            // libcurl 7.88 opens a new connection to an abstract socket each time.
            #expect((3...4).contains(transport.statistics.openedConnections))
        }
        let error = try await TransportTry.failure("http://gone", change)
        #expect(error.code == .connect)
        #expect(error.phase == .connecting)
        #expect(error.message.contains("gone by the Unix socket /no/such.sock"), "\(error)")
        let direct = try await TransportTry.failure("http://daemon") { _ in }
        #expect(direct.code == .dns)
    }

    @Test func aSocketThatNoSystemTakesIsNamed() async throws {
        let long = String(repeating: "x", count: 108)
        for (socket, words) in [
            (UnixSocket.path("/" + long), "has 109 bytes; the limit is 107"), (.abstract(long), "has 108 bytes"),
            (.path(""), "has no path"), (.abstract("a\0b"), "zero byte"),
        ] {
            let message = try await TransportTry.unusable { $0.connection.unixSockets["daemon"] = socket }
            #expect(message.hasPrefix("connection.unixSockets[\"daemon\"]: "), "\(message)")
            #expect(message.contains(words), "\(message)")
        }
        let message = try await TransportTry.unusable { $0.connection.unixSockets["http://daemon"] = .path("/a") }
        #expect(message.contains("without scheme and port"))
    }

    // MARK: Addresses

    @Test func namesGoToOtherAddressesAndPorts() async throws {
        let (nginx, certificates) = (try await Nginx.shared, try await Certificates.shared)
        let change: TransportTry.Change = {
            $0.tls.trust = .authorities(.file(certificates.authority))
            $0.connection.overrides = [
                "named.test:\(nginx.plain)": .addresses(["127.0.0.1", "::1"]),
                "named.test:443": .host("127.0.0.1:\(nginx.tls13)"), "*:81": .host("localhost:\(nginx.plain)"),
            ]
        }
        try await TransportTry.with("http://named.test", change) { _, transport in
            let plain = "http://named.test:\(nginx.plain)"
            // Collected and streamed calls have separate DNS caches.
            for _ in 0..<3 {
                #expect(try await TransportTry.text(plain, over: transport).hasSuffix(" named.test:\(nginx.plain)"))
                let client = try TransportTry.client(plain, over: transport)
                let stream = try await client.stream(Request<Bytes>("x", serializer: .bytes))
                #expect(stream.status == .ok)
                _ = try await stream.body.collect(upTo: 1000)
            }
            let secure = try await TransportTry.text("https://named.test", over: transport)
            #expect(secure.hasPrefix("tls13 "))
            #expect(secure.hasSuffix(" named.test"))
            let any = try await TransportTry.text("http://what.ever:81", over: transport)
            #expect(any.hasPrefix("plain "))
            #expect(any.hasSuffix(" what.ever:81"))
        }
        let error = try await TransportTry.failure("http://named.test:\(nginx.plain)") { _ in }
        #expect(error.code == .dns)
    }

    @Test(arguments: [
        ("named.test", ConnectionConfiguration.Override.host("a:1"), "write a host and a port"),
        ("named.test:0", .host("a:1"), "write a host and a port"),
        ("http://a:1", .host("a:1"), "write a host and a port"),
        ("a:1", .addresses([]), "the list of addresses is empty"), ("[::1]:1", .addresses(["127.0.0.1"]), "use .host"),
        ("a:1", .addresses(["127.0.0.1", "b"]), "\"b\" isn't an IPv4 or IPv6"),
        ("a:1", .host("http://b"), "isn't a host"), ("a:1", .host("b:0"), "isn't a host"),
    ]) func anOverrideThatSaysNothingIsNamed(
        key: String, override: ConnectionConfiguration.Override, words: String
    ) async throws {
        let message = try await TransportTry.unusable { $0.connection.overrides[key] = override }
        #expect(message.hasPrefix("connection.overrides[\"\(key)\"]: "), "\(message)")
        #expect(message.contains(words), "\(message)")
    }

    @Test func onlyOneFamilyIsUsed() async throws {
        let port = try await Nginx.shared.plain
        for (family, address) in [(ConnectionConfiguration.AddressFamily.ipv4, "127.0.0.1"), (.ipv6, "::1")] {
            let text = try await TransportTry.text("http://both.test:\(port)") {
                $0.connection.overrides["both.test:\(port)"] = .addresses(["127.0.0.1", "::1"])
                $0.connection.addressFamily = family
            }
            #expect(text.hasPrefix("plain \(address) "), "\(text)")
        }
        let error = try await TransportTry.failure("http://127.0.0.1:\(port)") { $0.connection.addressFamily = .ipv6 }
        #expect(error.code == .connect || error.code == .dns, "\(error)")
    }

    @Test func theOtherFamilyIsTriedAfterAWhile() async throws {
        let peer = try RawPeer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        defer { peer.stop() }
        // The same port of ::1 never accepts a connection.
        let hole = try IPv6Hole(port: peer.port)
        defer { hole.stop() }
        for (delay, limit, isReached) in [
            (Duration.milliseconds(50), Duration.seconds(10), true), (.seconds(60), .seconds(1), false),
        ] {
            try await TransportTry.with("http://both.test:\(peer.port)") {
                $0.connection.overrides["both.test:\(peer.port)"] = .addresses(["::1", "127.0.0.1"])
                $0.connection.fallbackDelay = delay
            } _: { _, transport in
                var configuration = HTTPClient.Configuration(baseURL: try BaseURL("http://both.test:\(peer.port)"))
                // libcurl gives the first address half of this time.
                configuration.timeouts.connect = .seconds(30)
                configuration.timeouts.total = limit
                let client = HTTPClient(configuration: configuration, transport: transport)
                let request = Request<String>("x", serializer: .string)
                if isReached {
                    #expect(try await client.send(request) == "ok")
                } else {
                    let error = try await failure { try await client.send(request) }
                    #expect(error.code == .timeout, "\(error)")
                    #expect(error.phase == .connecting, "\(error)")
                }
            }
        }
    }

    @Test func aNameIsRememberedForItsLife() async throws {
        let port = try await Nginx.shared.plain
        for (life, isRemembered) in [(Duration.seconds(60), true), (nil, true), (.zero, false)] {
            let raw = try #require(curl_easy_init())
            defer { curl_easy_cleanup(raw) }
            // Only libcurl's log shows whether a name was cached.
            let file = try #require(fopen(ScratchFolder.file("names.log"), "w"))
            net_easy_set_pointer(raw, CURLOPT_STDERR, UnsafeRawPointer(file))
            net_easy_set_long(raw, CURLOPT_VERBOSE, 1)
            net_easy_set_long(raw, CURLOPT_NOBODY, 1)
            net_easy_set_long(raw, CURLOPT_FRESH_CONNECT, 1)
            net_easy_set_string(raw, CURLOPT_URL, "http://localhost:\(port)/")
            var connection = ConnectionConfiguration()
            connection.dnsCacheLife = life
            let settings = try ConnectionSettings(tls: TLSConfiguration(), proxy: .none, connection: connection)
            var writer = EasyWriter(raw)
            settings.apply(to: &writer)
            for _ in 0..<2 { #expect(curl_easy_perform(raw) == CURLE_OK) }
            fclose(file)
            #expect(
                try ScratchFolder.read("names.log").contains("was found in DNS cache") == isRemembered, "\(life as Any)"
            )
        }
    }

    @Test func ourEndIsBoundToAnAddressAndPorts() async throws {
        let port = try await Nginx.shared.plain
        let free = try Listener.freePort()
        let text = try await TransportTry.text("http://127.0.0.1:\(port)") {
            $0.connection.localAddress = .host("127.0.0.2")
            $0.connection.localPorts = free...free
        }
        #expect(text.hasPrefix("plain 127.0.0.2 \(free) "), "\(text)")
        let loopback = try await TransportTry.text("http://127.0.0.1:\(port)") {
            $0.connection.localAddress = .interface("lo")
        }
        #expect(loopback.hasPrefix("plain 127.0.0.1 "), "\(loopback)")
    }

    @Test func anAddressThatIsNotOursIsNamed() async throws {
        for address in [
            ConnectionConfiguration.LocalAddress.host("192.0.2.1"), .interface("nosuch0"), .host("no.invalid"),
        ] {
            let error = try await TransportTry.failure("http://127.0.0.1:\(try await Nginx.shared.plain)") {
                $0.connection.localAddress = address
            }
            #expect(error.code == .connect, "\(error)")
            #expect(error.phase == .connecting, "\(error)")
            #expect(error.message.contains("connection.localAddress"), "\(error)")
        }
        for name in ["", "a b", "host!a"] {
            let message = try await TransportTry.unusable { $0.connection.localAddress = .interface(name) }
            #expect(message.hasPrefix("connection.localAddress: "))
        }
        let message = try await TransportTry.unusable { $0.connection.localPorts = 0...70_000 }
        #expect(message.hasPrefix("connection.localPorts: "))
    }

    // MARK: TCP

    @Test(arguments: [true, false]) func optionsOfTCPReachTheSocket(isOn: Bool) async throws {
        let child = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [isOn = isOn as Bool] in
            try await Fixture.run(
                [Stub(.get, "/x", .text("ok"))],
                with: .transport {
                    $0.connection.tcpKeepAlive = isOn ? .seconds(77) : nil
                    $0.connection.tcpNoDelay = isOn
                }
            ) { fixture in
                try await fixture.client.send(Request<String>("x", serializer: .string))
                let sockets = ThisProcess.sockets(to: fixture.server.port)
                let expected = ThisProcess.TCPOptions(keepsAlive: isOn, idle: isOn ? 77 : 7200, hasNoDelay: isOn)
                guard sockets == [expected] else { ThisProcess.fail("\(sockets)") }
            }
        }
        #expect(String(decoding: child?.standardErrorContent ?? [], as: UTF8.self) == "")
    }
}
#endif
