#if os(Linux) && Server
import Foundation
import Logging
import NIOCore
import NetCore
@testable import NetSocketServer
import NetSocketCore
import Synchronization
import TestSupport
import Testing

/// One server on a port of this machine with all floods concurrently, a hundred thousand connections that end in every
/// way, and a drain of five thousand active connections. Runs only in a long run (`scripts/soak socket-server`).
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: ProcessInfo.processInfo.environment["NET_SOAK"] == "1"))
struct SocketServerSoakTests {
    private static let connects = 100_000
    private static let slack = 48 << 20

    // MARK: Floods

    @Test func floodsTogetherHoldUpNobodyAndLeaveNothing() async throws {
        let log = Locked<[String: Int]>([:])
        try await PortWorld.run(SoakPeers.router()) {
            $0.logger = Logger(label: "soak") { _ in CountingLog(counts: log) }
            $0.limits = SocketServerLimits()
            $0.limits.connections = 5000
            $0.limits.connectionsPerUser = nil
            $0.limits.pendingHandshakes = 200
            // A debug build takes thirty times as long per byte.
            $0.limits.messages = SocketRateLimit(perSecond: 100, burst: 300)
            $0.limits.bytes = SocketRateLimit(perSecond: 1_000_000, burst: 4_000_000)
            $0.limits.handshakeTime = .seconds(2)
            $0.closeTimeout = .seconds(2)
            $0.compression = .withoutContext
            $0.maximumOutboxBytes = 256 << 10
        } body: { world in
            try await world.expectAnswer()
            try await Self.flood(world.port, .seconds(5))
            try await world.expectNothingLeft()
            let first = SoakProcess.now
            try await world.sleepAmongAThousand()
            try await world.expectNothingLeft()
            let before = SoakProcess.now
            let isOver = Locked(false)
            async let quiet = world.askUntil { isOver.value }
            try await Self.flood(world.port, .seconds(60))
            isOver.change { $0 = true }
            let waits = try await quiet
            try await world.expectNothingLeft()
            let after = SoakProcess.now
            let worst = waits.max() ?? .zero
            let most = waits.sorted().dropLast(waits.count / 100).last ?? .zero
            print(
                "soak: a thousand readers, memory +\((before.memory - first.memory) >> 20) MiB; floods for 60 s, memory",
                "+\((after.memory - before.memory) >> 20) MiB, descriptors \(before.descriptors) and",
                "\(after.descriptors); \(waits.count) commands of a quiet client, 99 of 100 within \(most), the slowest",
                "\(worst)")
            print(
                "soak: log:",
                log.value.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: "; "))
            // The maximum is affected by other load on the machine.
            #expect(most < .milliseconds(250))
            #expect(before.memory - first.memory < 100 << 20)
            #expect(after.memory - before.memory < Self.slack)
            #expect(after.descriptors <= before.descriptors)
        }
    }

    /// Runs all floods from a separate process: the measurements of this one are then only the server's.
    private static func flood(_ port: Int, _ time: Duration) async throws {
        let seconds = Int(time.components.seconds)
        _ = await #expect(processExitsWith: .success) {
            [port = port as Int, seconds = seconds as Int] in
            try await SoakPeers.flood(port, for: .seconds(seconds))
        }
    }

    // MARK: Connects

    @Test func connectsThatEndInEveryWayLeaveNothing() async throws {
        try await PortWorld.run(SoakPeers.router()) {
            $0.logger = Logger(label: "soak") { _ in CountingLog(counts: Locked([:])) }
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
        try await PortWorld.run(router) {
            $0.logger = Logger(label: "soak") { _ in CountingLog(counts: Locked([:])) }
            $0.drainTimeout = .seconds(20)
        } body: { world in
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
            #expect(wait > start - 0.01)
            #expect(wait < start + 0.02)
        }
    }
}

final class SoakCounter: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }
    func add() { number.add(1, ordering: .relaxed) }
}

/// Counts the lines of a log by their messages and reasons, so that it uses little memory.
struct CountingLog: LogHandler {
    let counts: Locked<[String: Int]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(counts: Locked<[String: Int]>) {
        self.counts = counts
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let reason =
            ["reason", "violation", "code"].lazy.compactMap { event.metadata?[$0] }.first.map { ": \($0)" } ?? ""
        // A reason may contain a delay.
        let line = "\(event.message)\(reason.prefix { !$0.isNumber })"
        counts.change { $0[line, default: 0] += 1 }
    }
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
