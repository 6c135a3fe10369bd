#if Server
internal import NetCore

/// Counts connections in total, by address and by user, and handshakes by address. Pure: time is passed in.
///
/// Each connection is admitted once (``connect(_:at:)``), may be assigned to a user after each authentication
/// (``identify(_:as:)``), and is released once with its ticket (``disconnect(_:at:)``). A refused handshake holds
/// nothing.
///
/// An address without connections is forgotten once its rate bucket is full again; beyond ``maximumIdleAddresses``,
/// the oldest ones are forgotten earlier.
package struct AddressLimits: Sendable {
    /// The limit that was exceeded.
    package enum Limit: String, Sendable, Hashable, CaseIterable {
        case connections, connectionsPerAddress, connectionsPerUser, handshakesPerAddress

        /// The status of the response: 503 (RFC 9110 section 15.6.4) if the server is full, 429 (RFC 6585 section 4)
        /// otherwise.
        package var status: Int { self == .connections ? 503 : 429 }
    }

    /// The result of a handshake.
    package enum Verdict: Sendable, Hashable {
        case admit(Ticket)
        /// `retryAfter` is in whole seconds, at least 1.
        case refuse(Limit, retryAfter: Int)
    }

    /// A counted connection.
    package struct Ticket: Sendable, Hashable {
        fileprivate let number: UInt64
    }

    private struct Address: Sendable {
        var connections = 0
        var handshakes: RateBucket?
        /// True if the address is waiting to be forgotten.
        var isIdle = false
    }

    private struct Connection: Sendable {
        var address: String?
        var user: String?
    }

    /// The maximum number of addresses without connections that are remembered for their rate.
    package static let maximumIdleAddresses = 100_000

    private let limits: SocketServerLimits
    private var connections: [UInt64: Connection] = [:]
    private var addresses: [String: Address] = [:]
    private var users: [String: Int] = [:]
    /// The addresses without connections, the oldest first, and the times at which their buckets are full.
    private var idle = IdleAddresses()
    private var next: UInt64 = 0

    package init(_ limits: SocketServerLimits) {
        self.limits = limits
    }

    /// The number of connections.
    package var count: Int { connections.count }
    /// The number of addresses in memory.
    package var addressCount: Int { addresses.count }
    /// The number of addresses that wait to be forgotten.
    var idleCount: Int { idle.count }
    /// The number of users in memory.
    package var userCount: Int { users.count }
    /// The number of connections of a user.
    package func connections(of user: String) -> Int { users[user] ?? 0 }

    /// Counts a client that starts a handshake.
    package mutating func connect(_ client: ForwardedAddress, at now: Duration) -> Verdict {
        forget(now)
        let key = isLimited(client) ? client.limitKey : nil
        if let limit = refusal(key, now) { return limit }
        next += 1
        connections[next] = Connection(address: key)
        if let key { addresses[key, default: Address()].connections += 1 }
        return .admit(Ticket(number: next))
    }

    /// Assigns a connection to a user, or to none, instead of its former user. If it returns a refusal, nothing has
    /// changed, and the connection must still be released.
    package mutating func identify(_ ticket: Ticket, as user: String?) -> Verdict {
        guard let connection = connections[ticket.number], connection.user != user else { return .admit(ticket) }
        if let user, let maximum = limits.connectionsPerUser, users[user] ?? 0 >= maximum {
            return .refuse(.connectionsPerUser, retryAfter: Self.seconds(limits.retryAfter))
        }
        if let former = connection.user { releaseUser(former) }
        if let user { users[user, default: 0] += 1 }
        connections[ticket.number]?.user = user
        return .admit(ticket)
    }

    private mutating func releaseUser(_ user: String) {
        if let count = users[user] { users[user] = count > 1 ? count - 1 : nil }
    }

    /// Releases a connection that has ended. A second call has no effect.
    package mutating func disconnect(_ ticket: Ticket, at now: Duration) {
        guard let connection = connections.removeValue(forKey: ticket.number) else { return }
        if let user = connection.user { releaseUser(user) }
        if let key = connection.address {
            addresses[key]?.connections -= 1
            release(key, now)
        }
        forget(now)
    }

    private func isLimited(_ client: ForwardedAddress) -> Bool {
        limits.limitsPrivateAddresses || client.name != nil || !TrustedProxies.privateNetworks.contains(client.address)
    }

    private mutating func refusal(_ key: String?, _ now: Duration) -> Verdict? {
        if let maximum = limits.connections, connections.count >= maximum {
            return .refuse(.connections, retryAfter: Self.seconds(limits.retryAfter))
        }
        guard let key else { return nil }
        if let limit = limits.handshakesPerAddress {
            var address = addresses[key] ?? Address()
            var bucket = address.handshakes ?? RateBucket(limit, now)
            let time = bucket.take(1, now)
            address.handshakes = bucket
            addresses[key] = address
            release(key, now)
            if let time { return .refuse(.handshakesPerAddress, retryAfter: Self.seconds(time - now)) }
        }
        if let maximum = limits.connectionsPerAddress, addresses[key]?.connections ?? 0 >= maximum {
            return .refuse(.connectionsPerAddress, retryAfter: Self.seconds(limits.retryAfter))
        }
        return nil
    }

    // MARK: What is kept

    /// Forgets an address without connections, immediately or when its rate bucket is full.
    private mutating func release(_ key: String, _ now: Duration) {
        guard var address = addresses[key], address.connections == 0, !address.isIdle else { return }
        guard let limit = limits.handshakesPerAddress, address.handshakes?.isFull(now) == false else {
            addresses[key] = nil
            return
        }
        address.isIdle = true
        addresses[key] = address
        // The longest time to fill a bucket, so that the queue is ordered by time.
        idle.add(key, at: now + RateBucket.timeToFill(limit))
    }

    private mutating func forget(_ now: Duration) {
        while let key = idle.next(until: now, atMost: Self.maximumIdleAddresses) {
            addresses[key]?.isIdle = false
            guard addresses[key]?.connections == 0 else { continue }
            // The address may have been used since.
            if addresses[key]?.handshakes?.isFull(now) == false, idle.count < Self.maximumIdleAddresses {
                release(key, now)
            } else {
                addresses[key] = nil
            }
        }
    }

    /// Returns a time as whole seconds, at least 1.
    static func seconds(_ time: Duration) -> Int {
        let (seconds, rest) = time.clampedComponents
        return max(1, Int(clamping: min(seconds, 1 << 31)) + (rest > 0 ? 1 : 0))
    }
}

/// A queue of addresses with nondecreasing times.
private struct IdleAddresses: Sendable {
    private var entries: [(key: String, time: Duration)] = []
    private var head = 0

    var count: Int { entries.count - head }

    mutating func add(_ key: String, at time: Duration) { entries.append((key, time)) }

    /// Removes and returns the first address if its time has come, or if there are too many.
    mutating func next(until now: Duration, atMost maximum: Int) -> String? {
        guard head < entries.count, entries[head].time <= now || count > maximum else { return nil }
        let key = entries[head].key
        entries[head].key = ""
        head += 1
        if head == entries.count || head > 64 && head > entries.count / 2 {
            entries.removeFirst(head)
            head = 0
        }
        return key
    }
}
#endif
