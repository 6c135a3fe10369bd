#if os(Linux)
internal import CCurl
internal import NetCore

extension LoopCore {
    /// Looks at every live transfer. Transfers mostly share their time-outs, so one sweep at the earliest of them is
    /// cheaper than a heap entry for each.
    func sweepDeadlines() {
        nextSweep = .max
        var late: [(Transfer, NetError)] = []
        for transfer in live + waiting[waitingHead...] {
            if let error = expired(transfer) {
                late.append((transfer, error))
            } else {
                nextSweep = min(nextSweep, max(nextCheck(of: transfer), now + 1_000_000))
            }
        }
        sweepStreams()
        for (transfer, error) in late { finish(transfer, with: error) }
        reap()
    }

    /// When the transfer must be looked at again at the latest.
    func nextCheck(of transfer: Transfer) -> UInt64 {
        var check = transfer.totalDeadline
        let timeouts = transfer.context.timeouts
        if let limit = silenceLimit(of: transfer, timeouts) {
            check = min(check, transfer.lastActivity &+ limit)
        }
        if let limit = [timeouts.firstByte, timeouts.stall].compactMap({ $0 }).min() {
            // Another limit may count soon: once the head has come, or after a pause.
            check = min(check, now &+ nanoseconds(limit))
        }
        return check
    }

    private func expired(_ transfer: Transfer) -> NetError? {
        let context = transfer.context
        if transfer.totalDeadline <= now {
            let limit = context.timeouts.total.map { $0.seconds(places: 3) } ?? "?"
            return context.error(
                .timeout, phase: phase(of: transfer), message: "the call took longer than its total of \(limit) s")
        }
        guard let limit = silenceLimit(of: transfer, context.timeouts), transfer.lastActivity &+ limit <= now else {
            return nil
        }
        let seconds = Duration.nanoseconds(Int64(clamping: limit)).seconds(places: 3)
        let what = transfer.head.isComplete ? "no byte of the body came" : "no byte of the answer came"
        return context.error(.timeout, phase: phase(of: transfer), message: "\(what) for \(seconds) s")
    }

    /// How long the peer may be silent now; nil while silence is ours, or libcurl's own connect time-out runs.
    private func silenceLimit(of transfer: Transfer, _ timeouts: Timeouts) -> UInt64? {
        guard !transfer.isPaused, let easy = transfer.easy else { return nil }
        if transfer.head.isComplete { return timeouts.stall.map(nanoseconds) }
        let connected = net_easy_get_offset(easy.raw, CURLINFO_PRETRANSFER_TIME_T)
        guard connected > 0 else { return nil }
        let sent = transfer.started &+ UInt64(connected) &* 1000
        transfer.lastActivity = max(transfer.lastActivity, min(sent, now))
        return timeouts.firstByte.map(nanoseconds)
    }

    private func nanoseconds(_ duration: Duration) -> UInt64 {
        UInt64(max(0, duration.inNanoseconds))
    }
}
#endif
