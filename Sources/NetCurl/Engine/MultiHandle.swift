#if os(Linux)
internal import CCurl
internal import Glibc

/// A libcurl multi handle with its own connections and timer. Used on the loop thread only.
///
/// An engine has two for HTTP, more when there are many calls to one host, and one for every 64 byte streams. Collected calls
/// share an HTTP/2 connection on each of theirs. Streamed calls use the second, one connection each at a time:
/// libcurl 7.88 stops a whole HTTP/2 connection when one paused stream has data waiting, so a reader that sleeps must not
/// share its connection (curl issues 10988, 11043, 16955).
final class MultiHandle {
    enum Kind { case collected, streamed, streams }

    let raw: UnsafeMutableRawPointer
    /// Owns this handle and outlives it.
    unowned(unsafe) let core: LoopCore
    let kind: Kind
    /// When libcurl wants to be called, in nanoseconds; `.max` for never, 0 for now.
    var deadline: UInt64 = .max
    /// Whether transfers were added or resumed since libcurl last ran.
    var needsKick = false
    private(set) var transfers = 0
    /// How many transfers to one host a handle takes before the next does.
    static let transfersPerShard = 16
    /// The same where they are streams of one connection: servers allow no fewer (RFC 9113 section 6.5.2).
    static let streamsPerConnection = 100
    @exclusivity(unchecked) private var hosts = [UInt16](repeating: 0, count: EasyOptions.hostSlots)
    private var keptConnections = 0
    /// The last descriptor that may be one of HTTP/2; negative for none.
    private var watched: CInt = -1
    /// What has settled since the loop last looked.
    @exclusivity(unchecked) var settled: [Settled] = []
    /// Whether transfers may wait for a connection that they do not make themselves, by TLS and without.
    private let hasLine, hasLineWithoutTLS: Bool

    /// nil when libcurl has no memory for a handle.
    init?(core: LoopCore, kind: Kind) {
        var (first, second): (CInt, CInt) = (-1, -1)
        net_free_descriptors(core.epoll, &first, &second)
        guard CurlGlobal.status == CURLE_OK, let raw = curl_multi_init() else { return nil }
        // libcurl lets programs that are started inherit the pair that wakes its own `curl_multi_poll`, which nobody calls.
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

    /// Transfers to the hosts that have this slot.
    func transfers(to slot: Int) -> Int { Int(hosts[slot]) }

    func add(_ easy: EasyHandle, to slot: Int) -> CURLMcode {
        transfers += 1
        hosts[slot] &+= 1
        // Below the highest concurrency seen, libcurl closes connections that the next request needs: 4 times the CPU.
        if transfers > keptConnections { keepConnections(transfers * 2) }
        needsKick = true
        return curl_multi_add_handle(raw, easy.raw)
    }

    /// Takes a handle out. Before its end, the connection is closed unless other transfers use it: libcurl 7.88 leaves
    /// the frame that resets an HTTP/2 stream in its buffer, and the server would go on sending.
    func remove(_ easy: EasyHandle, from slot: Int, isWhole: Bool) {
        transfers -= 1
        hosts[slot] &-= 1
        if !isWhole { net_easy_set_long(easy.raw, CURLOPT_FORBID_REUSE, 1) }
        curl_multi_remove_handle(raw, easy.raw)
        if !isWhole, easy.sharesConnections { net_easy_set_long(easy.raw, CURLOPT_FORBID_REUSE, 0) }
    }

    /// Who may find a connection now, of the transfers that wait for the same ones: one of them, or all.
    struct Settled {
        let options: EasyOptions
        let isForAll: Bool
    }

    /// A connection stands that others may wait for, or a transfer has ended that may have had one.
    func settle(_ options: EasyOptions, isForAll: Bool) {
        guard options.isPlain ? hasLineWithoutTLS : hasLine else { return }
        settled.append(Settled(options: options, isForAll: isForAll))
    }

    /// Starts to connect a byte stream.
    func add(_ handle: StreamHandle) -> CURLMcode {
        transfers += 1
        needsKick = true
        return curl_multi_add_handle(raw, handle.raw)
    }

    /// Takes the handle of a byte stream out; libcurl closes its connection.
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

    /// Lets libcurl read and write; `isHTTP1` where the connection is known to be of that kind.
    func runSocket(_ descriptor: CInt, events: CInt, isHTTP1: Bool) {
        if !isHTTP1, kind != .streams { watched = descriptor } else if watched == descriptor { watched = -1 }
        run(descriptor, events)
    }

    private func run(_ descriptor: CInt, _ events: CInt) {
        var running: CInt = 0
        // Without HTTP/2 there is nothing that could hold the loop, and no lock is taken.
        guard watched >= 0 else {
            curl_multi_socket_action(raw, descriptor, events, &running)
            return
        }
        core.loop.watch.enter(watched)
        curl_multi_socket_action(raw, descriptor, events, &running)
        if core.loop.watch.leave() { core.wasHeld = true }
    }

    /// The number may stand for another connection from now on.
    func forget(_ descriptor: CInt) {
        guard watched == descriptor else { return }
        core.loop.watch.closed(descriptor)
        watched = -1
    }
}

// libcurl calls these for every request. The loop holds the handle meanwhile, so that neither needs a reference of its own.

private func watchSocket(
    _ easy: UnsafeMutableRawPointer?, _ descriptor: curl_socket_t, _ what: CInt, _ context: UnsafeMutableRawPointer?,
    _: UnsafeMutableRawPointer?
) -> CInt {
    guard let context else { return 0 }
    Unmanaged<MultiHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { multi in
        let isConnected = multi.core.watch(descriptor, what, for: multi)
        // A streamed transfer has its connection to itself: the last socket watched for it is that one's.
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
