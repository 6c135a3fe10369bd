#if Server
import NetCore
import NetTesting
import Testing

@testable import NetSocketServer

@Suite struct AddressLimitsTests {
    private func client(_ text: String) -> ForwardedAddress { ForwardedAddress(PeerAddress(text)) }

    private func limits(_ change: (inout SocketServerLimits) -> Void) -> AddressLimits {
        var limits = SocketServerLimits.unlimited
        change(&limits)
        return AddressLimits(limits)
    }

    private func ticket(_ verdict: AddressLimits.Verdict) throws -> AddressLimits.Ticket {
        guard case .admit(let ticket) = verdict else {
            Issue.record("refused: \(verdict)")
            throw CancellationError()
        }
        return ticket
    }

    @Test func `Connections are limited in total`() throws {
        var limits = limits { $0.connections = 2 }
        let first = try ticket(limits.connect(client("192.0.2.1"), at: .zero))
        _ = try ticket(limits.connect(client("192.0.2.2"), at: .zero))
        #expect(limits.connect(client("192.0.2.3"), at: .zero) == .refuse(.connections, retryAfter: 5))
        limits.disconnect(first, at: .zero)
        limits.disconnect(first, at: .zero)
        #expect(limits.count == 1)
        _ = try ticket(limits.connect(client("192.0.2.3"), at: .zero))
        #expect(limits.connect(client("192.0.2.3"), at: .zero) == .refuse(.connections, retryAfter: 5))
    }

