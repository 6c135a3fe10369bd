#if Redis
internal import NetCore

/// The names of keys and channels on the broker.
struct RedisKeys: Sendable, Hashable {
    /// The prefix of every name, so that several programs can share a broker.
    let prefix: String

    /// A hash: the epoch, the offset and the retention.
    func state(_ topic: String) -> String { "\(prefix)\(topic):m" }
    /// A stream: the history.
    func history(_ topic: String) -> String { "\(prefix)\(topic):s" }
    /// A sorted set: the IDs of the last messages, by their offsets.
    func ids(_ topic: String) -> String { "\(prefix)\(topic):i" }
    /// A sorted set: the IDs of the last messages that take no offset.
    func otherIDs(_ topic: String) -> String { "\(prefix)\(topic):u" }
    /// A hash: the members.
    func members(_ topic: String) -> String { "\(prefix)\(topic):p" }
    /// A channel: the live messages.
    func channel(_ topic: String) -> String { "\(prefix)\(topic):c" }

    /// A sorted set: the servers, by the times at which their leases end.
    var servers: String { "\(prefix)servers" }
    /// A hash: the current owner of each server name.
    var owners: String { "\(prefix)owners" }
    /// A set: the topics in which a server has members.
    func topics(of server: String) -> String { "\(prefix)topics:\(server)" }

    /// Returns the topic of a channel; nil for other channels.
    func topic(ofChannel name: String) -> String? {
        guard name.hasPrefix(prefix), name.hasSuffix(":c"), name.utf8.count >= prefix.utf8.count + 2 else { return nil }
        return String(name.dropFirst(prefix.count).dropLast(2))
    }

    /// The name of a member's field. Its beginning identifies the server.
    static func field(_ node: String, _ connection: String) -> String { "\(node.utf8.count):\(node):\(connection)" }
}
#endif
