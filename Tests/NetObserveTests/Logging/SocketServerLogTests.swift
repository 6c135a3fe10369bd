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
        .gap(topic: "room:a"), .fanOutAway(reason: "refused"), .fanOutBack, .drainBegan(connections: 2),
        .drainEnded(cutOff: 1),
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
        _ kinds: [SocketServerActivity.Kind] = Self.kinds,
        with metadata: @escaping @Sendable (Logger.Metadata) -> Logger.MetadataValue? = { _ in nil }
    ) -> [String] {
        let lines = Locked<[String]>([])
        var logger = Logger(label: "test") { _ in Handler(lines: lines, shown: metadata) }
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
                "info ✗ handshake refused", "info ⇄ opened, json, subprotocol chat", "info · authenticated",
                "info ⇄ joined", "info ✗ join of room:* refused", "info → command", "warning ✗ command",
                "info ✗ command", "warning ✗ command", "info ← subscription 3", "info → subscription 3 ended",
                "warning ✗ pushes not sent", "info · left", "info · closed here",
                "warning ✗ pushes of a channel were lost", "warning ✗ the server is cut off from the others",
                "info ⇄ the server is connected to the others again", "info · the server is stopping; 2 connections",
                "warning ✗ the server has stopped; 1 connections were cut off",
            ])
    }

    @Test func `Less detail has the ends and the trouble`() {
        let lines = lines(.minimal)
        #expect(lines.count == 10)
        #expect(!lines.contains { $0.contains("joined") || $0.contains("opened") })
        #expect(self.lines(.standard, level: .warning).count == 6)
        #expect(SocketServerLog(logger: Logger(label: "test"), detail: .none).interest.isEmpty)
    }

    @Test func `A name can't begin another line`() {
        let lines = lines(
            .standard, level: .trace, [.joined(topic: "room:\na"), .notJoined(pattern: "a\nb", code: "c")]
        ) { $0["topic"] }
        #expect(lines == ["info ⇄ joined room:\\na", "info ✗ join of a\\nb refused"])
    }

    @Test func `Metadata isn't repeated in the text`() {
        #expect(
            lines(.standard, level: .trace, [.command(Self.command(.failed, code: "internal_error"))]) { $0["outcome"] }
                == [
                    "warning ✗ command failed"
                ])
        #expect(
            lines(.standard, level: .trace, [.command(Self.command(.success))]) { $0["event"] } == [
                "info → command say"
            ])
        #expect(
            lines(.standard, level: .trace, [.dropped(7, .slow)]) { $0["count"] } == ["warning ✗ pushes not sent 7"])
        #expect(
            lines(.standard, level: .trace, [.closed(.goingAway, isByPeer: false)]) { $0["code"] } == [
                "info · closed here 1001"
            ])
    }

    private struct Handler: LogHandler {
        let lines: Locked<[String]>
        let shown: @Sendable (Logger.Metadata) -> Logger.MetadataValue?
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        init(lines: Locked<[String]>, shown: @escaping @Sendable (Logger.Metadata) -> Logger.MetadataValue?) {
            (self.lines, self.shown) = (lines, shown)
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let value = shown(event.metadata ?? [:]).map { " \($0)" } ?? ""
            lines.change { $0.append("\(event.level) \(event.message)\(value)") }
        }
    }
}
