#if os(Linux)
internal import CCurl
internal import Glibc

/// What the loop knows of one descriptor.
struct SocketState {
    /// What epoll watches now, and what libcurl wants watched.
    var registered: UInt32 = 0
    var wanted: UInt32 = 0
    /// Whether the reader sleeps. libcurl 8.5 goes on to watch the connection of an HTTP/1 transfer that was paused, and
    /// reads it into memory: 64 MiB, then the transfer fails.
    var isHeld = false
    /// Whether its connection has answered by HTTP/1, where nothing comes that was not asked for.
    var isHTTP1 = false
    /// What epoll should watch.
    var watched: UInt32 { isHeld ? wanted & ~EPOLLIN.rawValue : wanted }
    unowned(unsafe) var multi: MultiHandle?
    /// Whose socket it is, where libcurl is not asked.
    unowned(unsafe) var stream: ByteStream?
}

extension LoopCore {
    /// libcurl says what it wants to hear of; true when it waits for words where it waited for a connection. The
    /// registration stays across keep-alive; `closeSocket` drops it.
    func watch(_ descriptor: CInt, _ what: CInt, for multi: MultiHandle) -> Bool {
        while sockets.count <= Int(descriptor) { sockets.append(SocketState()) }
        var wanted: UInt32 = 0
        if what != CURL_POLL_REMOVE {
            if what & CURL_POLL_IN != 0 { wanted |= EPOLLIN.rawValue }
            if what & CURL_POLL_OUT != 0 { wanted |= EPOLLOUT.rawValue }
        }
        let isConnected = sockets[Int(descriptor)].wanted == EPOLLOUT.rawValue && wanted & EPOLLIN.rawValue != 0
        sockets[Int(descriptor)].wanted = wanted
        sockets[Int(descriptor)].multi = multi
        if wanted == 0, sockets[Int(descriptor)].isHTTP1 { unwatched.append(descriptor) }
        let watched = sockets[Int(descriptor)].watched
        if watched != 0 { register(descriptor, watched) }
        return isConnected
    }

    /// Stops and goes on to look for bytes, for a reader that sleeps and wakes.
    private func hold(_ descriptor: CInt, _ isHeld: Bool) {
        guard sockets.indices.contains(Int(descriptor)), sockets[Int(descriptor)].isHeld != isHeld else { return }
        sockets[Int(descriptor)].isHeld = isHeld
        let watched = sockets[Int(descriptor)].watched
        if watched != 0 { register(descriptor, watched) }
    }

    /// The reader sleeps. A connection of HTTP/2 carries more than its body.
    func hold(_ transfer: Transfer) {
        if transfer.head.version.hasPrefix("1.") { hold(transfer.descriptor, true) }
    }

    private func register(_ descriptor: CInt, _ events: UInt32) {
        let old = sockets[Int(descriptor)].registered
        guard old != events else { return }
        sockets[Int(descriptor)].registered = events
        let operation = old == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        if net_epoll_control(epoll, operation, descriptor, events) != 0 {
            // The other way round after a descriptor number was reused behind our back.
            _ = net_epoll_control(epoll, old == 0 ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, events)
        }
    }

    /// Stops watching a descriptor.
    func forget(_ descriptor: CInt) {
        guard sockets.indices.contains(Int(descriptor)) else { return }
        unregister(descriptor)
        sockets[Int(descriptor)] = SocketState()
    }

    private func unregister(_ descriptor: CInt) {
        guard sockets[Int(descriptor)].registered != 0 else { return }
        _ = net_epoll_control(epoll, EPOLL_CTL_DEL, descriptor, 0)
        sockets[Int(descriptor)].registered = 0
    }

    func socketIsReady(_ descriptor: CInt, _ events: UInt32) {
        guard sockets.indices.contains(Int(descriptor)) else { return }
        let socket = sockets[Int(descriptor)]
        if let stream = socket.stream {
            streamIsReady(stream, events)
            return
        }
        guard socket.watched != 0, let multi = socket.multi else {
            // An idle kept-alive connection became readable, or one whose reader sleeps.
            unregister(descriptor)
            retireIfIdle(descriptor)
            return
        }
        var flags: CInt = 0
        if events & EPOLLIN.rawValue != 0 { flags |= CURL_CSELECT_IN }
        if events & EPOLLOUT.rawValue != 0 { flags |= CURL_CSELECT_OUT }
        if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { flags |= CURL_CSELECT_ERR }
        multi.runSocket(descriptor, events: flags, isHTTP1: socket.isHTTP1)
    }

    /// Looks at the connections that became idle in this turn, before a caller sends more: what is there already answers nothing,
    /// and epoll would tell of it in the next turn only.
    func checkUnwatched() {
        for descriptor in unwatched { retireIfIdle(descriptor) }
        unwatched.removeAll(keepingCapacity: true)
    }

    private func retireIfIdle(_ descriptor: CInt) {
        let socket = sockets[Int(descriptor)]
        guard socket.isHTTP1, !socket.isHeld, socket.watched == 0, hasBytes(descriptor),
            !isReading(descriptor, socket.multi)
        else { return }
        retire(descriptor)
    }

