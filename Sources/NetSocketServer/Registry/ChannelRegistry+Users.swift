#if Server
internal import NetCore
internal import NetSocketCore

/// Connections that get another user.
extension ChannelRegistry {
    /// Ends the joins of the former user that haven't ended.
    func giveUpJoins(of connection: ServerConnection, in topics: Set<String>) {
        for topic in topics { channel(topic)?.giveUpJoins(of: connection) }
    }

    /// Removes the presence entry of the former user.
    func conceal(_ connection: ServerConnection, in topic: String) {
        guard let member = channel(topic)?.conceal(connection) else { return }
        withdrawLater(member, of: connection, from: topic)
    }

    /// Keeps a member whose new user may stay, and shows that user. Throws the engine's errors, and `CancellationError`
    /// if the connection isn't a member any more.
    func admit(
        _ connection: ServerConnection, to topic: String, _ rules: ChannelRules, _ era: Int
    ) async throws {
        guard let channel = channel(topic) else { throw CancellationError() }
        guard let key = rules.presence else {
            guard channel.admit(connection, rules, nil, era) else { throw CancellationError() }
            return
        }
        let member = PresenceMember(
            key: key, connection: connection.id.description, node: node, details: rules.details)
        let number = channel.beginEntering(connection, as: member)
        do {
            try await engine.enter(member, in: topic)
            guard channel.admit(connection, rules, member, era) else { throw CancellationError() }
            channel.endEntering(number, of: connection)
        } catch {
            channel.endEntering(number, of: connection)
            withdrawLater(member, of: connection, from: topic)
            throw error
        }
    }
}
#endif
