#if Server
internal import NIOCore
internal import NetTesting

/// One direction of one connection: holds the bytes that arrived until they are due, and then forwards them.
///
/// `@unchecked Sendable`: both channels are on one event loop, and every method runs there.
final class ProxyLane: @unchecked Sendable {
    /// Reading stops when this many bytes are waiting, so that the sender experiences the bandwidth limit as on a real
    /// line.
    private static let maximumWaiting = 1 << 20

    private enum Item {
        case bytes(ByteBuffer)
        case end
    }

    private let source: any Channel
    private let target: any Channel
    private let settings: TCPProxy.Direction
    private let count: (_ passed: Int, _ discarded: Int) -> Void
    private let onCut: () -> Void
    private var items: CircularBuffer<(due: NIODeadline, item: Item)> = []
    private var waiting = 0
    private var passed: Int64 = 0
    /// Until this time, the line is busy with the bytes sent last.
    private var freeAt = NIODeadline.now()
    private var timer: Scheduled<Void>?
    private var isCut = false
    private var isReadHeld = false
    private var isSourceGone = false
    private var isPumping = false

    init(
        from source: any Channel, to target: any Channel, _ settings: TCPProxy.Direction,
        count: @escaping (_ passed: Int, _ discarded: Int) -> Void, onCut: @escaping () -> Void
    ) {
        self.source = source
        self.target = target
        self.settings = settings
        self.count = count
        self.onCut = onCut
    }

    /// Starts reading. A line with a cut at 0 bytes is cut immediately.
    func start() {
        cutIfDue()
        source.read()
    }

    func received(_ buffer: ByteBuffer) {
        guard !isCut else { return count(0, buffer.readableBytes) }
        waiting += buffer.readableBytes
        items.append((.now() + TimeAmount(settings.latency), .bytes(buffer)))
        pump()
    }

    /// The source has ended its output.
    func receivedEnd() {
        guard !isCut else { return }
        items.append((.now() + TimeAmount(settings.latency), .end))
        pump()
    }

    /// Continues reading from the source, or holds the read until enough bytes have been forwarded.
    func readsOn() {
        isReadHeld = waiting >= Self.maximumWaiting
        if !isReadHeld { source.read() }
    }

    /// The source is closed. After an orderly close, the waiting bytes are forwarded first; after a reset, or on a line
    /// that was cut, nothing is forwarded.
    func sourceClosed(isReset: Bool) {
        if isReset || isCut {
            end([target], resets: isReset)
        } else if items.isEmpty {
            target.close(promise: nil)
        } else {
            isSourceGone = true
            receivedEnd()
        }
    }

    // MARK: Passing on

    private func pump() {
        // A write can make the target writable again immediately and reenter this method.
        guard timer == nil, !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        while let first = items.first {
            let due = max(first.due, freeAt)
            guard due <= .now() else {
                timer = source.eventLoop.scheduleTask(deadline: due) {
                    self.timer = nil
                    self.pump()
                }
                break
            }
            switch first.item {
            case .end:
                items.removeFirst()
                target.close(mode: .output, promise: nil)
                if isSourceGone { target.close(promise: nil) }
            case .bytes(var buffer):
                // A full target becomes writable again, or is closed and accepts nothing more.
                guard target.isWritable else { return }
                items.removeFirst()
                passSlice(of: &buffer)
                // After a cut, the rest has already been counted.
                if buffer.readableBytes > 0, !isCut { items.prepend((first.due, .bytes(buffer))) }
            }
        }
        if isReadHeld { readsOn() }
    }

    /// The target accepts bytes again.
    func targetBecameWritable() {
        pump()
    }

    private func passSlice(of buffer: inout ByteBuffer) {
        var size = min(buffer.readableBytes, max(1, settings.sliceBytes ?? .max))
        if let rate = settings.bytesPerSecond {
            // A slice is at most a hundredth of a second, so that a slow line is evenly slow.
            size = min(size, max(1, rate / 100))
            let cost = TimeAmount.nanoseconds(Int64(size) * 1_000_000_000 / Int64(max(1, rate)))
            // Compensates for a late timer, but not for an idle line.
            freeAt = max(freeAt, .now() - .milliseconds(20)) + cost
        }
        if let cut = settings.cut { size = Int(min(Int64(size), cut.afterBytes - passed)) }
        guard let slice = buffer.readSlice(length: size) else { return }
        waiting -= size
        passed += Int64(size)
        count(size, 0)
        target.writeAndFlush(slice, promise: nil)
        cutIfDue()
    }

    private func cutIfDue() {
        guard let cut = settings.cut, !isCut, passed >= cut.afterBytes else { return }
        isCut = true
        onCut()
        count(0, waiting)
        items.removeAll()
        waiting = 0
        guard cut.form != .stall else { return }
        end([target, source], resets: cut.form != .close)
    }

    private func end(_ channels: [any Channel], resets: Bool) {
        source.eventLoop.execute {
            // Configure all of them first: closing one channel closes the other in an orderly way.
            if resets { for channel in channels { channel.willReset() } }
            for channel in channels { channel.closeAbruptly() }
        }
    }
}

extension TimeAmount {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
#endif