    @Test func `Connections are limited by address, IPv6 by network`() throws {
        var limits = limits { $0.connectionsPerAddress = 1 }
        let first = try ticket(limits.connect(client("192.0.2.1"), at: .zero))
        #expect(limits.connect(client("192.0.2.1"), at: .zero) == .refuse(.connectionsPerAddress, retryAfter: 5))
        _ = try ticket(limits.connect(client("192.0.2.2"), at: .zero))
        _ = try ticket(limits.connect(client("2001:db8::1"), at: .zero))
        #expect(limits.connect(client("2001:db8::2"), at: .zero) == .refuse(.connectionsPerAddress, retryAfter: 5))
        _ = try ticket(limits.connect(client("2001:db8:0:1::1"), at: .zero))
        _ = try ticket(limits.connect(ForwardedAddress(hidden: "_a"), at: .zero))
        #expect(
            limits.connect(ForwardedAddress(hidden: "_a"), at: .zero) == .refuse(.connectionsPerAddress, retryAfter: 5))
        limits.disconnect(first, at: .zero)
        _ = try ticket(limits.connect(client("192.0.2.1"), at: .zero))
    }

    @Test func `Connections are limited by user`() throws {
        var limits = limits { $0.connectionsPerUser = 2 }
        let tickets = try (0..<3).map { _ in try ticket(limits.connect(client("192.0.2.1"), at: .zero)) }
        #expect(limits.identify(tickets[0], as: "ada") == .admit(tickets[0]))
        #expect(limits.identify(tickets[1], as: "ada") == .admit(tickets[1]))
        #expect(limits.identify(tickets[2], as: "ada") == .refuse(.connectionsPerUser, retryAfter: 5))
        #expect(limits.connections(of: "ada") == 2)
        limits.disconnect(tickets[2], at: .zero)
        #expect(limits.connections(of: "ada") == 2)
        limits.disconnect(tickets[0], at: .zero)
        #expect(limits.connections(of: "ada") == 1)
        let again = try ticket(limits.connect(client("192.0.2.1"), at: .zero))
        #expect(limits.identify(again, as: "ada") == .admit(again))
        #expect(limits.identify(again, as: "ada") == .admit(again))
        #expect(limits.connections(of: "ada") == 2)
    }

    @Test func `A connection that gets another user counts only for that one`() throws {
        var limits = limits { $0.connectionsPerUser = 1 }
        let tickets = try (0..<2).map { _ in try ticket(limits.connect(client("192.0.2.1"), at: .zero)) }
        _ = limits.identify(tickets[0], as: "ann")
        #expect(limits.identify(tickets[0], as: "bob") == .admit(tickets[0]))
        #expect(limits.connections(of: "ann") == 0)
        #expect(limits.connections(of: "bob") == 1)
        #expect(limits.identify(tickets[1], as: "bob") == .refuse(.connectionsPerUser, retryAfter: 5))
        #expect(limits.identify(tickets[0], as: nil) == .admit(tickets[0]))
        #expect(limits.userCount == 0)
        limits.disconnect(tickets[0], at: .zero)
        #expect(limits.userCount == 0)
    }

    @Test func `A connection that has ended is no user's`() throws {
        var limits = limits { $0.connectionsPerUser = 2 }
        let ticket = try ticket(limits.connect(client("192.0.2.1"), at: .zero))
        limits.disconnect(ticket, at: .zero)
        _ = limits.identify(ticket, as: "ada")
        #expect(limits.userCount == 0)
    }

    @Test func `Handshakes are limited by address, and the client is told when to come back`() throws {
        var limits = limits { $0.handshakesPerAddress = SocketRateLimit(perSecond: 0.5, burst: 3) }
        for _ in 0..<3 { _ = try ticket(limits.connect(client("192.0.2.1"), at: .zero)) }
        #expect(limits.connect(client("192.0.2.1"), at: .zero) == .refuse(.handshakesPerAddress, retryAfter: 3))
        #expect(limits.connect(client("192.0.2.1"), at: .seconds(1)) == .refuse(.handshakesPerAddress, retryAfter: 2))
        #expect(
            limits.connect(client("192.0.2.1"), at: .milliseconds(1900))
                == .refuse(.handshakesPerAddress, retryAfter: 1))
        _ = try ticket(limits.connect(client("192.0.2.2"), at: .seconds(1)))
        _ = try ticket(limits.connect(client("192.0.2.1"), at: .seconds(2)))
        #expect(limits.connect(client("192.0.2.1"), at: .seconds(2)) == .refuse(.handshakesPerAddress, retryAfter: 3))
    }

    /// Behind an unlisted proxy, every client has the proxy's address, and a limit would lock all of them out.
    @Test(arguments: ["127.0.0.1", "10.1.2.3", "::1", "fd00::1", "192.168.1.1"])
    func `Private addresses aren't limited unless that is asked for`(_ address: String) throws {
        var open = limits { $0.connectionsPerAddress = 1 }
        for _ in 0..<5 { _ = try ticket(open.connect(client(address), at: .zero)) }
        #expect(open.addressCount == 0)
        var closed = limits {
            $0.connectionsPerAddress = 1
            $0.limitsPrivateAddresses = true
        }
        _ = try ticket(closed.connect(client(address), at: .zero))
        #expect(closed.connect(client(address), at: .zero) == .refuse(.connectionsPerAddress, retryAfter: 5))
    }

    @Test func `Peers without an address count in total only`() throws {
        var limits = limits {
            ($0.connections, $0.connectionsPerAddress, $0.limitsPrivateAddresses) = (2, 1, true)
        }
        for _ in 0..<2 { _ = try ticket(limits.connect(ForwardedAddress(nil), at: .zero)) }
        #expect(limits.connect(ForwardedAddress(nil), at: .zero) == .refuse(.connections, retryAfter: 5))
    }

    @Test(arguments: [(0.0, 1), (0.2, 1), (1.0, 1), (1.5, 2), (60.0, 60), (1e15, 1 << 31)])
    func `Times are whole seconds, at least one`(_ seconds: Double, _ expected: Int) throws {
        var limits = limits {
            $0.connections = 0
            $0.retryAfter = .seconds(seconds)
        }
        #expect(limits.connect(client("192.0.2.1"), at: .zero) == .refuse(.connections, retryAfter: expected))
    }

    // MARK: Bounds

    @Test func `An address is forgotten when its connections have ended and its rate doesn't matter`() throws {
        var limits = limits { $0.handshakesPerAddress = SocketRateLimit(perSecond: 10, burst: 50) }
        for number in 0..<200 {
            let ticket = try ticket(limits.connect(client("192.0.2.\(number)"), at: .zero))
            _ = limits.identify(ticket, as: "user \(number)")
            limits.disconnect(ticket, at: .zero)
        }
        #expect(limits.addressCount == 200)
        #expect(limits.userCount == 0)
        _ = try ticket(limits.connect(client("203.0.113.1"), at: .seconds(6)))
        #expect(limits.addressCount == 1)
    }

    @Test func `An address that comes and goes waits once to be forgotten`() throws {
        var limits = limits { $0.handshakesPerAddress = SocketRateLimit(perSecond: 1000, burst: 5000) }
        for _ in 0..<100 {
            limits.disconnect(try ticket(limits.connect(client("192.0.2.1"), at: .zero)), at: .zero)
        }
        #expect(limits.idleCount == 1)
    }

    @Test func `A full server answers 503, other limits 429`() {
        #expect(AddressLimits.Limit.allCases.map(\.status) == [503, 429, 429, 429])
    }

    @Test func `Without a rate, an address is forgotten with its last connection`() throws {
        var limits = limits { $0.connectionsPerAddress = 5 }
        let tickets = try (0..<2).map { _ in try ticket(limits.connect(client("192.0.2.1"), at: .zero)) }
        limits.disconnect(tickets[0], at: .zero)
        #expect(limits.addressCount == 1)
        limits.disconnect(tickets[1], at: .zero)
        #expect(limits.addressCount == 0)
        _ = limits.connect(client("192.0.2.1"), at: .zero)
    }

    @Test func `Refused handshakes from countless addresses leave a bounded number of them`() {
        var limits = limits {
            $0.connections = 0
            $0.handshakesPerAddress = SocketRateLimit(perSecond: 0.001, burst: 10)
        }
        for number in 0..<1000 {
            _ = limits.connect(ForwardedAddress(PeerAddress(ipv4: UInt32(number) << 8)), at: .zero)
        }
        #expect(limits.addressCount == 0)
        limits = self.limits {
            $0.connectionsPerAddress = 0
            $0.handshakesPerAddress = SocketRateLimit(perSecond: 0.001, burst: 10)
        }
        let count = AddressLimits.maximumIdleAddresses
        for number in 0..<count + 1000 {
            let address = PeerAddress(high: 0x2001_0db8 << 32 | UInt64(number), low: 1)
            _ = limits.connect(ForwardedAddress(address), at: .zero)
        }
        #expect(limits.addressCount <= count + 1)
    }

    @Test(arguments: 1...10) func `Counts always match the open connections`(_ seed: UInt64) {
        var random = SeededRandom(seed: seed).netRandom
        var limits = limits {
            ($0.connections, $0.connectionsPerAddress, $0.connectionsPerUser) = (20, 4, 5)
            $0.handshakesPerAddress = SocketRateLimit(perSecond: 2, burst: 6)
        }
        var (open, now) = ([(ticket: AddressLimits.Ticket, address: String, user: String?)](), Duration.zero)
        for _ in 0..<2000 {
            now += .milliseconds(Int.random(in: 0..<200, using: &random))
            if Bool.random(using: &random), !open.isEmpty {
                limits.disconnect(open.remove(at: Int.random(in: 0..<open.count, using: &random)).ticket, at: now)
            } else {
                let address = "192.0.2.\(Int.random(in: 0..<8, using: &random))"
                if case .admit(let ticket) = limits.connect(client(address), at: now) {
                    let user = "\(Int.random(in: 0..<5, using: &random))"
                    let isUser = limits.identify(ticket, as: user) == .admit(ticket)
                    open.append((ticket, address, isUser ? user : nil))
                }
            }
            #expect(limits.count == open.count)
            #expect(limits.userCount == Set(open.compactMap(\.user)).count)
            #expect(Dictionary(grouping: open, by: \.address).values.allSatisfy { $0.count <= 4 })
            #expect(Dictionary(grouping: open.compactMap(\.user), by: \.self).values.allSatisfy { $0.count <= 5 })
        }
        for one in open { limits.disconnect(one.ticket, at: now) }
        _ = limits.connect(ForwardedAddress(nil), at: now + .seconds(20))
        _ = limits.connect(ForwardedAddress(nil), at: now + .seconds(40))
        #expect(limits.addressCount == 0)
        #expect(limits.userCount == 0)
    }
}
#endif
