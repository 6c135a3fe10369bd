#if os(Linux)
import NetCore
import NetCurl
import Testing

@testable import NetHTTP

/// The settings passed to the engine.
@Suite struct CurlSettingsTests {
    @Test func settingsHaveDefaults() throws {
        let configuration = CurlTransport.Configuration()
        #expect(configuration.maximumExpansion == 250)
        #expect(configuration.maximumTransfers == 1024)
        let engine = try configuration.engine()
        #expect(engine.maximumTransfers == 1024)
        #expect(engine.streamBuffer == 1_048_576)
        #expect(engine.receiveWindow == 1_048_576)
        #expect(engine.idleConnectionLife == .seconds(90))
        #expect(engine.connectionLife == nil)
        #expect(engine.headLimits.bytes == 262_144)
        #expect(engine.headLimits.interimResponses == 64)
        #expect(engine.version == .http2OverTLS)
        #expect(engine.maximumConnectionsPerHost == nil)
    }

    @Test func settingsHaveLeastValues() throws {
        for (value, transfers, buffer, bytes, responses) in [
            (-1, 1, 65_536, 1024, 0), (0, 1, 65_536, 1024, 0), (1, 1, 65_536, 1024, 1),
            (1025, 1025, 65_536, 1025, 1025),
            (65_537, 65_537, 65_537, 65_537, 65_537),
        ] {
            var configuration = CurlTransport.Configuration()
            (configuration.maximumTransfers, configuration.streamBuffer, configuration.receiveWindow) = (
                value, value, value
            )
            (configuration.maximumHeaderBytes, configuration.maximumInterimResponses) = (value, value)
            let engine = try configuration.engine()
            #expect(engine.maximumTransfers == transfers, "\(value)")
            #expect(engine.streamBuffer == buffer, "\(value)")
            #expect(engine.receiveWindow == buffer, "\(value)")
            #expect(engine.headLimits.bytes == bytes, "\(value)")
            #expect(engine.headLimits.interimResponses == responses, "\(value)")
        }
    }
}
#endif
