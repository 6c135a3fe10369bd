#if Server
import NetCore
import NetHTTP
import NetTesting
import Testing

/// The behavior of every transport, checked with libcurl's and with the one without a network.
@Suite(.timeLimit(.minutes(2))) struct TransportContractTests {
    private static let curl = TransportSubject(make: { pem in
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        if let pem { configuration.tls.trust = .authorities(.text(pem)) }
        return CurlTransport(configuration: configuration)
    })

    @Test(arguments: curl.rules) func libcurlKeepsTheRules(rule: TransportRule) async throws {
        try await rule.check(Self.curl)
    }

    @Test(arguments: TransportSubject.mock.rules) func theMockKeepsTheRules(rule: TransportRule) async throws {
        try await rule.check(.mock)
    }
}
#endif
