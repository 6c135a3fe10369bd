import Foundation
import Testing

@testable import NetCore

@Suite struct HostTableTests {
    private let table = HostTable<Int>([
        ("A.test", 1), ("*.a.test", 2), ("*.b.a.test.", 3), ("::1", 4), ("[::2]", 5), ("c.test.", 6),
    ])

    @Test(
        arguments: [
            ("a.test", 1), ("x.a.test", 2), ("x.b.a.test", 3), ("b.a.test", 2), ("::1", 4), ("::2", 5), ("c.test", 6),
            ("d.test", nil), ("xa.test", nil), (".a.test", nil),
        ] as [(String, Int?)])
    func theMostPreciseRuleCounts(_ host: String, _ value: Int?) {
        #expect(table.value(for: host) == value)
        let open = HostTable<Int>([("a.test", 1), ("*", 9)])
        #expect(open.value(for: host) == (host == "a.test" ? 1 : 9))
    }

    @Test func aTableKnowsItsValues() {
        #expect(HostTable<Int>([]).isEmpty)
        #expect(HostTable<Int>([]).values.isEmpty)
        for pattern in ["*", "*.a", "a"] {
            let table = HostTable<Int>([(pattern, 7)])
            #expect(!table.isEmpty)
            #expect(table.values == [7])
        }
        #expect(table.values.sorted() == [1, 2, 3, 4, 5, 6])
        #expect(HostTable<Int>([("a", 1), ("*.a", 2), ("*", 3)]).values.sorted() == [1, 2, 3])
        #expect(HostTable<Int>([("a", 1), ("a", 2)]).value(for: "a") == 2, "the last one counts")
    }

    @Test(
        arguments: [
            ("*", true), ("*.a.test", true), ("a.test", true), ("[::1]", true), ("::1", true), ("a.*", false),
            ("*a", false),
            ("a.test:80", false), ("", false), ("*.", false), ("a b", false), ("x::y", false),
        ] as [(String, Bool)])
    func aPatternIsAHostOrBeginsWithAStar(_ text: String, _ isPattern: Bool) {
        #expect(HostTable<Int>.isPattern(text) == isPattern)
    }
}

@Suite struct AlternativeServiceTests {
    private let now = Date(timeIntervalSince1970: 1000)

    private func service(_ name: String = "h2", host: String = "A.test", port: Int = 443) -> AlternativeService {
        AlternativeService(protocolName: name, host: host, port: port, expires: now.addingTimeInterval(10))
    }

    @Test func aServiceIsUsableUntilItExpiresUnlessItIsBroken() {
        var service = service()
        #expect(!service.isPersistent)
        #expect(service.authority == "a.test:443")
        #expect(service.description == "h2=\"a.test:443\"")
        #expect(service.isUsable(at: now))
        #expect(service.isUsable(at: now.addingTimeInterval(9.9)))
        #expect(!service.isUsable(at: now.addingTimeInterval(10)))
        service.brokenUntil = now.addingTimeInterval(5)
        #expect(!service.isUsable(at: now))
        #expect(!service.isUsable(at: now.addingTimeInterval(4.9)))
        #expect(service.isUsable(at: now.addingTimeInterval(5)))
    }

    @Test func aPlaceIsAProtocolAHostAndAPort() {
        #expect(service().isSamePlace(as: service(host: "a.TEST")))
        for other in [service("h3"), service(host: "b.test"), service(port: 444)] {
            #expect(!service().isSamePlace(as: other))
        }
    }

    @Test(
        arguments: [
            ("h2", "a.test", 443, true), ("", "a.test", 443, false), ("h2", "", 443, false), ("h2", "a.test", 0, false),
            ("h2", "a.test", 1, true), ("h2", "a.test", 65_535, true), ("h2", "a.test", 65_536, false),
            ("h2", "a_b-c.9", 1, true), ("h2", "a b", 1, false), ("h2", "a/b", 1, false), ("h2", "[::1]", 1, true),
            ("h2", "[::1]:80", 1, false), ("h2", "[fe80::1%1]", 1, false), ("h2", "[::1", 1, false),
            ("h2", "é", 1, false),
            ("h2", "a@b", 1, false), ("h2", "a`b", 1, false), ("h2", "a{b", 1, false), ("h2", "a:b", 1, false),
        ] as [(String, String, Int, Bool)])
    func aServiceIsValid(_ name: String, _ host: String, _ port: Int, _ isValid: Bool) {
        #expect(service(name, host: host, port: port).isValid == isValid)
    }

