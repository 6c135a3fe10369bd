#if os(Linux)
internal import CCurl
internal import Glibc
package import NetCore

/// What hears of a byte stream. Every function is called on the loop's thread and must not block.
package protocol ByteStreamHandler: AnyObject, Sendable {
    /// The connection stands: TCP, the proxy's tunnel, TLS.
    func streamIsOpen(_ stream: ByteStream)
    /// Bytes, the end or an error can be read. Edge-triggered: read until ``ByteStream/ReadOutcome/wouldBlock``, or
    /// remember that there is more. `isEnding` says that the peer's end is among it.
    func streamIsReadable(_ stream: ByteStream, isEnding: Bool)
    /// The kernel has room again after ``ByteStream/WriteOutcome/wouldBlock``.
    func streamIsWritable(_ stream: ByteStream)
    /// Somebody called ``ByteStream/signal()``.
    func streamWasSignalled(_ stream: ByteStream)
    /// ``ByteStream/deadline`` passed; it is nil again.
    func streamDeadlinePassed(_ stream: ByteStream)
    /// The descriptor is closed when this returns: whoever writes on another thread must have stopped then.
    func streamWillClose(_ stream: ByteStream)
    /// The connection could not be made, or the loop ends. The stream is closed already; nothing else is called.
    func streamDidFail(_ stream: ByteStream, _ error: NetError)
}

/// A raw connection on the loop, made by libcurl: names, addresses, proxy, TLS.
///
/// Without TLS the descriptor is ours as soon as it is connected, so that a stream costs no libcurl handle and may be
/// written from any thread. With TLS libcurl holds the connection, and everything happens on the loop's thread.
///
/// `@unchecked Sendable`: the constants are Sendable; every variable is touched on the loop's thread alone, but for
/// `descriptor` and `easy`, which a writer reads under its owner's lock: they change before the owner hears that the stream
/// is open, and again only after it was told that the stream closes.
package final class ByteStream: @unchecked Sendable {
    package enum ReadOutcome {
        case bytes(Int)
        case wouldBlock, end
        case failed(String)
    }

    package enum WriteOutcome {
        case bytes(Int)
        case wouldBlock
        case failed(String)
    }

    /// Where to connect.
    package struct Target: Sendable {
        package var isSecure: Bool
        /// Host and port as they stand in a URL.
        package var authority: String
        package var connectTimeout: Duration?

        package init(isSecure: Bool, authority: String, connectTimeout: Duration?) {
            self.isSecure = isSecure
            self.authority = authority
            self.connectTimeout = connectTimeout
        }
    }

    package let target: Target
    package let context: CallContext
    let handler: any ByteStreamHandler
    private let loop: EventLoop

    // The loop's own.
    unowned(unsafe) var core: LoopCore?
    /// libcurl's handle: while connecting, and for life with TLS.
    var easy: StreamHandle?
    var multi: MultiHandle?
    var descriptor: CInt = -1
    /// Whether TCP stands.
    var isConnected = false
    package internal(set) var isOpen = false
    package internal(set) var isClosed = false
    /// Why the connection could not be made, or that the loop ends; nil otherwise.
    package internal(set) var failure: NetError?
    /// The part of a TLS record that could not be sent yet.
    private var record: TLSRecord?
    var liveIndex = -1
    var timedIndex = -1
    private var deadlineTime: UInt64 = .max

    init(target: Target, context: CallContext, handler: any ByteStreamHandler, loop: EventLoop) {
        self.target = target
        self.context = context
        self.handler = handler
        self.loop = loop
    }

    /// Whether ``write(_:)`` may be called on other threads, while the owner keeps the loop from closing the stream.
    package var isWritableAnywhere: Bool { easy == nil }

    // MARK: Any thread

    /// Asks the loop to call ``ByteStreamHandler/streamWasSignalled(_:)``.
    package func signal() {
        loop.post(.signal(self))
    }

    // MARK: Loop thread

    /// How far the connection has come.
    package var phase: NetError.Phase {
        if isOpen { return .waiting }
        guard let core, let easy else { return .queued }
        return core.connectPhase(of: easy.raw, by: easy.route, isSecure: target.isSecure, isConnected: isConnected)
    }

    /// When ``ByteStreamHandler/streamDeadlinePassed(_:)`` is called, counted from the start of this turn; nil for never.
    package func setDeadline(after duration: Duration?) {
        guard !isClosed, let core else { return }
        deadlineTime = duration.map { core.now &+ UInt64(clamping: max(0, $0.inNanoseconds)) } ?? .max
        core.deadlineChanged(self)
    }

    /// In nanoseconds of the monotonic clock; `.max` for none.
    var deadline: UInt64 { deadlineTime }

    func forgetDeadline() { deadlineTime = .max }

    /// Takes what has arrived, at most the buffer's size.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        guard isOpen, let base = buffer.baseAddress else { return .end }
        if let easy {
            var count = 0
            let code = curl_easy_recv(easy.raw, base, buffer.count, &count)
            if code == CURLE_OK { return count > 0 ? .bytes(count) : .end }
            return code == CURLE_AGAIN ? .wouldBlock : .failed(easy.text(for: code))
        }
        while true {
            let count = recv(descriptor, base, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            if errno == EINTR { continue }
            return errno == EAGAIN ? .wouldBlock : .failed(Self.systemText())
        }
    }

    /// Gives bytes to the kernel, as many as it takes.
    package func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        guard descriptor >= 0, let base = bytes.baseAddress else { return .failed("the connection is closed") }
        if let easy { return writeEncrypted(bytes, easy) }
        while true {
            let count = send(descriptor, base, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .bytes(count) }
            if errno == EINTR { continue }
            return errno == EAGAIN ? .wouldBlock : .failed(Self.systemText())
        }
    }

    /// OpenSSL, as libcurl sets it up, takes a write that would block again only from the same address: what goes to it
    /// is copied, a TLS record at a time, and stays where it is until it is gone.
    private func writeEncrypted(_ bytes: UnsafeRawBufferPointer, _ easy: StreamHandle) -> WriteOutcome {
        if let outcome = flushRecord(easy) { return outcome }
        guard let core else { return .failed("the connection is closed") }
        record = core.takeRecord()
        record?.fill(bytes)
        let taken = record?.count ?? 0
        if case .failed(let text) = flushRecord(easy) { return .failed(text) }
        return .bytes(taken)
    }

    /// Sends what is left of the record that waits; nil when nothing is left.
    private func flushRecord(_ easy: StreamHandle) -> WriteOutcome? {
        while let record, record.count > 0 {
            var count = 0
            let code = curl_easy_send(easy.raw, record.base + record.start, record.count, &count)
            if code == CURLE_AGAIN { return .wouldBlock }
            if code != CURLE_OK { return .failed(easy.text(for: code)) }
            record.start += count
        }
        if let record = record.take() { core?.giveBack(record) }
        return nil
    }

    /// The kernel has room: sends what waits here before the handler hears of it.
    func becameWritable() {
        if let easy, case .wouldBlock = flushRecord(easy) { return }
        handler.streamIsWritable(self)
    }

    /// Closes the connection at once; nothing is called afterwards.
    package func close() {
        core?.close(self)
    }

    private static func systemText() -> String { String(cString: strerror(errno)) }
}
#endif
