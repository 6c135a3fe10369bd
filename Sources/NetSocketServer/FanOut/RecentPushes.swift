#if Server
internal import NetSocketCore

/// The last pushes of a topic, with consecutive offsets.
///
/// Unlike `ChannelHistory`, which also counts the offsets and has fixed limits, the limits here may change with each
/// push, and counting continues when the pushes have expired.
struct RecentPushes: Sendable {
    private var pushes: [WirePush] = []
    private var head = 0
    private(set) var bytes = 0

    var count: Int { pushes.count - head }
    var isEmpty: Bool { count == 0 }
    var all: [WirePush] { Array(pushes[head...]) }

    /// Returns the last pushes, or all of them if there are fewer.
    func last(_ number: UInt64) -> [WirePush] {
        number >= UInt64(count) ? all : Array(pushes.suffix(Int(number)))
    }

    mutating func keep(_ push: WirePush, _ retention: FanOutRetention) {
        if retention.count > 0, retention.time > .zero {
            pushes.append(push)
            bytes += Self.size(push)
            trim(to: retention.count, retention.bytes)
        } else if !isEmpty {
            self = RecentPushes()
        }
    }

    mutating func trim(to maximumCount: Int, _ maximumBytes: Int) {
        while head < pushes.count, count > maximumCount || bytes > maximumBytes {
            bytes -= Self.size(pushes[head])
            // Otherwise the payload would stay in memory until the next compaction.
            pushes[head].payload = nil
            head += 1
        }
        if head == pushes.count {
            pushes.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 64, head > pushes.count / 2 {
            pushes.removeFirst(head)
            head = 0
        }
    }

    static func size(_ push: WirePush) -> Int { push.event.utf8.count + (push.payload?.count ?? 0) }
}
#endif
