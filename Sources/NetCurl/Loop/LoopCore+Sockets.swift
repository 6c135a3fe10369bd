#if os(Linux)
internal import CCurl
internal import Glibc

/// The loop's state of one descriptor.
struct SocketState {
    /// The events that epoll watches now, and those that libcurl wants to be watched.
    var registered: UInt32 = 0
    var wanted: UInt32 = 0
    /// True if reading is suspended because the reader isn't reading. libcurl 8.5 continues to watch the connection of
    /// a paused HTTP/1 transfer, and reads it into memory; after 64 MiB the transfer fails.
    var isHeld = false
    /// True if the connection has received an HTTP/1 response; on such a connection nothing arrives without a request.
    var isHTTP1 = false
    /// The events that epoll should watch.
    var watched: UInt32 { isHeld ? wanted & ~EPOLLIN.rawValue : wanted }
    unowned(unsafe) var multi: MultiHandle?
    /// The byte stream that owns the socket and handles its events without libcurl; nil for libcurl's sockets.
    unowned(unsafe) var stream: ByteStream?
}

extension LoopCore {
    /// Sets the events that libcurl waits for. Returns true if it waited for a connection before and now waits to read.
    /// The registration survives keep-alive; `closeSocket` removes it.
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

    /// Suspends or resumes waiting for bytes, depending on whether the reader is reading.
    private func hold(_ descriptor: CInt, _ isHeld: Bool) {
        guard sockets.indices.contains(Int(descriptor)), sockets[Int(descriptor)].isHeld != isHeld else { return }
        sockets[Int(descriptor)].isHeld = isHeld
        let watched = sockets[Int(descriptor)].watched
        if watched != 0 { register(descriptor, watched) }
    }

    /// Suspends waiting for bytes while the reader isn't reading. Not done for HTTP/2, whose connection carries more
    /// than this body.
    func hold(_ transfer: Transfer) {
        if transfer.head.version.hasPrefix("1.") { hold(transfer.descriptor, true) }
    }

    private func register(_ descriptor: CInt, _ events: UInt32) {
        let old = sockets[Int(descriptor)].registered
        guard old != events else { return }
        sockets[Int(descriptor)].registered = events
        let operation = old == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        if net_epoll_control(epoll, operation, descriptor, events) != 0 {
            // Tries the opposite operation, in case the descriptor's number was reused unnoticed.
            _ = net_epoll_control(epoll, old == 0 ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, events)
        }
    }

    /// Stops watching a descriptor and resets its state.
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
            // An idle kept-alive connection became readable, or one on which reading is suspended.
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

    /// Checks the connections that became idle in this turn, before a caller sends more requests: bytes that have
    /// already arrived don't belong to a request, and epoll would report them only in the next turn.
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

    /// Records that the connection opened by a transfer uses HTTP/1.
    func noteVersion(of transfer: Transfer, on easy: EasyHandle) {
        guard transfer.madeConnection, transfer.head.version.hasPrefix("1.") else { return }
        let descriptor = Int(net_easy_get_socket(easy.raw))
        guard sockets.indices.contains(descriptor), !sockets[descriptor].isHTTP1 else { return }
        sockets[descriptor].isHTTP1 = true
        if sockets[descriptor].wanted == 0 { unwatched.append(CInt(descriptor)) }
    }

    /// True if the descriptor may belong to a transfer that reads nothing at the moment: a streamed one, or one that
    /// waits for its next turn. libcurl doesn't report the socket of a transfer that found all the bytes it could take
    /// on a reused connection; such a transfer is identified by its local port.
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

    /// Retires the connection if the server sent a body where there can't be one: libcurl drops the bytes of it that it
    /// has read, and would treat the rest as the response to the next request.
    func retireWithRest(of transfer: Transfer, on easy: EasyHandle) {
        guard transfer.head.version.hasPrefix("1.") else { return }
        let descriptor = net_easy_get_socket(easy.raw)
        // libcurl may already have assigned the connection to a waiting call.
        guard sockets.indices.contains(Int(descriptor)), sockets[Int(descriptor)].wanted == 0 else { return }
        retire(descriptor)
    }

    /// Makes libcurl consider an idle connection dead at its next check. Bytes that arrived on it don't belong to a
    /// request; at best they report a timeout of the server. They must not become the response to the next request (RFC
    /// 9112 section 9.2), which libcurl 7.88 doesn't detect. The bytes are read and discarded, because older versions
    /// check only whether there are any.
    private func retire(_ descriptor: CInt) {
        // The event may belong to the last response, which libcurl has read since.
        guard hasBytes(descriptor) else { return }
        shutdown(descriptor, CInt(SHUT_RDWR))
        var bytes = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<64 where recv(descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT)) <= 0 { return }
    }

    /// Schedules ``closeRest()`` after the end of a transfer that opened a connection or didn't complete: when libcurl
    /// closes a connection, it waits two seconds for the peer.
    func scheduleClosing() {
        if CurlFeatures.forgetsToClose, nextClosing == .max { nextClosing = now + 3_000_000_000 }
    }

    /// Makes libcurl check the connections that it's closing, in the next turn. libcurl does so when it's woken, and
    /// while it has transfers, its wake-up descriptor is watched (8.21).
    func closeRest() {
        nextClosing = .max
        for multi in multis { curl_multi_wakeup(multi.raw) }
    }

    func socketWasClosed(_ descriptor: CInt) {
        hasClosedDescriptors = true
        origins[descriptor] = nil
        if !outdated.isEmpty { outdated.remove(descriptor) }
        guard sockets.indices.contains(Int(descriptor)) else { return }
        sockets[Int(descriptor)].multi?.forget(descriptor)
        sockets[Int(descriptor)] = SocketState()
    }

    /// Resumes the transfers that have used up their share of the last turn, or that must read once more.
    func resumeHeldOver() {
        let transfers = heldOver
        heldOver.removeAll()
        for transfer in transfers {
            // libcurl reads only after a change.
            if transfer.upload?.hasSentAll == true, let easy = transfer.easy {
                curl_easy_pause(easy.raw, CURLPAUSE_SEND)
            }
            unpause(transfer)
        }
    }

    /// Resumes a transfer whose reader has caught up.
    func resumeReceiving(_ transfer: Transfer) {
        guard transfer.isReceivePaused else { return }
        listenAgain(transfer)
        unpause(transfer)
    }

    /// Resumes waiting for bytes.
    func listenAgain(_ transfer: Transfer) {
        transfer.isReceivePaused = false
        hold(transfer.descriptor, false)
    }

    /// Resumes a transfer whose request body has more data.
    func resumeSending(_ transfer: Transfer) {
        unpause(transfer)
    }

    private func unpause(_ transfer: Transfer) {
        guard let easy = transfer.easy, let multi = transfer.multi else { return }
        transfer.lastActivity = now
        // libcurl delivers the data that it kept during this call, and reports a failure only here.
        let code = curl_easy_pause(easy.raw, CURLPAUSE_CONT)
        guard code == CURLE_OK else {
            finish(transfer, with: transfer.abortReason ?? failure(of: transfer, code))
            return
        }
        multi.needsKick = true
    }
}

/// Called when libcurl closes a connection. Discards the state of the descriptor before its number can be reused.
func closeSocket(_ context: UnsafeMutableRawPointer?, _ descriptor: curl_socket_t) -> CInt {
    if let context {
        Unmanaged<LoopCore>.fromOpaque(context).takeUnretainedValue().socketWasClosed(descriptor)
    }
    return close(descriptor)
}
#endif
