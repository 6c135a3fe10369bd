#if os(Linux)
internal import CCurl
internal import Glibc
internal import NetCore
internal import Synchronization

extension LoopCore {
    /// Starts a transfer, or puts it in line. The line is ours: libcurl's own costs 38% more CPU.
    func admit(_ transfer: Transfer) {
        transfer.core = self
        if transfer.isCancelledEarly {
            cancel(transfer)
            return
        }
        transfer.admitted = now
        if let deadline = transfer.context.deadline {
            let left = deadline - transfer.context.environment.clock.now()
            transfer.totalDeadline = now &+ UInt64(max(0, left.inNanoseconds))
        }
        if live.count < configuration.maximumTransfers {
            start(transfer)
        } else {
            waiting.append(transfer)
            loop.counters.queued.add(1, ordering: .relaxed)
            nextSweep = min(nextSweep, transfer.totalDeadline)
        }
    }

    private func start(_ transfer: Transfer) {
        transfer.started = now
        transfer.lastActivity = now
        limitConnecting(of: transfer)
        let multi = multi(for: transfer)
        guard let easy = freeHandles.popLast() ?? makeHandle()
        else {
            finish(transfer, with: outOfMemory(transfer))
            return
        }
        transfer.easy = easy
        transfer.multi = multi
        transfer.liveIndex = live.count
        live.append(transfer)
        mostLive = max(mostLive, live.count)
        easy.prepare(transfer)
        guard multi.add(easy, to: transfer.options.hostSlot) == CURLM_OK else {
            finish(transfer, with: outOfMemory(transfer))
            return
        }
        if let upload = transfer.upload {
            let loop = loop
            upload.start { loop.post(.resumeSending(transfer)) }
        }
        nextSweep = min(nextSweep, firstCheck(of: transfer))
    }

    /// A multi handle with room. libcurl looks through all connections to a host for a free one, so many to one host, on
    /// HTTP/1, are spread over several handles, the first ones filled first. On HTTP/2 a handle has one connection for as many
    /// as share it; libcurl would make another for each one more, 370 for 500 calls at once.
    private func multi(for transfer: Transfer) -> MultiHandle {
        guard transfer.stream == nil, transfer.upload == nil else { return multis[1] }
        guard configuration.version != .http2PriorKnowledge,
            // libcurl counts them in each handle.
            configuration.maximumConnectionsPerHost == nil
        else { return multis[0] }
        let isHTTP1 = configuration.version == .http1 || transfer.options.isPlain
        // A handle takes 38 KB and two descriptors, so that many handles get more of them each.
        let room =
            isHTTP1
            ? max(MultiHandle.transfersPerShard, 2 * shards.count - MultiHandle.transfersPerShard)
            : MultiHandle.streamsPerConnection
        for shard in shards where shard.transfers(to: transfer.options.hostSlot) < room { return shard }
        guard let shard = MultiHandle(core: self, kind: .collected) else { return multis[0] }
        multis.append(shard)
        shards.append(shard)
        return shard
    }

    private func makeHandle() -> EasyHandle? {
        let handle = EasyHandle(configuration: configuration, core: self)
        if handle != nil { loop.counters.handles.add(1, ordering: .relaxed) }
        return handle
    }

    private func outOfMemory(_ transfer: Transfer) -> NetError {
        transfer.context.error(.unknown, phase: .queued, message: "libcurl has no memory for another transfer")
    }

    /// Ends what libcurl has finished, then wakes readers.
    func reap() {
        for multi in multis {
            var raw: UnsafeMutableRawPointer?
            var code = CURLE_OK
            while net_multi_next_done(multi.raw, &raw, &code) != 0 {
                guard let raw, let context = net_easy_get_private(raw) else { continue }
                if multi.kind == .streams {
                    connected(Unmanaged<ByteStream>.fromOpaque(context).takeUnretainedValue(), code)
                } else {
                    Unmanaged<EasyHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { handle in
                        handle.withTransfer(otherwise: ()) { complete($0, code) }
                    }
                }
            }
            if !multi.settled.isEmpty { wakeWaiting(of: multi) }
        }
        wasHeld = false
        if !unwatched.isEmpty { checkUnwatched() }
        flush()
    }

