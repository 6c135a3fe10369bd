#if Server
internal import NIOCore
internal import NetTesting

/// One direction of one connection: holds what has arrived until its time has come, and passes it on.
///
/// `@unchecked Sendable`: both channels are on one event loop, and every method runs there.
final class ProxyLane: @unchecked Sendable {
    /// Reading stops while so much waits: the sender feels the bandwidth as it would on a real line.
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
    /// Before then the line is busy with what was sent last.
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

    /// Begins to read. A line that lets no byte pass is cut from the beginning.
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

    /// The source sends nothing more.
    func receivedEnd() {
        guard !isCut else { return }
        items.append((.now() + TimeAmount(settings.latency), .end))
        pump()
    }

    /// Whether the source may be read on; if not, it is as soon as there is room.
    func readsOn() {
        isReadHeld = waiting >= Self.maximumWaiting
        if !isReadHeld { source.read() }
    }

    /// The source is gone. In order, what waits is passed on first; after a reset nothing is, and a line that was cut
    /// has nothing to pass.
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
        // A write can make the target writable again at once, and come back here.
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
                // What is full becomes writable again, or is closed and takes nothing more.
                guard target.isWritable else { return }
                items.removeFirst()
                passSlice(of: &buffer)
                // A cut has counted what it left over.
                if buffer.readableBytes > 0, !isCut { items.prepend((first.due, .bytes(buffer))) }
            }
        }
        if isReadHeld { readsOn() }
    }

    /// The target takes bytes again.
    func targetBecameWritable() {
        pump()
    }

    private func passSlice(of buffer: inout ByteBuffer) {
        var size = min(buffer.readableBytes, max(1, settings.sliceBytes ?? .max))
        if let rate = settings.bytesPerSecond {
            // A slice is a hundredth of a second at most, so that a slow line is slow evenly.
            size = min(size, max(1, rate / 100))
            let cost = TimeAmount.nanoseconds(Int64(size) * 1_000_000_000 / Int64(max(1, rate)))
            // A late timer is made up for, but not a line that was idle.
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
            // All of them first: the end of one closes the other in order.
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
