#if os(Linux)
internal import CCurl
internal import Glibc

/// A libcurl multi handle with its own connections and timer. Used on the loop's thread only.
///
/// An engine has two for HTTP, more if there are many calls to one host, and one for every 64 byte streams. Collected
/// calls share one HTTP/2 connection per handle. Streamed calls use the second handle, each with a separate connection:
/// libcurl 7.88 stalls a whole HTTP/2 connection if data for a paused stream is waiting, so a reader that isn't reading
/// must not share its connection (curl issues 10988, 11043, 16955).
final class MultiHandle {
    enum Kind { case collected, streamed, streams }

    let raw: UnsafeMutableRawPointer
    /// The owner of this handle, which outlives it.
    unowned(unsafe) let core: LoopCore
    let kind: Kind
    /// The time at which libcurl must be called, in nanoseconds; `.max` for never, 0 for immediately.
    var deadline: UInt64 = .max
    /// True if transfers were added or resumed since libcurl last ran.
    var needsKick = false
    private(set) var transfers = 0
    /// The number of transfers to one host at which further ones use another handle.
    static let transfersPerShard = 16
    /// The same number for HTTP/2, where transfers are streams of one connection. Servers should allow no fewer (RFC
    /// 9113 section 6.5.2).
    static let streamsPerConnection = 100
    @exclusivity(unchecked) private var hosts = [UInt16](repeating: 0, count: EasyOptions.hostSlots)
    private var keptConnections = 0
    /// The last descriptor that may be an HTTP/2 connection; negative for none.
    private var watched: CInt = -1
    /// The events since the loop last retried waiting transfers.
    @exclusivity(unchecked) var settled: [Settled] = []
    /// The number of transfers on whose behalf all of the handle receive libcurl's messages, and the refusals in these.
    @exclusivity(unchecked) var listeners = 0
    @exclusivity(unchecked) var refused = RefusedStreams()
    /// True if transfers may wait for a connection that they don't open themselves, with and without TLS.
    private let hasLine, hasLineWithoutTLS: Bool

    /// Creates a handle; nil if libcurl is out of memory.
    init?(core: LoopCore, kind: Kind) {
        var (first, second): (CInt, CInt) = (-1, -1)
        net_free_descriptors(core.epoll, &first, &second)
        guard CurlGlobal.status == CURLE_OK, let raw = curl_multi_init() else { return nil }
        // libcurl creates a pair of descriptors to wake its own `curl_multi_poll`, which isn't used here, and doesn't
        // keep child processes from inheriting it.
        net_keep_wakeup(first)
        net_keep_wakeup(second)
        self.raw = raw
        self.core = core
        self.kind = kind
        let (version, isCapped) = (core.configuration.version, core.configuration.maximumConnectionsPerHost != nil)
        hasLine = isCapped || kind == .collected && version != .http1
        hasLineWithoutTLS = isCapped || kind == .collected && version == .http2PriorKnowledge
        net_multi_set_callbacks(raw, watchSocket, setTimer, Unmanaged.passUnretained(self).toOpaque())
        net_multi_set_long(raw, CURLMOPT_PIPELINING, kind == .collected ? Int(CURLPIPE_MULTIPLEX) : 0)
        net_multi_set_long(raw, CURLMOPT_MAX_CONCURRENT_STREAMS, 256)
        if let limit = core.configuration.maximumConnectionsPerHost {
            net_multi_set_long(raw, CURLMOPT_MAX_HOST_CONNECTIONS, max(1, limit))
        }
        keepConnections(kind == .streams ? 128 : 16)
    }

    func cleanUp() {
        curl_multi_cleanup(raw)
    }

    /// Returns the number of transfers to hosts with this slot.
    func transfers(to slot: Int) -> Int { Int(hosts[slot]) }

    func add(_ easy: EasyHandle, to slot: Int) -> CURLMcode {
        transfers += 1
        hosts[slot] &+= 1
        // If the limit is below the highest concurrency so far, libcurl closes connections that the next request needs,
        // which costs 4 times the CPU.
        if transfers > keptConnections { keepConnections(transfers * 2) }
        needsKick = true
        return curl_multi_add_handle(raw, easy.raw)
    }

