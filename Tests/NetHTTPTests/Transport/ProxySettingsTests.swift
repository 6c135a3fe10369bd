#if os(Linux)
import NetCore
import Testing

@testable import NetCurl

@Suite struct ProxySettingsTests {
    private func settings(_ variables: [String: String]) throws -> ProxySettings {
        try ProxySettings(.environment) { variables[$0] }
    }

    @Test func eachSchemeHasItsVariable() throws {
        let settings = try settings([
            "http_proxy": "http://a:1", "HTTPS_PROXY": "http://b:2", "no_proxy": "localhost,.internal",
        ])
        #expect(settings.http?.name == "http://a:1")
        #expect(settings.https?.name == "http://b:2")
        #expect(settings.exceptions == ProxyExceptions("localhost .internal"))
    }

    @Test func oneVariableServesAll() throws {
        let settings = try settings(["ALL_PROXY": "socks5://c:3", "http_proxy": "", "NO_PROXY": "a"])
        #expect(settings.http?.name == "socks5://c:3")
        #expect(settings.https?.name == "socks5://c:3")
        #expect(settings.exceptions == ProxyExceptions("a"))
    }

    @Test func lowerCaseWins() throws {
        let settings = try settings(["https_proxy": "a", "HTTPS_PROXY": "b", "all_proxy": "c", "ALL_PROXY": "d"])
        #expect(settings.http?.name == "http://c:1080")
        #expect(settings.https?.name == "http://a:1080")
    }

    @Test func theUpperCaseFormOfHTTPIsIgnored() throws {
        let settings = try settings(["HTTP_PROXY": "http://evil:1"])
        #expect(settings.http == nil)
        #expect(settings.https == nil)
    }

    @Test func aVariableThatIsNoProxyIsNamed() {
        let error = #expect(throws: NetError.self) { try settings(["ALL_PROXY": "ldap://ann:geheim@c:3"]) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.hasPrefix("the environment's ALL_PROXY: ") == true, "\(error as Any)")
        #expect(error?.description.contains("geheim") == false)
    }
}

@Suite struct ProxyExceptionsTests {
    @Test(arguments: [
        ("example.com", "example.com", 80, true), ("example.com", "www.example.com", 80, true),
        (".example.com", "example.com", 80, true), ("*.example.com", "www.example.com", 80, true),
        ("example.com", "badexample.com", 80, false), ("www.example.com", "example.com", 80, false),
        ("EXAMPLE.com.", "example.com", 80, true), ("a,b  c", "c", 80, true), ("a;b", "b", 80, false),
        ("", "a", 80, false), (",", "a", 80, false), ("*", "anything", 80, true), ("a*", "ab", 80, false),
        ("example.com:8080", "example.com", 8080, true), ("example.com:8080", "example.com", 80, false),
        ("127.0.0.1", "127.0.0.1", 80, true), ("127.0.0.1:81", "127.0.0.1", 80, false),
        ("0.0.1", "127.0.0.1", 80, false),
        ("127.0.0.1", "x.127.0.0.1", 80, false), ("192.168.0.0/16", "192.168.200.3", 80, true),
        ("192.168.0.0/16", "192.169.0.1", 80, false), ("10.1.2.0/23", "10.1.3.255", 80, true),
        ("10.1.2.0/23", "10.1.4.0", 80, false), ("0.0.0.0/0", "8.8.8.8", 80, true),
        ("10.0.0.0/33", "10.0.0.1", 80, false),
        ("10.0.0.0/-1", "10.0.0.1", 80, false), ("10.0.0.0/", "10.0.0.0", 80, false), ("::1", "::1", 80, true),
        ("[::1]", "::1", 80, true), ("[::1]:81", "::1", 81, true), ("[::1]:81", "::1", 80, false),
        ("fd00::/8", "fd12::7", 80, true), ("fd00::/8", "fe80::1", 80, false), ("10.0.0.0/8", "::1", 80, false),
        ("0:0:0:0:0:0:0:1", "::1", 80, true),
    ]) func anEntryIsMatchedAsCurlDoes(list: String, host: String, port: Int, isExcepted: Bool) {
        #expect(ProxyExceptions(list).contains(host, port: port) == isExcepted)
    }
}
#endif
