#if Server
import NetCore
import NetSocketServer

/// The defaults of a WebSocket server, as listed in docs/defaults.md.
enum SocketServerDefaults {
    static var rows: [String: String] {
        configuration.merging(limits) { first, _ in first }.merging(channels) { first, _ in first }
    }

    private static var configuration: [String: String] {
        let server = SocketServerConfiguration()
        let wires = server.wires.map { "\($0.key) \($0.value.name)" }.joined(separator: ", ")
        let liveness = server.liveness
        let rows: [String: String] = [
            "host": server.host, "port": "\(server.port)", "loopCount": text(server.loopCount),
            "backlog": "\(server.backlog)", "wires": wires,
            "compression": server.compression == nil ? "none" : "\(server.compression as Any)",
            "commandTimeout": DefaultsTests.text(server.commandTimeout), "maximumCommands": "\(server.maximumCommands)",
            "maximumOutboxBytes": DefaultsTests.bytes(server.maximumOutboxBytes),
            "slowClients": "\(server.slowClients)",
            "liveness": "\(DefaultsTests.text(liveness.silence)), \(DefaultsTests.text(liveness.grace))",
            "silenceCode": "\(server.silenceCode)", "closeTimeout": DefaultsTests.text(server.closeTimeout),
            "sessionRetention": DefaultsTests.text(server.sessionRetention),
            "maximumSessions": "\(server.maximumSessions)", "drainTimeout": DefaultsTests.text(server.drainTimeout),
            "reconnectSpread": DefaultsTests.text(server.reconnectSpread),
        ]
        return prefixed("SocketServerConfiguration", rows)
    }

    private static var limits: [String: String] {
        let limits = SocketServerLimits()
        let rows: [String: String] = [
            "connections": text(limits.connections), "connectionsPerAddress": text(limits.connectionsPerAddress),
            "connectionsPerUser": text(limits.connectionsPerUser),
            "handshakesPerAddress": text(limits.handshakesPerAddress),
            "limitsPrivateAddresses": "\(limits.limitsPrivateAddresses)",
            "retryAfter": DefaultsTests.text(limits.retryAfter), "messages": text(limits.messages),
            "bytes": text(limits.bytes), "excess": "\(limits.excess)",
            "messageBytes": DefaultsTests.bytes(limits.messageBytes),
            "channelsPerConnection": text(limits.channelsPerConnection),
            "subscriptionsPerConnection": text(limits.subscriptionsPerConnection),
            "pendingHandshakes": text(limits.pendingHandshakes), "joins": text(limits.joins),
            "headerBytes": DefaultsTests.bytes(limits.headerBytes),
            "handshakeTime": DefaultsTests.text(limits.handshakeTime),
            "firstMessageTime": DefaultsTests.text(limits.firstMessageTime),
        ]
        return prefixed("SocketServerLimits", rows)
    }

    private static var channels: [String: String] {
        let retention = FanOutRetention(count: 1)
        let memory = MemoryFanOut.Configuration()
        let rows = [
            "ChannelRules.historyTime": DefaultsTests.text(ChannelRules().historyTime),
            "ChannelRules.history": "\(ChannelRules().history)",
            "FanOutRetention.bytes": DefaultsTests.bytes(retention.bytes),
            "FanOutRetention.time": DefaultsTests.text(retention.time),
            "MemoryFanOut.Configuration.historyBytes": DefaultsTests.bytes(memory.historyBytes),
            "MemoryFanOut.Configuration.idleTopics": "\(memory.idleTopics)",
            "MemoryFanOut.Configuration.idleTime": DefaultsTests.text(memory.idleTime),
            "MemoryFanOut.Configuration.rememberedIDs": "\(memory.rememberedIDs)",
        ]
        return rows.merging(redis) { first, _ in first }
    }

    private static var redis: [String: String] {
        #if Redis
        let redis = RedisFanOut.Configuration()
        var outage = "fail"
        if case .wait(let time) = redis.outage { outage = "wait \(DefaultsTests.text(time))" }
        let rows = [
            "prefix": redis.prefix, "outage": outage, "maximumWaiting": "\(redis.maximumWaiting)",
            "connectTimeout": DefaultsTests.text(redis.connectTimeout),
            "commandTimeout": DefaultsTests.text(redis.commandTimeout),
            "heartbeat": DefaultsTests.text(redis.heartbeat), "lease": DefaultsTests.text(redis.lease),
            "positionTime": DefaultsTests.text(redis.positionTime), "rememberedIDs": "\(redis.rememberedIDs)",
            "backoff": DefaultsTests.text(redis.backoff),
        ]
        return prefixed("RedisFanOut.Configuration", rows)
        #else
        return [:]
        #endif
    }

    private static func prefixed(_ type: String, _ rows: [String: String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: rows.map { ("\(type).\($0.key)", $0.value) })
    }

    private static func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "none" }

    private static func text(_ rate: SocketRateLimit?) -> String {
        rate.map { "\(Int($0.perSecond))/s, \(Int($0.burst)) at once" } ?? "none"
    }
}
#endif
