#if os(Linux)
internal import NetCore

/// Transfers that wait for a connection: one that another transfer opens and that may be shared, or one to a host whose
/// limit is reached.
///
/// libcurl has a single queue of them for all hosts, and retries the first one when any transfer ends. If the first one
/// waits for a different host, perhaps for one that never responds, it moves to the end of the queue and no other is
/// retried. None of libcurl's timeouts applies to waiting transfers: with a host that never responds, each would try to
/// connect after the previous one has failed.
extension LoopCore {
    /// The delay after which libcurl's own connect timeout has passed for transfers that connect themselves.
    private static let connectDelay: UInt64 = 25_000_000

    private var isCapped: Bool { configuration.maximumConnectionsPerHost != nil }

    /// Sets the connect deadline. Waiting for a connection that another transfer opens counts as connecting; under a
    /// connection limit, waiting for a free one doesn't.
    func limitConnecting(of transfer: Transfer) {
        transfer.connectEnd = now &+ UInt64(transfer.options.connectTimeout) &* 1_000_000 &+ Self.connectDelay
        if !isCapped { transfer.connectDeadline = transfer.connectEnd }
    }

    /// Handles a failure to connect a transfer. If no other transfer has a connection, sets the connect deadline of
    /// those that wait under a connection limit: otherwise each would try to connect after the previous one has failed.
    func limitWaiting(behind transfer: Transfer) {
        guard isCapped, transfer.sending == 0, !hasConnection(besides: transfer) else { return }
        for other in live
        where other !== transfer && other.multi === transfer.multi && isWaiting(other)
            && other.options.usesConnections(of: transfer.options)
        {
            other.connectDeadline = other.connectEnd
            nextSweep = min(nextSweep, max(other.connectDeadline, now))
        }
    }

    /// True if the connect timeout has expired. Under a connection limit, a transfer continues to wait if another one
    /// has got a connection in the meantime.
    func isTooLateToConnect(_ transfer: Transfer) -> Bool {
        guard transfer.sending == 0, transfer.connectDeadline <= now else { return false }
        guard isCapped, isWaiting(transfer), hasConnection(besides: transfer) else { return true }
        transfer.connectDeadline = .max
        return false
    }

    /// True if another transfer has a connection that this one may use later.
    private func hasConnection(besides transfer: Transfer) -> Bool {
        live.contains { other in
            other.sending > 0 && other.multi === transfer.multi && other.options.usesConnections(of: transfer.options)
        }
    }

    func connectTimeout(of transfer: Transfer) -> NetError {
        let limit = Duration.milliseconds(transfer.options.connectTimeout).seconds(places: 3)
        let place = transfer.options.route.place(of: transfer.request.head.authority ?? "")
        return transfer.context.error(
            .timeout, phase: isWaiting(transfer) ? .connecting : phase(of: transfer),
            message: "no connection to \(place) within the connect timeout of \(limit) s")
    }

    private func isWaiting(_ transfer: Transfer) -> Bool {
        transfer.sending == 0 && !transfer.madeConnection && !transfer.isResolving
    }

    /// Retries the transfers that may find a connection after the recorded events, in order of their admission.
    func wakeWaiting(of multi: MultiHandle) {
        let settled = multi.settled
        multi.settled.removeAll(keepingCapacity: true)
        var waiting = live.filter { $0.multi === multi && isWaiting($0) }
        if waiting.isEmpty { return }
        waiting.sort { $0.admitted < $1.admitted }
        for place in settled {
            var room = place.isForAll ? Int.max : 1
            waiting.removeAll { transfer in
                guard room > 0, transfer.options.usesConnections(of: place.options) else { return false }
                room -= 1
                addAgain(transfer)
                return true
            }
        }
    }
}
#endif
