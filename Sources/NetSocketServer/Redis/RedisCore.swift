#if Redis
internal import NIOCore
internal import NetCore
internal import NetSocketCore

/// The engine, isolated to its event loop: the loop is its executor, so messages of the connections are received
/// without switching threads, and no lock is needed.
actor RedisCore {
    /// A server that the engine serves.
    struct Node: Sendable {
        let name: String
        /// Distinguishes this server from another one that takes its name.
        let owner: String
        let receive: @Sendable (FanOutEvent) -> Void
    }

    /// A call that waits for the broker.
    struct Waiter {
        let deadline: Duration
        let continuation: CheckedContinuation<Void, Never>
    }

    nonisolated let executor: any SerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let address: RedisAddress
    let configuration: RedisFanOut.Configuration
    let keys: RedisKeys
    let loop: any EventLoop
    let clock: NetClock
    let random: NetRandom

    var node: Node?
    /// The task that monitors the connections.
    var life: Task<Void, Never>?
    var pair: RedisPair?
    /// Distinguishes the calls of one pair from those of another.
    var pairNumber = 0
    /// The number of the last pair that has ended.
    var outageNumber = 0
    /// True if the pair is open and has caught up with everything that was missed before.
    var isReady = false
    /// The reason the broker is away.
    var outage: NetError?
    /// The continuation that waits for the end of the pair.
    var pairEnd: CheckedContinuation<Void, Never>?

    var topics: [String: RedisTopic] = [:]
    /// Calls that wait for another call to subscribe to the same topic.
    var subscribing: [String: [CheckedContinuation<Void, Never>]] = [:]
    /// The members of this server, by topic and connection.
    var members: [String: [String: PresenceMember]] = [:]
    /// Members that have left, while the broker may not have been notified of it.
    var departures: [String: [String: PresenceMember]] = [:]
    var departureCount = 0
    /// True if there were too many departures to remember; then the broker receives the whole list.
    var hasLostDepartures = false
    var waiters: [UInt64: Waiter] = [:]
    var lastWaiter: UInt64 = 0
    /// The number of calls that wait for the broker or its reply.
    var waiting = 0
    var lastHeartbeat = Duration.zero
    var lastLease = Duration.zero
    var lastTouch = Duration.zero
    /// The topics whose state still has to be touched.
    var untouched: ArraySlice<String> = []

    init(
        _ address: RedisAddress, _ configuration: RedisFanOut.Configuration, on loop: any EventLoop, _ clock: NetClock,
        _ random: NetRandom
    ) {
        self.address = address
        self.configuration = configuration
        self.loop = loop
        self.clock = clock
        self.random = random
        executor = loop.executor
        keys = RedisKeys(prefix: configuration.prefix)
    }

    // MARK: Calls

    /// Calls the broker, on the current pair or, if the configuration allows it, on the next one.
    ///
    /// - Parameters:
    ///   - mayRepeat: If true, the call may be repeated if it is unknown whether the broker has performed it.
    ///   - body: Makes the call.
    func withPair<Value: Sendable>(
        mayRepeat: Bool, _ body: (RedisPair) async throws(NetError) -> Value
    ) async throws(NetError) -> Value {
        guard waiting < configuration.maximumWaiting else {
            throw NetError(
                .limited, phase: .preparing,
                message: "\(waiting) calls are waiting for the broker at \(address), which is the maximum",
                underlying: FanOutUnavailable(mayHaveArrived: false))
        }
        waiting += 1
        defer { waiting -= 1 }
        var deadline: Duration?
        if case .wait(let time) = configuration.outage { deadline = clock.now() + time }
        var mayHaveArrived = false
        while true {
            guard node != nil else { throw Self.notOpen }
            guard let pair, isReady else {
                guard let deadline, clock.now() < deadline else { throw away(mayHaveArrived) }
                try await untilReady(deadline)
                continue
            }
            let number = pairNumber
            do throws(NetError) {
                return try await body(pair)
            } catch {
                guard isOutage(error, of: number) else { throw refusal(error) }
                mayHaveArrived = mayHaveArrived || error.phase == .receiving
                guard deadline != nil, mayRepeat || !mayHaveArrived else { throw away(mayHaveArrived, error) }
            }
        }
    }

    /// Returns true if an error means that the broker is away. Closes a pair that is still open: its broker refuses
    /// writes, as a replica does, or has returned a malformed reply.
    private func isOutage(_ error: NetError, of number: Int) -> Bool {
        switch error.code {
        case .connectionLost, .connect, .timeout, .protocolViolation, .tls: break
        case .shutdown: return node != nil
        default: return false
        }
        if number == pairNumber, isReady {
            isReady = false
            outage = error
            pair?.close()
        }
        return true
    }

    /// Returns the error of a call that the broker, or the connection, doesn't accept now.
    private func refusal(_ error: NetError) -> NetError {
        guard error.code == .limited else { return error }
        return NetError(
            .limited, phase: error.phase, message: error.message, underlying: FanOutUnavailable(mayHaveArrived: false))
    }

    static let notOpen = NetError(.shutdown, phase: .preparing, message: "the fan-out engine isn't open")

    private func away(_ mayHaveArrived: Bool, _ error: NetError? = nil) -> NetError {
        guard node != nil else { return Self.notOpen }
        let reason = (error ?? outage)?.message ?? "it is not connected"
        return NetError(
            (error ?? outage)?.code ?? .connect, phase: mayHaveArrived ? .receiving : .connecting,
            message: "the broker at \(address) is unavailable: \(reason)",
            underlying: FanOutUnavailable(mayHaveArrived: mayHaveArrived))
    }

    func unreadable(_ what: String) -> NetError {
        NetError(
            .protocolViolation, phase: .receiving,
            message: "the broker at \(address) sent a reply that can't be read (\(what))")
    }

    // MARK: Waiting

    /// Waits until the broker is available, or the deadline has passed.
    private func untilReady(_ deadline: Duration) async throws(NetError) {
        lastWaiter += 1
        let id = lastWaiter
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if isReady || Task.isCancelled { return continuation.resume() }
                waiters[id] = Waiter(deadline: deadline, continuation: continuation)
            }
        } onCancel: { [loop] in
            loop.execute { self.assumeIsolated { $0.waiters.removeValue(forKey: id)?.continuation.resume() } }
        }
        if Task.isCancelled {
            throw NetError(
                .cancelled, phase: .connecting,
                message: "the task was cancelled while the broker at \(address) was unavailable")
        }
    }

    func releaseWaiters(until now: Duration? = nil) {
        for (id, waiter) in waiters where now.map({ waiter.deadline <= $0 }) ?? true {
            waiters[id] = nil
            waiter.continuation.resume()
        }
    }
}
#endif