    /// Tells the callers and readers of this turn what came, once each.
    private func flush() {
        tellStreams()
        resumeCallers()
    }

    func resumeCallers() {
        guard !resumptions.isEmpty else { return }
        for continuation in resumptions { continuation.resume() }
        resumptions.removeAll(keepingCapacity: true)
    }

    /// Hands out heads, and wakes the readers of what came since; those that were woken a moment ago a little later, unless
    /// much has come.
    private func tellStreams() {
        guard !dirty.isEmpty else { return }
        nextWaking = .max
        var kept = 0
        for transfer in dirty {
            guard !transfer.hasFinished, let stream = transfer.stream else {
                transfer.isDirty = false
                continue
            }
            if transfer.continuation != nil, transfer.head.isComplete {
                transfer.resume(with: .streaming(transfer.head.head()))
            }
            if transfer.waking.isDue(now: now, received: transfer.received, isPaused: transfer.isReceivePaused) {
                transfer.isDirty = false
                stream.wakeReader()
            } else {
                dirty[kept] = transfer
                kept += 1
                nextWaking = min(nextWaking, transfer.waking.next)
            }
        }
        dirty.removeSubrange(kept...)
    }

    func markDirty(_ transfer: Transfer) {
        if transfer.isDirty { return }
        transfer.isDirty = true
        dirty.append(transfer)
    }

    /// Ends a transfer for its caller. A task cancelled beforehand can be quicker than the start of its own transfer,
    /// whose continuation must not be touched before.
    func cancel(_ transfer: Transfer) {
        guard transfer.core != nil else {
            transfer.isCancelledEarly = true
            return
        }
        finish(
            transfer,
            with: transfer.context.error(
                .cancelled, phase: phase(of: transfer), message: "the call was cancelled"))
    }

    /// libcurl is done with a transfer.
    private func complete(_ transfer: Transfer, _ code: CURLcode) {
        if code == CURLE_OPERATION_TIMEDOUT, configuration.maximumConnectionsPerHost != nil, hasOnlyWaited(transfer) {
            addAgain(transfer)
        } else if code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR, transfer.foundDeadConnection {
            addAgain(transfer)
        } else if (code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR) && transfer.foundOnlyDeadConnections
            || code == CURLE_HTTP2 && transfer.wasLeftUnanswered
        {
            transfer.easy?.connectAnew()
            addAgain(transfer)
        } else if code != CURLE_OK, transfer.isAnswered {
            finish(transfer, with: nil)
        } else if code != CURLE_OK {
            limitWaiting(behind: transfer)
            finish(transfer, with: transfer.abortReason ?? failure(of: transfer, code))
        } else if let error = transfer.abortReason ?? transfer.upload?.surplus {
            finish(transfer, with: error)
        } else if !transfer.head.isComplete {
            // libcurl takes a head that the end of the connection cuts off for a whole one.
            finish(transfer, with: endInsideHead(of: transfer))
        } else if transfer.lacksChunks {
            finish(
                transfer,
                with: transfer.context.error(
                    .connectionLost, phase: .receiving,
                    message: "the connection ended inside the body, before its last chunk"
                ))
        } else {
            finish(transfer, with: nil)
        }
    }

    /// Goes to the end of libcurl's line, with a new connect time-out: to wait for a connection that is free is not to connect.
    func addAgain(_ transfer: Transfer) {
        guard let easy = transfer.easy, let multi = transfer.multi else { return }
        multi.remove(easy, from: transfer.options.hostSlot, isWhole: true)
        // libcurl's figures begin anew.
        transfer.started = now
        guard multi.add(easy, to: transfer.options.hostSlot) == CURLM_OK else {
            finish(transfer, with: outOfMemory(transfer))
            return
        }
    }

