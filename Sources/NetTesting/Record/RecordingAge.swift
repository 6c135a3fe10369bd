internal import NetCore
internal import NetRecord

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Decides whether a recording is too old, and whether a new one is worse.
enum RecordingAge {
    /// Returns the age of the oldest exchange; nil for an empty cassette.
    static func age(of cassette: Cassette, on clock: NetClock) -> Duration? {
        cassette.exchanges.map(\.recordedAt).min().map { .seconds(clock.date().timeIntervalSince($0)) }
    }

    /// Indicates whether a new response must not replace the recorded one: the server is overloaded or broken now, but
    /// wasn't then.
    static func isWorse(_ status: Int, than recorded: CapturedExchange?) -> Bool {
        guard let old = recorded?.response?.status.code else { return false }
        return isRefusal(status) && !isRefusal(old)
    }

    private static func isRefusal(_ status: Int) -> Bool { status >= 500 || status == 429 }

    /// The number of exchanges that failed, or whose body or WebSocket broke off or was truncated.
    static func defects(in exchanges: [CapturedExchange]) -> Int {
        exchanges.count { exchange in
            guard let response = exchange.response else { return true }
            if let socket = response.socket {
                guard case .failed(let failure) = socket.ending else { return socket.isCut }
                return isBroken(failure)
            }
            return response.body.isCut || response.body.failure.map(isBroken) ?? false
        }
    }

    /// False if only the consumer stopped reading.
    private static func isBroken(_ failure: CapturedExchange.Failure) -> Bool {
        failure.code != NetError.Code.cancelled.rawValue
    }
}
