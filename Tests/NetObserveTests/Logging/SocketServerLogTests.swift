import Logging
import NetCore
import NetObserve
import TestSupport
import Testing

@Suite struct SocketServerLogTests {
    private static let kinds: [SocketServerActivity.Kind] = [
        .refused(.unauthorized, status: 401), .opened(.init(wire: "json", subprotocol: "chat", isAuthenticated: true)),
        .authenticated, .joined(topic: "room:a"), .notJoined(pattern: "room:*", code: "forbidden"),
        .command(command(.success)), .command(command(.failed, code: "internal_error")),
        .command(command(.rejected, code: "closed")), .command(command(.timeout, code: "timeout")), .subscribed(3),
        .unsubscribed(3, code: nil), .dropped(7, .slow), .left(topic: "room:a"), .closed(.goingAway, isByPeer: false),
        .drainBegan(connections: 2), .drainEnded(cutOff: 1),
    ]

    private static func command(
        _ outcome: SocketServerActivity.Outcome, code: String? = nil
    ) -> SocketServerActivity.Command {
        var command = SocketServerActivity.Command(
            event: "say", topic: "room:a", wantsReply: true, executor: .pool, isSerial: true)
        (command.outcome, command.code, command.duration) = (outcome, code, .milliseconds(12))
        return command
    }

    private func lines(
        _ detail: LoggingMiddleware.Detail, level: Logger.Level = .trace,
        _ kinds: [SocketServerActivity.Kind] = Self.kinds
    ) -> [String] {
        let lines = Locked<[String]>([])
        var logger = Logger(label: "test") { _ in Handler(lines: lines) }
        logger.logLevel = level
        let log = SocketServerLog(logger: logger, detail: detail)
        let id = CallID(high: 1, low: 2)
        for (index, kind) in kinds.enumerated() {
            var isRefusal = false
            if case .refused = kind { isRefusal = true }
            log.record(
                SocketServerActivity(
                    server: id, connection: isRefusal ? nil : id, sequence: index + 1, date: NetClock.system.date(),
                    elapsed: .seconds(1), path: isRefusal ? nil : "/socket", kind: kind))
        }
        return lines.value
    }

    @Test func `Each activity is a line, and trouble is a warning`() {
        #expect(
            lines(.standard) == [
                "info ✗ handshake refused with 401: unauthorized", "info ⇄ /socket opened, json, subprotocol chat",
                "info · /socket authenticated", "info ⇄ /socket joined room:a",
                "info ✗ /socket join of room:*: refused with forbidden", "info → /socket say in room:a in 0.012 s",
                "warning ✗ /socket say in room:a after 0.012 s: failed, internal_error",
                "info ✗ /socket say in room:a after 0.012 s: rejected, closed",
                "warning ✗ /socket say in room:a after 0.012 s: timeout", "info ← /socket subscription 3",
                "info → /socket subscription 3 ended", "warning ✗ /socket 7 pushes not sent: slow",
                "info · /socket left room:a", "info · /socket closed 1001 here",
                "info · the server stops; 2 connections",
                "warning ✗ the server has stopped; 1 connections were cut off",
            ])
    }

    @Test func `Less detail has the ends and the trouble`() {
        let lines = lines(.minimal)
        #expect(lines.count == 7)
        #expect(!lines.contains { $0.contains("joined") || $0.contains("opened") })
        #expect(self.lines(.standard, level: .warning).count == 4)
        #expect(SocketServerLog(logger: Logger(label: "test"), detail: .none).interest.isEmpty)
    }

    @Test func `A name can't begin another line`() {
        let lines = lines(.standard, [.joined(topic: "room:\na")])
        #expect(lines == ["info ⇄ /socket joined room:\\na"])
    }

    private struct Handler: LogHandler {
        let lines: Locked<[String]>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        init(lines: Locked<[String]>) { self.lines = lines }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.change { $0.append("\(event.level) \(event.message)") } }
    }
}