    @Test func aHostHasAtMost253Letters() {
        #expect(AlternativeService.isHost(String(repeating: "a", count: 253)))
        #expect(!AlternativeService.isHost(String(repeating: "a", count: 254)))
    }

    @Test func anOfferRemembersWhatWasUsed() {
        let offer = AltSvcOffer([service()], connectTimeout: .seconds(3))
        #expect(offer.used == nil)
        #expect(!offer.hasFailedSent)
        #expect(offer.services.count == 1)
        offer.failedAfterSending()
        #expect(offer.hasFailedSent)
        offer.use(service())
        #expect(offer.used == service())
        #expect(!offer.hasFailedSent)
    }
}

@Suite struct ProxySettingsTests {
    @Test(
        arguments: [
            ("proxy.test:3128", "http://proxy.test:3128", nil, nil),
            ("http://proxy.test", "http://proxy.test:1080", nil, nil),
            ("HTTPS://proxy.test/", "https://proxy.test:443", nil, nil),
            ("socks5://u:p%40x@h:1", "socks5://h:1", "u", "p@x"), ("socks5h://u@h", "socks5h://h:1080", "u", nil),
            ("socks4://[::1]:9", "socks4://[::1]:9", nil, nil), ("socks4a://u:@h", "socks4a://h:1080", "u", ""),
            ("http://u:a:b@h", "http://h:1080", "u", "a:b"),
        ] as [(String, String, String?, String?)])
    func aProxyHasASchemeAHostAndAPort(_ url: String, _ text: String, _ user: String?, _ password: String?) throws {
        let address = try ProxyAddress(url, setting: "proxy")
        #expect(address.text == text)
        #expect(address.user == user)
        #expect(address.password == password)
        #expect(address.scheme.isHTTP == url.lowercased().hasPrefix("http") || url.hasPrefix("proxy"))
    }

    @Test(
        arguments: [
            ("ftp://h:1", "must begin with one of http, https, socks4, socks4a, socks5, socks5h"),
            ("http://h/x", "is a scheme, a host and a port"), ("http://h?a", "is a scheme, a host and a port"),
            ("http://h#a", "is a scheme, a host and a port"), ("http:h", "no usable host"),
            ("http://h:0", "no usable host"), ("http://:80", "no usable host"), ("http://h:x", "no usable host"),
        ] as [(String, String)])
    func anythingElseIsRefused(_ url: String, _ reason: String) {
        let error = #expect(throws: NetError.self) { try ProxyAddress(url, setting: "the proxy") }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.hasPrefix("the proxy: ") == true)
        if url != "http:h" { #expect(error?.message.contains(reason) == true) }
    }

    @Test func schemesOfHTTPAreToldFromSOCKS() {
        #expect(ProxyAddress.Scheme.allCases.filter(\.isHTTP) == [.http, .https])
    }

    @Test func aConfigurationIsDescribedWithoutSecrets() {
        let (one, two) = (ProxyServer("http://u:SECRET@one:1"), ProxyServer("two:2", user: "u", password: "SECRET"))
        #expect(ProxyConfiguration.environment.description == "environment")
        #expect(ProxyConfiguration.none.description == "none")
        #expect(ProxyConfiguration.server(one).description == "http://one:1")
        #expect(ProxyConfiguration.server(one, except: ["a", "b"]).description == "http://one:1 except a, b")
        #expect(
            ProxyConfiguration.servers(http: one, https: two).description
                == "http://one:1 for http, http://two:2 for https")
        #expect(
            ProxyConfiguration.servers(http: one, https: nil).description == "http://one:1 for http, none for https")
        #expect(
            ProxyConfiguration.servers(http: nil, https: two).description == "none for http, http://two:2 for https")
        #expect(ProxyConfiguration.servers(http: nil, https: nil).description == "none")
        #expect(ProxyServer("ftp://x").description == "a proxy with an unusable URL")
        #expect(two.authentication == .basic)
        #expect(!two.tunnelsAlways)
        #expect(two.debugDescription == "http://two:2")
        var text = ""
        dump(two, to: &text)
        dump(one, to: &text)
        #expect(!text.contains("SECRET"))
    }
}

