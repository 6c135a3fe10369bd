/// The last pushes of a channel on a server. A client that returns receives the pushes that it missed, or is notified
/// that they aren't available. Pure.
///
/// Offsets count up from 1 within an epoch. A server that loses the history starts a new epoch, so that an offset of
/// the old one is invalid.
package struct ChannelHistory: Sendable {
    package let epoch: String
    /// The maximum number of pushes.
    package let maximumCount: Int
    /// The maximum total size of their payloads and names, in bytes.
    package let maximumBytes: Int
    /// The offset of the last push.
    package private(set) var offset: UInt64 = 0
    private var pushes: [WirePush] = []
    private var head = 0
    private var bytes = 0

    package init(epoch: String, maximumCount: Int, maximumBytes: Int) {
        self.epoch = epoch
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    /// The position of a client that has received everything.
    package var position: ChannelPosition { ChannelPosition(epoch: epoch, offset: offset) }

    /// Keeps a push, and returns it with its offset.
    package mutating func append(_ push: WirePush) -> WirePush {
        offset += 1
        var push = push
        push.offset = offset
        pushes.append(push)
        bytes += Self.size(push)
        while head < pushes.count, pushes.count - head > maximumCount || bytes > maximumBytes {
            bytes -= Self.size(pushes[head])
            head += 1
        }
        if head > 64, head > pushes.count / 2 {
            pushes.removeFirst(head)
            head = 0
        }
        return push
    }

    /// Returns the pushes after a position, in order; nil if some of them aren't available, or if the position is of
    /// another epoch.
    package func pushes(after position: ChannelPosition) -> [WirePush]? {
        guard position.epoch == epoch, position.offset <= offset else { return nil }
        let missed = Int(offset - position.offset)
        guard missed <= pushes.count - head else { return nil }
        return Array(pushes.suffix(missed))
    }

    private static func size(_ push: WirePush) -> Int { push.event.utf8.count + (push.payload?.count ?? 0) }
}