    /// Removes a handle. If the transfer isn't complete, the connection is closed unless other transfers use it:
    /// libcurl 7.88 leaves the frame that resets an HTTP/2 stream in its buffer, and the server would continue to send.
    func remove(_ easy: EasyHandle, from slot: Int, isWhole: Bool) {
        transfers -= 1
        hosts[slot] &-= 1
        if !isWhole { net_easy_set_long(easy.raw, CURLOPT_FORBID_REUSE, 1) }
        curl_multi_remove_handle(raw, easy.raw)
        if !isWhole, easy.sharesConnections { net_easy_set_long(easy.raw, CURLOPT_FORBID_REUSE, 0) }
    }

    /// An event after which transfers that wait for the same connections may find one: one of them, or all.
    struct Settled {
        let options: EasyOptions
        let isForAll: Bool
    }

    /// Records that a connection that others may wait for was established, or that a transfer that may have had one
    /// ended.
    func settle(_ options: EasyOptions, isForAll: Bool) {
        guard options.isPlain ? hasLineWithoutTLS : hasLine else { return }
        settled.append(Settled(options: options, isForAll: isForAll))
    }

    /// Adds the handle of a byte stream, which starts to connect.
    func add(_ handle: StreamHandle) -> CURLMcode {
        transfers += 1
        needsKick = true
        return curl_multi_add_handle(raw, handle.raw)
    }

    /// Removes the handle of a byte stream; libcurl closes its connection.
    func remove(_ handle: StreamHandle) {
        transfers -= 1
        curl_multi_remove_handle(raw, handle.raw)
    }

    private func keepConnections(_ count: Int) {
        keptConnections = count
        net_multi_set_long(raw, CURLMOPT_MAXCONNECTS, count)
    }

    func runTimeouts() {
        needsKick = false
        deadline = .max
        run(CURL_SOCKET_TIMEOUT, 0)
    }

    /// Has libcurl read and write; `isHTTP1` is true if the connection is known to use HTTP/1.
    func runSocket(_ descriptor: CInt, events: CInt, isHTTP1: Bool) {
        if !isHTTP1, kind != .streams { watched = descriptor } else if watched == descriptor { watched = -1 }
        run(descriptor, events)
    }

    private func run(_ descriptor: CInt, _ events: CInt) {
        var running: CInt = 0
        // Without HTTP/2, nothing can block the loop, so no lock is taken.
        guard watched >= 0 else {
            curl_multi_socket_action(raw, descriptor, events, &running)
            return
        }
        core.loop.watch.enter(watched)
        curl_multi_socket_action(raw, descriptor, events, &running)
        if core.loop.watch.leave() { core.wasHeld = true }
    }

    /// Forgets a descriptor whose number may be reused for another connection.
    func forget(_ descriptor: CInt) {
        guard watched == descriptor else { return }
        core.loop.watch.closed(descriptor)
        watched = -1
    }
}

// libcurl calls these functions for every request. The loop retains the handle in the meantime, so neither function has
// to.

private func watchSocket(
    _ easy: UnsafeMutableRawPointer?, _ descriptor: curl_socket_t, _ what: CInt, _ context: UnsafeMutableRawPointer?,
    _: UnsafeMutableRawPointer?
) -> CInt {
    guard let context else { return 0 }
    Unmanaged<MultiHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { multi in
        if what == CURL_POLL_REMOVE, multi.core.configuration.connection.resolvesOverHTTPS {
            // The handles of libcurl's own requests for names have no context, and their sockets are closed without our
            // callback.
            if let easy, net_easy_get_private(easy) == nil { return multi.core.forget(descriptor) }
        }
        let isConnected = multi.core.watch(descriptor, what, for: multi)
        // A streamed transfer has its own connection: the last socket watched for it is that of the connection.
        let isItsOwn = multi.kind == .streamed && what != CURL_POLL_REMOVE
        guard isConnected || isItsOwn, let easy, let context = net_easy_get_private(easy) else { return }
        guard multi.kind != .streams else {
            Unmanaged<ByteStream>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.isConnected = true }
            return
        }
        Unmanaged<EasyHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { handle in
            handle.withTransfer(otherwise: ()) { transfer in
                if isItsOwn, transfer.descriptor != descriptor {
                    transfer.descriptor = descriptor
                    if transfer.isReceivePaused { multi.core.hold(transfer) }
                }
                if isConnected { transfer.isConnected = true }
            }
        }
    }
    return 0
}

private func setTimer(_: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?) -> CInt {
    guard let context else { return 0 }
    Unmanaged<MultiHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { multi in
        switch milliseconds {
        case ..<0: multi.deadline = .max
        case 0: multi.deadline = 0
        default: multi.deadline = LoopCore.readClock() &+ UInt64(milliseconds) * 1_000_000
        }
    }
    return 0
}
#endif
