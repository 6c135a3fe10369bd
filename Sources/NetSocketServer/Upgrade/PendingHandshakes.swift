#if Server
internal import NIOCore
internal import Synchronization

/// The channels that haven't sent a handshake yet, the oldest first. Channels that stay silent make room for new ones.
final class PendingHandshakes: Sendable {
    private struct State {
        var numbers: [ObjectIdentifier: UInt64] = [:]
        var channels: [UInt64: any Channel] = [:]
        var oldest: UInt64 = 1
        var last: UInt64 = 0
    }

    private let maximumCount: Int
    private let state = Mutex(State())

    init(_ maximumCount: Int?) {
        self.maximumCount = max(1, maximumCount ?? .max)
    }

    var count: Int { state.withLock { $0.channels.count } }

    /// Adds a channel. Returns the channel that has to be closed to make room for it.
    func add(_ channel: any Channel) -> (any Channel)? {
        state.withLock { state in
            state.last += 1
            state.numbers[ObjectIdentifier(channel)] = state.last
            state.channels[state.last] = channel
            guard state.channels.count > maximumCount else { return nil }
            while state.channels[state.oldest] == nil { state.oldest += 1 }
            let oldest = state.channels.removeValue(forKey: state.oldest)
            if let oldest { state.numbers[ObjectIdentifier(oldest)] = nil }
            return oldest
        }
    }

    /// Removes a channel that has sent its handshake or is closed.
    func remove(_ channel: any Channel) {
        state.withLock { state in
            guard let number = state.numbers.removeValue(forKey: ObjectIdentifier(channel)) else { return }
            state.channels[number] = nil
        }
    }
}
#endif