@Suite struct TransportSettingsTests {
    @Test func connectionsHaveDefaults() {
        let standard = ConnectionConfiguration()
        #expect(standard.overrides.isEmpty)
        #expect(standard.unixSockets.isEmpty)
        #expect(standard.dnsOverHTTPS == nil)
        #expect(standard.dnsCacheLife == .seconds(60))
        #expect(standard.fallbackDelay == .milliseconds(200))
        #expect(standard.tcpKeepAlive == .seconds(60))
        #expect(standard.tcpNoDelay)
        #expect(standard.addressFamily == .any)
        #expect(standard.localAddress == nil)
        #expect(standard.localPorts == nil)
    }

    @Test(
        arguments: [
            (UnixSocket.path(""), "the socket has no path"), (.abstract("a\0"), "the socket's path has a zero byte"),
            (.path(String(repeating: "a", count: 107)), nil), (.abstract("a"), nil),
            (
                .path(String(repeating: "a", count: 108)),
                "the socket's path has 108 bytes; the limit is 107"
            ),
        ] as [(UnixSocket, String?)])
    func aSocketsPathFitsIntoAnAddress(_ socket: UnixSocket, _ problem: String?) {
        #expect(socket.problem == problem)
    }

    @Test func aPinIsItsHash() {
        let slashed = "/" + String(repeating: "a", count: 42) + "="
        #expect(slashed.utf8.count == 44)
        #expect(TLSConfiguration.hash(ofPin: "sha256/" + slashed) == slashed)
        #expect(TLSConfiguration.hash(ofPin: "sha256//abc=") == "abc=")
        #expect(TLSConfiguration.hash(ofPin: "sha256/abc=") == "abc=")
        #expect(TLSConfiguration.hash(ofPin: "abc") == "abc")
        #expect(TLSConfiguration.hash(ofPin: "sha256//" + slashed) == slashed)
        let standard = TLSConfiguration()
        #expect(standard.trust == .system)
        #expect(standard.minimumVersion == .tls12)
        #expect(standard.maximumVersion == nil)
        #expect(TLSConfiguration.Version.tls12 < .tls13)
    }

    @Test func aClientsIdentityHidesItsPassPhrase() {
        let identity = TLSConfiguration.ClientIdentity(certificate: .file("c.pem"), passPhrase: "SECRET")
        #expect(identity.description == "certificate in PEM file c.pem, key in PEM file c.pem, pass phrase hidden")
        let other = TLSConfiguration.ClientIdentity(certificate: .file("c.pem"), key: .text("SECRET"))
        #expect(other.debugDescription == "certificate in PEM file c.pem, key in PEM text")
        var text = "\(PEM.text("SECRET").debugDescription)"
        dump([identity, other], to: &text)
        #expect(!text.contains("SECRET"))
    }

    @Test func aFeatureThatIsMissingIsTold() throws {
        let features = TransportFeatures(library: "lib", tlsLibrary: "ssl", features: [.http2, .altSvc])
        #expect(features.contains(.http2))
        #expect(!features.contains(.http3))
        try features.require(.http2, for: "x")
        let error = #expect(throws: NetError.self) { try features.require(.http3, for: "The setting") }
        #expect(error?.code == .unsupported)
        #expect(error?.phase == .preparing)
        #expect(
            error?.message
                == "The setting needs HTTP/3, which this lib was built without; install another build of it")
        #expect(features.description == "lib, ssl: Alt-Svc, HTTP/2")
        #expect(TransportFeatures(library: "lib", tlsLibrary: nil, features: []).description == "lib: ")
    }
}