    private func hasBytes(_ descriptor: CInt) -> Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, CInt(MSG_DONTWAIT | MSG_PEEK)) > 0
    }

    /// Notes that the connection a transfer made is one of HTTP/1.
    func noteVersion(of transfer: Transfer, on easy: EasyHandle) {
        guard transfer.madeConnection, transfer.head.version.hasPrefix("1.") else { return }
        let descriptor = Int(net_easy_get_socket(easy.raw))
        guard sockets.indices.contains(descriptor), !sockets[descriptor].isHTTP1 else { return }
        sockets[descriptor].isHTTP1 = true
        if sockets[descriptor].wanted == 0 { unwatched.append(CInt(descriptor)) }
    }

    /// Whether it may be that of a transfer which reads nothing at the moment: a streamed one, or one that waits for its next
    /// turn. libcurl has not told the socket of one that found all bytes it could take on a connection that was used before.
    private func isReading(_ descriptor: CInt, _ multi: MultiHandle?) -> Bool {
        guard multi?.kind != .collected || !heldOver.isEmpty else { return false }
        var port: CInt?
        return live.contains { transfer in
            guard transfer.descriptor < 0, transfer.sending > 0 else { return transfer.descriptor == descriptor }
            let known = port ?? net_socket_local_port(descriptor)
            port = known
            return transfer.localPort == known
        }
    }

    /// A server that sends a body where there can be none: libcurl drops what it has read of it, and would take the rest for the
    /// answer to the next request.
    func retireWithRest(of transfer: Transfer, on easy: EasyHandle) {
        guard transfer.head.version.hasPrefix("1.") else { return }
        let descriptor = net_easy_get_socket(easy.raw)
        // libcurl may have given the connection to a call that waited for it.
        guard sockets.indices.contains(Int(descriptor)), sockets[Int(descriptor)].wanted == 0 else { return }
        retire(descriptor)
    }

    /// Makes libcurl take an idle connection for dead when it next looks at it. What came there is the answer to nothing, at
    /// best a time-out of the server's, and must not become that of the next request (RFC 9112 section 9.2); libcurl 7.88
    /// does not see that. The bytes are read away, because older versions look no further than that there are some.
    private func retire(_ descriptor: CInt) {
        // The event may be that of the last answer, which libcurl has read since.
        guard hasBytes(descriptor) else { return }
        shutdown(descriptor, CInt(SHUT_RDWR))
        var bytes = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<64 where recv(descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT)) <= 0 { return }
    }

    /// A transfer has ended that made a connection, or did not leave its own as it was: libcurl waits two seconds for the peer
    /// of one that it closes.
    func scheduleClosing() {
        if CurlFeatures.forgetsToClose, nextClosing == .max { nextClosing = now + 3_000_000_000 }
    }

    /// Has libcurl look at the connections that it is closing, in the next turn: that is what it does when it is woken, and as
    /// long as it has transfers it asks for the descriptor of that to be watched (8.21).
    func closeRest() {
        nextClosing = .max
        for multi in multis { curl_multi_wakeup(multi.raw) }
    }

    func socketWasClosed(_ descriptor: CInt) {
        hasClosedDescriptors = true
        guard sockets.indices.contains(Int(descriptor)) else { return }
        sockets[Int(descriptor)].multi?.forget(descriptor)
        sockets[Int(descriptor)] = SocketState()
    }

    /// The next turn of those that had more than one's worth.
    func resumeHeldOver() {
        let transfers = heldOver
        heldOver.removeAll()
        for transfer in transfers { unpause(transfer) }
    }

    /// The reader caught up.
    func resumeReceiving(_ transfer: Transfer) {
        guard transfer.isReceivePaused else { return }
        listenAgain(transfer)
        unpause(transfer)
    }

    /// Looks for bytes again.
    func listenAgain(_ transfer: Transfer) {
        transfer.isReceivePaused = false
        hold(transfer.descriptor, false)
    }

    /// The request body has more.
    func resumeSending(_ transfer: Transfer) {
        unpause(transfer)
    }

    private func unpause(_ transfer: Transfer) {
        guard let easy = transfer.easy, let multi = transfer.multi else { return }
        transfer.lastActivity = now
        // It hands over what it kept, and tells nobody else where that fails.
        let code = curl_easy_pause(easy.raw, CURLPAUSE_CONT)
        guard code == CURLE_OK else {
            finish(transfer, with: transfer.abortReason ?? failure(of: transfer, code))
            return
        }
        multi.needsKick = true
    }
}

/// libcurl closes a connection: drop what is known of its descriptor before the number is used again.
func closeSocket(_ context: UnsafeMutableRawPointer?, _ descriptor: curl_socket_t) -> CInt {
    if let context {
        Unmanaged<LoopCore>.fromOpaque(context).takeUnretainedValue().socketWasClosed(descriptor)
    }
    return close(descriptor)
}
#endif
