internal import NetCore
internal import NetRecord

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// When a recording is too old, and when a new one is worse.
enum RecordingAge {
    /// How long ago the oldest exchange was recorded; nil for an empty cassette.
    static func age(of cassette: Cassette, on clock: NetClock) -> Duration? {
        cassette.exchanges.map(\.recordedAt).min().map { .seconds(clock.date().timeIntervalSince($0)) }
    }

    /// Whether an answer of today must not take the place of the recorded one: the server is overloaded or broken, and was
    /// not then.
    static func isWorse(_ status: Int, than recorded: CapturedExchange?) -> Bool {
        guard let old = recorded?.response?.status.code else { return false }
        return isRefusal(status) && !isRefusal(old)
    }

    private static func isRefusal(_ status: Int) -> Bool { status >= 500 || status == 429 }

    /// How many exchanges failed, or have bodies or WebSockets that broke off or do not fit.
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

    /// False where only its reader left.
    private static func isBroken(_ failure: CapturedExchange.Failure) -> Bool {
        failure.code != NetError.Code.cancelled.rawValue
    }
}
