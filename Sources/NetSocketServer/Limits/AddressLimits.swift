#if Server
internal import NetCore

/// Counts connections in total, by address and by user, and handshakes by address. Pure; time is passed in.
///
/// Each connection is admitted once (``connect(_:at:)``), may be named after its authentication (``identify(_:as:)``), and is
/// released once (``disconnect(_:at:)``), with the ticket that it was given. A refused handshake holds nothing.
///
/// Addresses without connections are forgotten when their rate is as if they had never been there; beyond
/// ``maximumIdleAddresses`` the oldest are forgotten earlier.
package struct AddressLimits: Sendable {
    /// The limit that refuses.
    package enum Limit: String, Sendable, Hashable, CaseIterable {
        case connections, connectionsPerAddress, connectionsPerUser, handshakesPerAddress

        /// The status of the response: 503 (RFC 9110 section 15.6.4) if the server is full, 429 (RFC 6585 section 4) otherwise.
        package var status: Int { self == .connections ? 503 : 429 }
    }

    /// What follows from a handshake.
    package enum Verdict: Sendable, Hashable {
        case admit(Ticket)
        /// `retryAfter` is in whole seconds, at least 1.
        case refuse(Limit, retryAfter: Int)
    }

    /// A connection that is counted.
    package struct Ticket: Sendable, Hashable {
        fileprivate let number: UInt64
    }

    private struct Address: Sendable {
        var connections = 0
        var handshakes: RateBucket?
        /// Whether it waits to be forgotten.
        var isIdle = false
    }

    private struct Connection: Sendable {
        var address: String?
        var user: String?
    }

    /// The number of addresses without connections that are remembered for their rate.
    package static let maximumIdleAddresses = 100_000

    private let limits: SocketServerLimits
    private var connections: [UInt64: Connection] = [:]
    private var addresses: [String: Address] = [:]
    private var users: [String: Int] = [:]
    /// Addresses without connections, the oldest first, and when their buckets are full.
    private var idle = IdleAddresses()
    private var next: UInt64 = 0

    package init(_ limits: SocketServerLimits) {
        self.limits = limits
    }

    /// The number of connections.
    package var count: Int { connections.count }
    /// The number of addresses that are in memory.
    package var addressCount: Int { addresses.count }
    /// The number of addresses that wait to be forgotten.
    var idleCount: Int { idle.count }
    /// The number of users that are in memory.
    package var userCount: Int { users.count }
    /// The number of connections of a user.
    package func connections(of user: String) -> Int { users[user] ?? 0 }

    /// A client begins a handshake.
    package mutating func connect(_ client: ForwardedAddress, at now: Duration) -> Verdict {
        forget(now)
        let key = isLimited(client) ? client.limitKey : nil
        if let limit = refusal(key, now) { return limit }
        next += 1
        connections[next] = Connection(address: key)
        if let key { addresses[key, default: Address()].connections += 1 }
        return .admit(Ticket(number: next))
    }

    /// Who it is. Called once for a connection; when it returns a refusal, the connection is still to be released.
    package mutating func identify(_ ticket: Ticket, as user: String) -> Verdict {
        guard connections[ticket.number]?.user == nil else { return .admit(ticket) }
        if let maximum = limits.connectionsPerUser, users[user] ?? 0 >= maximum {
            return .refuse(.connectionsPerUser, retryAfter: Self.seconds(limits.retryAfter))
        }
        guard connections[ticket.number] != nil else { return .admit(ticket) }
        connections[ticket.number]?.user = user
        users[user, default: 0] += 1
        return .admit(ticket)
    }

    /// The connection has ended. A second time changes nothing.
    package mutating func disconnect(_ ticket: Ticket, at now: Duration) {
        guard let connection = connections.removeValue(forKey: ticket.number) else { return }
        if let user = connection.user, let count = users[user] { users[user] = count > 1 ? count - 1 : nil }
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

    /// Forgets an address without connections, now or when its rate doesn't matter any more.
    private mutating func release(_ key: String, _ now: Duration) {
        guard var address = addresses[key], address.connections == 0, !address.isIdle else { return }
        guard let limit = limits.handshakesPerAddress, address.handshakes?.isFull(now) == false else {
            addresses[key] = nil
            return
        }
        address.isIdle = true
        addresses[key] = address
        // The longest that a bucket takes, so that the queue is in the order of the times.
        idle.add(key, at: now + RateBucket.timeToFill(limit))
    }

    private mutating func forget(_ now: Duration) {
        while let key = idle.next(until: now, atMost: Self.maximumIdleAddresses) {
            addresses[key]?.isIdle = false
            guard addresses[key]?.connections == 0 else { continue }
            // It may have been used since.
            if addresses[key]?.handshakes?.isFull(now) == false, idle.count < Self.maximumIdleAddresses {
                release(key, now)
            } else {
                addresses[key] = nil
            }
        }
    }

    private static func seconds(_ time: Duration) -> Int {
        let (seconds, rest) = time.clampedComponents
        return max(1, Int(clamping: min(seconds, 1 << 31)) + (rest > 0 ? 1 : 0))
    }
}

/// A queue of addresses with times that don't decrease.
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
