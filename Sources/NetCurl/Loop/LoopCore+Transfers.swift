#if os(Linux)
internal import CCurl
internal import Glibc
internal import NetCore
internal import Synchronization

extension LoopCore {
    /// Starts a transfer, or queues it. libcurl's own queue isn't used: it costs 38% more CPU.
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
            waiting.enter(transfer, priority: transfer.request.options.priority.rawValue)
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
        listen(for: transfer, easy, multi)
        if networkChange != 0 { easy.limitNames(to: (now - networkChange) / 1_000_000_000) }
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

    /// Returns a multi handle with room. libcurl searches all connections to a host for a free one, so HTTP/1 transfers
    /// to one host are spread over several handles, which are filled in order. With HTTP/2, a handle has one connection
    /// for as many transfers as can share it. libcurl would open another one for each further transfer: 370 connections
    /// for 500 concurrent calls.
    private func multi(for transfer: Transfer) -> MultiHandle {
        guard transfer.stream == nil, transfer.upload == nil else { return multis[1] }
        guard configuration.version != .http2PriorKnowledge,
            // libcurl applies the limit to each handle.
            configuration.maximumConnectionsPerHost == nil
        else { return multis[0] }
        let isHTTP1 = configuration.version == .http1 || transfer.options.isPlain
        // A handle takes 38 KB and two descriptors, so the more handles there are, the more transfers each one gets.
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

    /// Finishes the transfers that libcurl has completed, then resumes callers and wakes readers.
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
        if !outdated.isEmpty { retireOutdated() }
        flush()
    }

    /// Resumes the callers and wakes the readers of this turn, once each.
    private func flush() {
        tellStreams()
        resumeCallers()
    }

    func resumeCallers() {
        guard !resumptions.isEmpty else { return }
        for continuation in resumptions { continuation.resume() }
        resumptions.removeAll(keepingCapacity: true)
    }

    /// Delivers heads, and wakes the readers of new data. A reader that was woken a moment ago is woken slightly later,
    /// unless much data has arrived.
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

    /// Cancels a transfer. If its task was already cancelled, this command can arrive before the transfer starts, and
    /// the continuation must not be used until then.
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

    /// Handles a transfer that libcurl has completed.
    private func complete(_ transfer: Transfer, _ code: CURLcode) {
        if code == CURLE_OPERATION_TIMEDOUT, configuration.maximumConnectionsPerHost != nil, hasOnlyWaited(transfer) {
            addAgain(transfer)
        } else if transfer.wantsHTTP1 {
            fallBack(transfer)
        } else if code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR, transfer.foundDeadConnection {
            addAgain(transfer)
        } else if (code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR) && transfer.foundOnlyDeadConnections
            || code == CURLE_HTTP2 && transfer.wasLeftUnanswered
        {
            transfer.easy?.connectAnew()
            addAgain(transfer)
        } else if code != CURLE_OK, transfer.isAnswered {
            finish(transfer, with: nil)
        } else if Self.losesResponses.contains(code.rawValue), transfer.mayFallBack,
            transfer.isRepeatable || transfer.isUnprocessed
        {
            fallBack(transfer)
        } else if code == CURLE_SSL_CONNECT_ERROR, transfer.sending == 0, !transfer.hasFallenBack,
            transfer.options.prefersHTTP1
        {
            transfer.hasFallenBack = true
            transfer.easy?.allowHTTP2()
            addAgain(transfer)
        } else if code != CURLE_OK {
            limitWaiting(behind: transfer)
            finish(transfer, with: transfer.abortReason ?? failure(of: transfer, code))
        } else if let error = transfer.abortReason ?? transfer.upload?.surplus {
            finish(transfer, with: error)
        } else if !transfer.head.isComplete {
            // libcurl considers a head complete that was cut off by the end of the connection.
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

    /// libcurl's codes for an HTTP/2 stream or connection that ended without a response.
    private static let losesResponses = [
        CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_GOT_NOTHING,
    ].map(\.rawValue)

    /// Sends a request once more, over HTTP/1.1.
    private func fallBack(_ transfer: Transfer) {
        (transfer.hasFallenBack, transfer.wantsHTTP1) = (true, false)
        guard transfer.upload?.rewind() != false else {
            finish(
                transfer,
                with: transfer.context.error(.connectionLost, phase: .sending, message: Transfer.bodyIsGone))
            return
        }
        transfer.easy?.useHTTP1()
        addAgain(transfer)
    }

    /// Moves a transfer to the end of libcurl's queue with a new connect timeout: waiting for a free connection doesn't
    /// count as connecting.
    func addAgain(_ transfer: Transfer) {
        guard let easy = transfer.easy, let multi = transfer.multi else { return }
        multi.remove(easy, from: transfer.options.hostSlot, isWhole: true)
        transfer.isOnConnection = false
        if transfer.sendCount > 0, !transfer.isUnprocessed { transfer.isInDoubt = true }
        // libcurl's measurements restart.
        transfer.started = now
        guard multi.add(easy, to: transfer.options.hostSlot) == CURLM_OK else {
            finish(transfer, with: outOfMemory(transfer))
            return
        }
    }

    /// Finishes a transfer, once: releases its handle and resumes its caller or reader.
    ///
    /// - Parameter isCut: True if libcurl hasn't completed the transfer although its response is complete.
    func finish(_ transfer: Transfer, with error: NetError?, isCut: Bool = false) {
        guard !transfer.hasFinished else { return }
        transfer.hasFinished = true
        let metrics: TransferMetrics? = transfer.easy.map { self.metrics(of: transfer, easy: $0) }
        if error == nil { transfer.progress?.finished(transfer, uploaded: metrics?.requestBytes ?? 0) }
        transfer.progress?.close()
        release(transfer, isWhole: error == nil && !isCut)
        loop.counters.finished.add(1, ordering: .relaxed)
        transfer.upload?.stop()
        let keepsHead = error.map(transfer.standsWithoutBody) ?? false
        let error = error.map {
            transfer.head.isComplete && !$0.isCancellation ? $0.following(transfer.head.head()) : $0
        }
        if let stream = transfer.stream {
            // If the transfer fails in the same turn in which the head arrived, the reader still gets the head and the
            // received part of the body before the error.
            if let error, !keepsHead, !transfer.head.isComplete || error.isCancellation {
                transfer.resume(with: .failed(error))
            } else if transfer.continuation != nil {
                transfer.resume(with: .streaming(transfer.head.head()))
            }
            stream.finish(error, metrics: metrics, trailers: transfer.head.trailers)
        } else if let error, !keepsHead {
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
            if waiting.remove(where: { $0 === transfer }) { loop.counters.queued.subtract(1, ordering: .relaxed) }
            return
        }
        if isWhole {
            noteVersion(of: transfer, on: easy)
            if transfer.hasNoBody { retireWithRest(of: transfer, on: easy) }
        }
        // Sending more of the request's body also lets libcurl read on, perhaps to the end, while receiving is paused.
        // The next call on the connection must receive bytes.
        if transfer.isReceivePaused { listenAgain(transfer) }
        loop.counters.connections.add(
            net_easy_get_long(easy.raw, CURLINFO_NUM_CONNECTS), ordering: .relaxed)
        stopListening(for: transfer)
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

    private func startNext() {
        guard !waiting.isEmpty, !isEnding else { return }
        while live.count < configuration.maximumTransfers, let transfer = waiting.leave() {
            loop.counters.queued.subtract(1, ordering: .relaxed)
            start(transfer)
        }
    }
}
#endif
