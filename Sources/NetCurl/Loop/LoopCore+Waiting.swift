#if os(Linux)
internal import NetCore

/// Transfers that wait for a connection: for one that another makes, because it may be shared, or for one of a host that may
/// have no more.
///
/// libcurl has one line of them for all hosts, and lets the first look again when anything ends. Where that one waits for
/// another host still, perhaps for one that never answers, it goes to the end of the line, and nobody else looks. And while
/// they wait no time-out of libcurl's runs: behind a host that never answers each would try it after the other.
extension LoopCore {
    /// libcurl's own connect time-out has passed by then, of those that connect themselves.
    private static let connectDelay: UInt64 = 25_000_000

    private var isCapped: Bool { configuration.maximumConnectionsPerHost != nil }

    /// To wait for the connection that another makes is to connect; for one that is free, where there is a cap, it is not.
    func limitConnecting(of transfer: Transfer) {
        transfer.connectEnd = now &+ UInt64(transfer.options.connectTimeout) &* 1_000_000 &+ Self.connectDelay
        if !isCapped { transfer.connectDeadline = transfer.connectEnd }
    }

    /// libcurl could not make a connection for a transfer. Those that wait behind a cap wait for one to be made, where nobody
    /// has any: each would try it after the other.
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

    /// Whether the time to connect is over. Behind a cap a connection may have come to be meanwhile, which is waited for.
    func isTooLateToConnect(_ transfer: Transfer) -> Bool {
        guard transfer.sending == 0, transfer.connectDeadline <= now else { return false }
        guard isCapped, isWaiting(transfer), hasConnection(besides: transfer) else { return true }
        transfer.connectDeadline = .max
        return false
    }

    /// Whether another transfer has a connection that this one may get.
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
            message: "no connection to \(place) within the connect time-out of \(limit) s")
    }

    private func isWaiting(_ transfer: Transfer) -> Bool {
        transfer.sending == 0 && !transfer.madeConnection && !transfer.isResolving
    }

    /// Lets those look again that may find a connection since something has settled, the first ones first.
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
