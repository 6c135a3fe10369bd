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
            // An idle kept-alive connection became readable: libcurl finds out when it next looks at it. Or one whose
            // reader sleeps.
            unregister(descriptor)
            return
        }
        var flags: CInt = 0
        if events & EPOLLIN.rawValue != 0 { flags |= CURL_CSELECT_IN }
        if events & EPOLLOUT.rawValue != 0 { flags |= CURL_CSELECT_OUT }
        if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { flags |= CURL_CSELECT_ERR }
        multi.runSocket(descriptor, events: flags)
    }

    func socketWasClosed(_ descriptor: CInt) {
        hasClosedDescriptors = true
        guard sockets.indices.contains(Int(descriptor)) else { return }
        sockets[Int(descriptor)] = SocketState()
    }

    /// The reader caught up.
    func resumeReceiving(_ transfer: Transfer) {
        guard transfer.isReceivePaused else { return }
        transfer.isReceivePaused = false
        hold(transfer.descriptor, false)
        unpause(transfer)
    }

    /// The request body has more.
    func resumeSending(_ transfer: Transfer) {
        unpause(transfer)
    }

    private func unpause(_ transfer: Transfer) {
        guard let easy = transfer.easy, let multi = transfer.multi else { return }
        transfer.lastActivity = now
        curl_easy_pause(easy.raw, CURLPAUSE_CONT)
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
