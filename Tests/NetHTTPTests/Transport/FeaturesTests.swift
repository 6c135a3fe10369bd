#if os(Linux)
import CCurl
import NetHTTP
import Testing

@testable import NetCurl

@Suite struct FeaturesTests {
    @Test func theLibraryIsDescribed() {
        let features = CurlTransport.features
        #expect(features.library.hasPrefix("libcurl 7.") || features.library.hasPrefix("libcurl 8."))
        #expect(features.contains(.tls))
        #expect(features.contains(.http2))
        #expect(features.contains(.unixSockets))
        #expect(features.description.hasPrefix(features.library + ", " + (features.tlsLibrary ?? "")))
        #expect(features.description.contains("HTTP/2"))
        #expect(!features.description.contains("Feature("))
    }

    private func settings(
        without feature: TransportFeatures.Feature, proxy: ProxyConfiguration = .none,
        version: EngineConfiguration.Version = .http2OverTLS,
        _ change: (inout ConnectionConfiguration) -> Void = { _ in }
    ) throws -> ConnectionSettings {
        var features = CurlFeatures.current
        features.features.remove(feature)
        var connection = ConnectionConfiguration()
        change(&connection)
        return try ConnectionSettings(
            tls: TLSConfiguration(), proxy: proxy, connection: connection, version: version, features: features)
    }

    private func expectUnsupported(
        _ feature: TransportFeatures.Feature, _ setting: String, _ make: () throws -> ConnectionSettings
    ) {
        let error = #expect(throws: NetError.self) { try make() }
        #expect(error?.code == .unsupported)
        #expect(error?.phase == .preparing)
        #expect(error?.message.hasPrefix(setting) == true)
        #expect(error?.message.contains(feature.rawValue) == true)
        #expect(error?.message.contains(CurlTransport.features.library) == true)
    }

    @Test func settingsForMissingFeaturesAreRejected() throws {
        expectUnsupported(.unixSockets, "connection.unixSockets") {
            try settings(without: .unixSockets) { $0.unixSockets = ["a": .path("/a")] }
        }
        expectUnsupported(.ipv6, "connection.addressFamily") {
            try settings(without: .ipv6) { $0.addressFamily = .ipv6 }
        }
        expectUnsupported(.http2, "version .http2PriorKnowledge") {
            try settings(without: .http2, version: .http2PriorKnowledge)
        }
        expectUnsupported(.httpsProxy, "the proxy https://proxy:443") {
            try settings(without: .httpsProxy, proxy: .server(ProxyServer("https://proxy")))
        }
        var proxy = ProxyServer("http://proxy")
        proxy.authentication = .negotiate
        expectUnsupported(.negotiate, "negotiation with the proxy http://proxy:1080") {
            try settings(without: .negotiate, proxy: .server(proxy))
        }
        // These settings don't use the feature.
        for feature in [TransportFeatures.Feature.unixSockets, .ipv6, .http2, .httpsProxy, .negotiate] {
            _ = try settings(without: feature)
        }
    }

    @Test func anOptionThatLibcurlDoesNotKnowIsNoSilence() throws {
        let raw = try #require(curl_easy_init())
        defer { curl_easy_cleanup(raw) }
        var writer = EasyWriter(raw)
        writer.set(CURLoption(rawValue: 9999), 1, "tls.example")
        #expect(writer.problem?.code == .unsupported)
        #expect(writer.problem?.message.hasPrefix("tls.example ") == true)
    }
}
#endif
