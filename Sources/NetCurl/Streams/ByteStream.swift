#if os(Linux)
internal import CCurl
internal import Glibc
package import NetCore

/// A handler of a byte stream's events. Every function is called on the loop's thread and must not block.
package protocol ByteStreamHandler: AnyObject, Sendable {
    /// Called when the connection is established, including the proxy's tunnel and TLS.
    func streamIsOpen(_ stream: ByteStream)
    /// Called when bytes, the end or an error can be read. Edge-triggered: read until
    /// ``ByteStream/ReadOutcome/wouldBlock``, or remember that there is more. `isEnding` is true if the peer has closed
    /// its side or the connection has failed.
    func streamIsReadable(_ stream: ByteStream, isEnding: Bool)
    /// Called when the kernel has room again after ``ByteStream/WriteOutcome/wouldBlock``.
    func streamIsWritable(_ stream: ByteStream)
    /// Called after ``ByteStream/signal()``.
    func streamWasSignalled(_ stream: ByteStream)
    /// Called when the time of ``ByteStream/setDeadline(after:)`` has passed. The deadline is already cleared.
    func streamDeadlinePassed(_ stream: ByteStream)
    /// Called before the connection is closed. The descriptor is closed after this returns, so writes on other threads
    /// must have stopped by then.
    func streamWillClose(_ stream: ByteStream)
    /// Called if the connection can't be established, or the loop ends. The stream is already closed; nothing else is
    /// called.
    func streamDidFail(_ stream: ByteStream, _ error: NetError)
}

/// A raw connection on the loop, which libcurl establishes: name resolution, addresses, proxy, TLS.
///
/// Without TLS, the stream takes over the descriptor when it's connected, so that it needs no libcurl handle and can be
/// written from any thread. With TLS, libcurl keeps the connection, and everything happens on the loop's thread.
///
/// Writers on other threads read `descriptor` and `easy` under their owner's lock. Both change only before the owner is
/// notified that the stream is open, and after it's notified that the stream closes.
///
/// `@unchecked Sendable`: variables belong to the loop's thread; those that writers read don't change while it's open.
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

    /// The destination of a stream.
    package struct Target: Sendable {
        package var isSecure: Bool
        /// Host and port, as in a URL.
        package var authority: String
        package var connectTimeout: Duration?

        package init(isSecure: Bool, authority: String, connectTimeout: Duration?) {
            self.isSecure = isSecure
            self.authority = authority
            self.connectTimeout = connectTimeout
        }
    }

    package let target: Target
    /// The call that opens the stream; nil once the owner has released it.
    package private(set) var context: CallContext?
    let handler: any ByteStreamHandler
    private let loop: EventLoop

    // Used on the loop's thread.
    unowned(unsafe) var core: LoopCore?
    /// libcurl's handle: while connecting, and with TLS until the stream is closed.
    var easy: StreamHandle?
    var multi: MultiHandle?
    var descriptor: CInt = -1
    /// True if TCP is connected.
    var isConnected = false
    package internal(set) var isOpen = false
    package internal(set) var isClosed = false
    /// The error if the connection couldn't be established or the loop ended; nil otherwise.
    package internal(set) var failure: NetError?
    /// The TLS record with the bytes that haven't been sent yet.
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

    /// True if ``write(_:)`` may be called on other threads, while the owner keeps the loop from closing the stream.
    package var isWritableAnywhere: Bool { easy == nil }

    // MARK: Any thread

    /// Makes the loop call ``ByteStreamHandler/streamWasSignalled(_:)``.
    package func signal() {
        loop.post(.signal(self))
    }

    // MARK: Loop thread

    /// The time at which this turn of the loop began, on the monotonic clock; zero before the stream is opened.
    package var now: Duration { .nanoseconds(Int64(clamping: core?.now ?? 0)) }

    /// The address and port of the peer, such as `127.0.0.1:80` or `[::1]:80`; nil if the stream isn't connected.
    package var peerAddress: String? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var (host, port) = ([CChar](repeating: 0, count: 1025), [CChar](repeating: 0, count: 32))
        let isKnown = withUnsafeMutableBytes(of: &address) { bytes -> Bool in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                getpeername(descriptor, base, &size) == 0
            else { return false }
            return getnameinfo(
                base, size, &host, socklen_t(host.count), &port, socklen_t(port.count), NI_NUMERICHOST | NI_NUMERICSERV)
                == 0
        }
        guard isKnown, address.ss_family != sa_family_t(AF_UNIX) else { return nil }
        let name = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let number = String(decoding: port.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.contains(":") ? "[\(name)]:\(number)" : "\(name):\(number)"
    }

    /// Releases the opening call. Later errors don't contain the call.
    package func forgetContext() { context = nil }

    /// Returns an error, with the opening call if it hasn't been released.
    func error(_ code: NetError.Code, phase: NetError.Phase, message: String) -> NetError {
        context?.error(code, phase: phase, message: message) ?? NetError(code, phase: phase, message: message)
    }

    /// The current phase of the connection.
    package var phase: NetError.Phase {
        if isOpen { return .waiting }
        guard let core, let easy else { return .queued }
        return core.connectPhase(of: easy.raw, by: easy.route, isSecure: target.isSecure, isConnected: isConnected)
    }

    /// Sets the time until ``ByteStreamHandler/streamDeadlinePassed(_:)`` is called, counted from the start of this
    /// turn; nil for never.
    package func setDeadline(after duration: Duration?) {
        guard !isClosed, let core else { return }
        deadlineTime = duration.map { core.now &+ UInt64(clamping: max(0, $0.inNanoseconds)) } ?? .max
        core.deadlineChanged(self)
    }

    /// The deadline in nanoseconds of the monotonic clock; `.max` for none.
    var deadline: UInt64 { deadlineTime }

    func forgetDeadline() { deadlineTime = .max }

    /// Reads the bytes that have arrived, at most as many as the buffer holds.
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

    /// Writes as many bytes as the kernel accepts.
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

    /// Writes bytes through TLS. As libcurl configures OpenSSL, a write that would block must be repeated from the same
    /// address: bytes are copied, one TLS record at a time, and keep their address until they're sent.
    private func writeEncrypted(_ bytes: UnsafeRawBufferPointer, _ easy: StreamHandle) -> WriteOutcome {
        if let outcome = flushRecord(easy) { return outcome }
        guard let core else { return .failed("the connection is closed") }
        record = core.takeRecord()
        record?.fill(bytes)
        let taken = record?.count ?? 0
        if case .failed(let text) = flushRecord(easy) { return .failed(text) }
        return .bytes(taken)
    }

    /// Sends the rest of the pending record; returns nil if nothing is left.
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

    /// Sends the pending record, then notifies the handler that the kernel has room.
    func becameWritable() {
        if let easy, case .wouldBlock = flushRecord(easy) { return }
        handler.streamIsWritable(self)
    }

    /// Closes the connection immediately; nothing is called afterward.
    package func close() {
        core?.close(self)
    }

    private static func systemText() -> String { String(cString: strerror(errno)) }
}
#endif
