#if os(Linux)
import Testing

@testable import NetCurl

@Suite struct ProxySettingsTests {
    private func settings(_ variables: [String: String]) -> ProxySettings {
        .environment { variables[$0] }
    }

    @Test func eachSchemeHasItsVariable() {
        let settings = settings([
            "http_proxy": "http://a:1", "HTTPS_PROXY": "http://b:2", "no_proxy": "localhost,.internal",
        ])
        #expect(settings == ProxySettings(http: "http://a:1", https: "http://b:2", exceptions: "localhost,.internal"))
    }

    @Test func oneVariableServesAll() {
        #expect(
            settings(["ALL_PROXY": "socks5://c:3"])
                == ProxySettings(http: "socks5://c:3", https: "socks5://c:3", exceptions: ""))
    }

    @Test func theUpperCaseFormOfHTTPIsIgnored() {
        #expect(settings(["HTTP_PROXY": "http://evil:1"]) == .none)
    }
}
#endif