    /// Ends a transfer, once: frees its handle and tells whoever waits.
    ///
    /// - Parameter isCut: Whether libcurl is not done with it, though its response is whole.
    func finish(_ transfer: Transfer, with error: NetError?, isCut: Bool = false) {
        guard !transfer.hasFinished else { return }
        transfer.hasFinished = true
        let metrics: TransferMetrics? = transfer.easy.map { self.metrics(of: transfer, easy: $0) }
        if error == nil { transfer.progress?.finished(transfer, uploaded: metrics?.requestBytes ?? 0) }
        transfer.progress?.close()
        release(transfer, isWhole: error == nil && !isCut)
        loop.counters.finished.add(1, ordering: .relaxed)
        transfer.upload?.stop()
        let isFollowed = error?.isCancellation == false && transfer.leadsOn
        if let stream = transfer.stream {
            // What fails in the turn that brought the head has brought the head all the same, and what came of the body: the
            // reader gets that before the error.
            if let error, !isFollowed, !transfer.head.isComplete || error.isCancellation {
                transfer.resume(with: .failed(error))
            } else if transfer.continuation != nil {
                transfer.resume(with: .streaming(transfer.head.head()))
            }
            stream.finish(error, metrics: metrics, trailers: transfer.head.trailers)
        } else if let error, !isFollowed {
            if let buffer = transfer.buffer.take() {
                buffer.lines = transfer.head.takeBuffer()
                freeBuffers.append(buffer)
            }
            transfer.resume(with: .failed(error))
        } else {
            transfer.abortReason = error
            transfer.resume(with: .collected(metrics ?? TransferMetrics(total: .zero)))
        }
        startNext()
    }

    private func release(_ transfer: Transfer, isWhole: Bool) {
        guard transfer.liveIndex >= 0, let easy = transfer.easy.take() else {
            if let index = waiting[waitingHead...].firstIndex(where: { $0 === transfer }) {
                waiting.remove(at: index)
                loop.counters.queued.subtract(1, ordering: .relaxed)
            }
            return
        }
        if isWhole {
            noteVersion(of: transfer, on: easy)
            if transfer.hasNoBody { retireWithRest(of: transfer, on: easy) }
        }
        // More of the request's body lets libcurl read on as well, to the end perhaps: the next call on the connection listens.
        if transfer.isReceivePaused { listenAgain(transfer) }
        loop.counters.connections.add(
            net_easy_get_long(easy.raw, CURLINFO_NUM_CONNECTS), ordering: .relaxed)
        let multi = transfer.multi.take()
        multi?.remove(easy, from: transfer.options.hostSlot, isWhole: isWhole)
        if transfer.sending == 0 || configuration.maximumConnectionsPerHost != nil {
            multi?.settle(transfer.options, isForAll: false)
        }
        easy.forget()
        if !isWhole || transfer.madeConnection { scheduleClosing() }
        if let last = live.popLast(), last !== transfer {
            live[transfer.liveIndex] = last
            last.liveIndex = transfer.liveIndex
        }
        transfer.liveIndex = -1
        scheduleTrim()
        if !easy.isSpent, !easy.hasSentAgain, freeHandles.count < 256 {
            freeHandles.append(easy)
        } else {
            loop.counters.handles.subtract(1, ordering: .relaxed)
        }
    }

    /// The transfers that have not started.
    var inLine: [Transfer] { waiting[waitingHead...].compactMap { $0 } }

    private func startNext() {
        guard waitingHead < waiting.count, !isEnding else { return }
        while waitingHead < waiting.count, live.count < configuration.maximumTransfers {
            let transfer = waiting[waitingHead].take()
            waitingHead += 1
            loop.counters.queued.subtract(1, ordering: .relaxed)
            if let transfer { start(transfer) }
        }
        if waitingHead == waiting.count || waitingHead > 4096 {
            waiting.removeFirst(waitingHead)
            waitingHead = 0
        }
    }
}
#endif
