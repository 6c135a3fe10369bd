#if os(Linux)
internal import NetCore

extension LoopCore {
    /// Checks the deadlines of all transfers. Most transfers share their timeouts, so one sweep at the earliest
    /// deadline is cheaper than a heap entry for each.
    func sweepDeadlines() {
        nextSweep = .max
        var late: [(Transfer, NetError)] = []
        for transfer in live + waiting.elements {
            if let error = expired(transfer) {
                late.append((transfer, error))
            } else {
                nextSweep = min(nextSweep, max(nextCheck(of: transfer), now + 1_000_000))
            }
        }
        sweepStreams()
        for (transfer, error) in late {
            let isAnswered = transfer.isAnswered
            finish(transfer, with: isAnswered ? nil : error, isCut: isAnswered)
        }
        reap()
    }

    /// Returns the time of the first check of a transfer that starts now.
    func firstCheck(of transfer: Transfer) -> UInt64 {
        min(
            transfer.totalDeadline, transfer.bodyDeadline, transfer.sending == 0 ? transfer.connectDeadline : .max,
            now &+ shortestSilence(transfer.context.timeouts))
    }

    /// Limits the body of a followed redirect, which isn't read, to one second. It's received at all so that its
    /// connection can be reused.
    func limitBody(of transfer: Transfer) {
        transfer.bodyDeadline = now &+ 1_000_000_000
        nextSweep = min(nextSweep, transfer.bodyDeadline)
    }

    /// Returns the latest time of the next check. While no data is expected from the peer, as during a pause or while
    /// libcurl connects, that is the shortest inactivity limit from now: data may be expected by then.
    private func nextCheck(of transfer: Transfer) -> UInt64 {
        // A different limit may apply soon: after the head has arrived, or after a pause.
        let check = firstCheck(of: transfer)
        guard let limit = silenceLimit(of: transfer), limit != .max else { return check }
        return min(check, transfer.silentSince &+ limit)
    }

    private func shortestSilence(_ timeouts: Timeouts) -> UInt64 {
        // A limit far in the future that doesn't overflow when it's added to the time.
        min(timeouts.firstByteNanoseconds, timeouts.stallNanoseconds, UInt64(Int64.max) / 2)
    }

    private func expired(_ transfer: Transfer) -> NetError? {
        let context = transfer.context
        if transfer.totalDeadline <= now {
            let limit = context.timeouts.total.map { $0.seconds(places: 3) } ?? "?"
            return context.error(
                .timeout, phase: phase(of: transfer),
                message: "the call took longer than its total timeout of \(limit) s")
        }
        if isTooLateToConnect(transfer) { return connectTimeout(of: transfer) }
        guard transfer.bodyDeadline > now else {
            return context.error(
                .timeout, phase: .receiving, message: "the body of a redirect didn't arrive within a second of its head"
            )
        }
        guard let limit = silenceLimit(of: transfer), limit != .max, transfer.silentSince &+ limit <= now else {
            return nil
        }
        let seconds = Duration.nanoseconds(Int64(clamping: limit)).seconds(places: 3)
        let phase = phase(of: transfer)
        let message =
            switch phase {
            case .receiving: "no byte of the body arrived for \(seconds) s (stall timeout)"
            case .sending: "no byte of the request body was sent for \(seconds) s (stall timeout)"
            case _ where transfer.head.hasBegun:
                "the response head wasn't complete \(seconds) s after its first line (first-byte timeout)"
            default: "no response byte arrived for \(seconds) s (first-byte timeout)"
            }
        return context.error(.timeout, phase: phase, message: message)
    }

    /// Returns how long the peer may be inactive at the moment, `.max` for no limit; nil while the transfer is paused
    /// on this side, or while libcurl's own connect timeout applies.
    private func silenceLimit(of transfer: Transfer) -> UInt64? {
        guard !transfer.isPaused, transfer.easy != nil, transfer.sending > 0 else { return nil }
        let timeouts = transfer.context.timeouts
        return phase(of: transfer) == .waiting ? timeouts.firstByteNanoseconds : timeouts.stallNanoseconds
    }
}
#endif
