import NetCore
import Testing

@Suite struct TransportSecretsTests {
    private func texts(of value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) \(String(reflecting: value)) \(dumped)"
    }

    @Test func passwordsKeysAndPassPhrasesAreNeverPrinted() {
        let key = PEM.text("-----BEGIN PRIVATE KEY-----geheim")
        var tls = TLSConfiguration()
        tls.trust = .systemAnd(key)
        tls.identity = .init(certificate: key, key: key, passPhrase: "geheim")
        var proxy = ProxyServer("http://ann:geheim@proxy:1", user: "bob-geheim", password: "geheim")
        proxy.tls = tls
        let values: [Any] = [
            key, tls, tls.identity as Any, proxy, ProxyServer("geheim://u:geheim@proxy"), [proxy],
            ProxyConfiguration.server(proxy), ProxyConfiguration.servers(http: nil, https: proxy, except: ["a"]),
            (tls, proxy),
        ]
        for value in values { #expect(!texts(of: value).contains("geheim"), "\(type(of: value))") }
    }

    @Test func settingsAreDescribedWithoutSecrets() {
        let proxy = ProxyServer("ann:geheim@proxy")
        #expect(proxy.description == "http://proxy:1080")
        #expect(ProxyServer("https://proxy").description == "https://proxy:443")
        #expect(ProxyConfiguration.environment.description == "environment")
        #expect("\(ProxyConfiguration.none)" == "none")
        #expect(ProxyConfiguration.server(proxy, except: ["a", "b"]).description == "http://proxy:1080 except a, b")
        #expect(
            ProxyConfiguration.servers(http: proxy, https: nil).description
                == "http://proxy:1080 for http, none for https")
        #expect(PEM.file("/a").description == "PEM file /a")
        #expect(PEM.text("x").description == "PEM text")
        let identity = TLSConfiguration.ClientIdentity(certificate: .file("/a"), key: .text("k"), passPhrase: "p")
        #expect(identity.description == "certificate in PEM file /a, key in PEM text, pass phrase hidden")
    }
}

@Suite struct ProxyAddressTests {
    @Test func theURLIsTakenApart() throws {
        let full = try ProxyAddress("SOCKS5H://an%40n:p%3Aw:x@[::1]:9050/", setting: "proxy")
        #expect(full.scheme == .socks5h)
        #expect(full.host == "[::1]")
        #expect(full.port == 9050)
        #expect(full.user == "an@n")
        #expect(full.password == "p:w:x")
        #expect(full.text == "socks5h://[::1]:9050")
        let bare = try ProxyAddress("proxy:3128", setting: "proxy")
        #expect(bare.text == "http://proxy:3128")
        #expect(bare.user == nil)
        #expect(bare.password == nil)
        let user = try ProxyAddress("http://ann@proxy", setting: "proxy")
        #expect(user.user == "ann")
        #expect(user.password == nil)
        #expect(user.port == 1080)
    }

    @Test(arguments: [
        "", "://", "http://", "http://:80", "ftp://a", "http://a:0", "http://a:b", "http://a/b", "http://a?b",
        "http://a#b",
        "http://a b", "http://u:geheim@", "socks://a",
    ]) func invalidProxyAddressesAreRejected(url: String) {
        let error = #expect(throws: NetError.self) { try ProxyAddress(url, setting: "proxy") }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.hasPrefix("proxy: ") == true)
        #expect(error?.message.contains("geheim") == false)
    }
}
