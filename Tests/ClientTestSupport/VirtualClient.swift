#if Server
import NetHTTP
import NetTesting

/// Returns a client in virtual time, without its own timeouts, so that any task sleeping on the clock waits for a
/// limit.
func virtual(
    _ clock: TestClock, _ transport: MockTransport, total: Duration? = nil, _ middleware: any Middleware...
) -> HTTPClient {
    HTTPClient(baseURL: "http://mock.test", transport: transport) {
        $0.timeouts = Timeouts(firstByte: nil, stall: nil, total: total)
        $0.middleware = middleware
        $0.clock = clock.netClock
        $0.random = SeededRandom(seed: 1).netRandom
    }
}
#endif
