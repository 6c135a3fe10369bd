#if Server
internal import NetCore
internal import NetSocketCore

/// The routes of a server, without the program's types.
struct RouterTable: Sendable {
    typealias Decide = @Sendable (WireJoin, CommandContext) async throws -> ChannelRules

    var coding = JSONCoding.standard
    var routes: [String: SocketRoute] = [:] {
        didSet { hasImmediate = routes.contains { $0.value.immediate != nil } }
    }
    /// True if any command is handled without a task.
    private(set) var hasImmediate = false
    var other: SocketRoute?
    var authorize: (@Sendable (WireRequest, CommandContext) async throws -> Void)?
    var opening: (@Sendable (SocketPayload?, CommandContext) async throws -> SocketPayload?)?
    var subscription: SubscriptionRoute?
    var message: (@Sendable (WebSocketMessage, CommandContext) throws -> Void)?
    var credentials: (event: String, check: SocketServerCore.FirstMessage)?
    var allowsCommandsOutsideChannels = false
    private var exact: [String: Decide] = [:]
    /// The prefixes before the star, the longest first.
    private var prefixes: [(prefix: String, decide: Decide)] = []

    mutating func setChannel(_ pattern: String, _ decide: @escaping Decide) {
        guard pattern.hasSuffix("*") else {
            exact[pattern] = decide
            return
        }
        let prefix = String(pattern.dropLast())
        prefixes.removeAll { $0.prefix == prefix }
        prefixes.append((prefix, decide))
        prefixes.sort { $0.prefix.utf8.count > $1.prefix.utf8.count }
    }

    func route(_ event: String) -> SocketRoute? { routes[event] ?? other }

    /// Returns the pattern that a topic matches; nil if no pattern matches.
    func pattern(of topic: String) -> String? {
        if exact[topic] != nil { return topic }
        return prefixes.first { topic.hasPrefix($0.prefix) }.map { "\($0.prefix)*" }
    }

    func decide(_ topic: String) -> Decide? {
        exact[topic] ?? prefixes.first { topic.hasPrefix($0.prefix) }?.decide
    }
}

/// The handler of subscriptions.
struct SubscriptionRoute: Sendable {
    var executor: SocketExecutor
    var handler: @Sendable (SocketID, SocketPayload, CommandContext) async throws -> Void
}
#endif
