#if os(Linux) && Server
import Foundation
import NIOCore
import NetCore
@testable import NetSocketServer
import NetSocketCore
import Synchronization
import TestSupport
import Testing

/// One server on a port of this machine under every flood at once, a hundred thousand connects that end in every way, and a
/// drain of five thousand connections that work. Only where a long run is asked for (`scripts/soak socket-server`).
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: ProcessInfo.processInfo.environment["NET_SOAK"] == "1"))
struct SocketServerSoakTests {
    private static let connects = 100_000
    private static let slack = 48 << 20

    // MARK: Floods

    @Test func floodsTogetherHoldUpNobodyAndLeaveNothing() async throws {
        try await PortWorld.run(SoakPeers.router()) {
            $0.limits = SocketServerLimits()
            $0.limits.connections = 5000
            $0.limits.connectionsPerUser = nil
            $0.limits.pendingHandshakes = 200
            $0.limits.handshakeTime = .seconds(2)
            $0.closeTimeout = .seconds(2)
            $0.compression = .withoutContext
            $0.maximumOutboxBytes = 256 << 10
        } body: { world in
            try await world.runFloods(for: .seconds(2))
            try await world.expectNothingLeft()
            let before = SoakProcess.now
            try await world.sleepAmongAThousand()
            let memory = SoakProcess.now.memory - before.memory
            let waits = try await world.runFloods(for: .seconds(60))
            try await world.expectNothingLeft()
            let after = SoakProcess.now
            print(
                "soak: a thousand readers, memory +\(memory >> 20) MiB; floods for 60 s, memory",
                "+\((after.memory - before.memory) >> 20) MiB, descriptors \(before.descriptors) and",
                "\(after.descriptors), \(waits.count) commands of a quiet client, the slowest \(waits.max() ?? .zero)",
                "p99 \(waits.sorted().dropLast(waits.count / 100).last ?? .zero)")
            print(
                "soak: closed and refused:",
                world.metrics.text().split(separator: "\n").filter {
                    ($0.contains("closed{") || $0.contains("refused{") || $0.contains("dropped{"))
                        && !$0.hasSuffix(" 0")
                }.map { $0.replacing("swift_net_server_websocket_", with: "") }.joined(separator: "; "))
            #expect(waits.max() ?? .zero < .milliseconds(250))
            #expect(after.memory - before.memory < Self.slack)
            #expect(after.descriptors <= before.descriptors)
        }
    }

    // MARK: Connects

    @Test func connectsThatEndInEveryWayLeaveNothing() async throws {
        try await PortWorld.run(SoakPeers.router()) {
            $0.limits.handshakeTime = .seconds(2)
            $0.closeTimeout = .seconds(2)
            $0.sessionRetention = .seconds(1)
        } body: { world in
            await world.connect(2000)
            try await world.expectNothingLeft()
            let before = SoakProcess.now
            await world.connect(Self.connects)
            try await world.expectNothingLeft()
            let after = SoakProcess.now
            print(
                "soak: \(Self.connects) connects, \(world.metrics.acceptedConnections) of them WebSockets, memory",
                "+\((after.memory - before.memory) >> 10) KiB, descriptors \(before.descriptors) and",
                "\(after.descriptors)")
            #expect(after.memory - before.memory < Self.slack)
            #expect(after.descriptors <= before.descriptors)
        }
    }

    // MARK: Draining

    @Test func aDrainOfFiveThousandLosesNoCommand() async throws {
        let count = 5000
        let (begun, answered, ended) = (SoakCounter(), SoakCounter(), SoakCounter())
        let reasons = Locked<[Duration]>([])
        var router = SocketRouter<User>()
        router.on(Say.self, order: .concurrent) { say, context in
            begun.add()
            let random = context.connection.id.description.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFF }
            try? await Task.sleep(for: .milliseconds(random))
            return .init(text: say.text)
        }
        let began = Locked<ContinuousClock.Instant?>(nil)
        try await PortWorld.run(router, { $0.drainTimeout = .seconds(20) }) { world in
            var behavior = RawPeer.Behavior()
            (behavior.keepsEvents, behavior.answersClose) = (false, true)
            behavior.reply = { message in
                guard message.text?.contains("\"ok\"") == true else { return nil }
                answered.add()
                return RawFrame.text(RawFrame.say("more"))
            }
            let peers = try await SoakPeers.many(count, behavior, world)
            for peer in peers { for id in 1...2 { peer.push(RawFrame.text(RawFrame.say("first", id: id))) } }
            await world.wait { answered.value > count * 3 }
            began.change { $0 = .now }
            world.server.stop()
            for peer in peers {
                await peer.wait { peer.isClosed }
                if peer.closeCode == 1001 { ended.add() }
                if let wait = RetryAfterReason.wait(in: peer.closeReason ?? "") { reasons.change { $0.append(wait) } }
            }
        }
        let time = began.value.map { ContinuousClock.now - $0 } ?? .zero
        print("soak: drained \(count) connections in \(time), \(begun.value) commands, \(answered.value) answered")
        #expect(begun.value == answered.value)
        #expect(ended.value == count)
        #expect(time < .seconds(25))
        // One in each part of ten seconds.
        let sorted = reasons.value.map(\.inSeconds).sorted()
        #expect(sorted.count == count)
        for (index, wait) in sorted.enumerated() {
            let start = Double(index) * 10 / Double(count)
            #expect(wait > start - 0.01 && wait < start + 0.02)
        }
    }
}

final class SoakCounter: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }
    func add() { number.add(1, ordering: .relaxed) }
}

/// Memory and descriptors of this process.
struct SoakProcess {
    var memory: Int
    var descriptors: Int

    static var now: SoakProcess {
        let status = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return SoakProcess(memory: pages * 4096, descriptors: names.count)
    }
}
#endif
