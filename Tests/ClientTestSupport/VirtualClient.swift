#if Server
import NetHTTP
import NetTesting

/// A client in virtual time, without time-outs of its own: who sleeps on the clock waits for a limit.
func virtual(
    _ clock: TestClock, _ transport: MockTransport, total: Duration? = nil, _ middleware: any Middleware...
) -> HTTPClient {
    HTTPClient(
        configuration: .init(
            baseURL: "http://mock.test", timeouts: Timeouts(firstByte: nil, stall: nil, total: total),
            middleware: middleware, clock: clock.netClock, random: SeededRandom(seed: 1).netRandom),
        transport: transport)
}
#endif
