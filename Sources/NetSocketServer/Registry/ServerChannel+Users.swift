#if Server
internal import NetCore
internal import NetSocketCore

/// Members that get another user.
extension ServerChannel {
    /// Ends the joins of a connection that haven't ended. Afterward, a join of an earlier era can't end any more, and
    /// the work of one that has ended is on the connection's lane.
    func giveUpJoins(of connection: ServerConnection) {
        change { state in state.joiners.removeAll { $0.connection === connection } }
    }

    /// Removes the presence entry of a member, which stays a member. Returns the entry; nil if it had none.
    func conceal(_ connection: ServerConnection) -> PresenceMember? {
        change { state in
            guard let member = state.shown.removeValue(forKey: ObjectIdentifier(connection)) else { return nil }
            show(state.presence.leave(member), &state)
            return member
        }
    }

    /// Notes that a member is about to become visible. Returns a number by which ``endEntering(_:of:)`` recognizes it.
    func beginEntering(_ connection: ServerConnection, as member: PresenceMember) -> UInt64 {
        change { state in
            state.lastJoiner += 1
            state.entering[ObjectIdentifier(connection)] = (state.lastJoiner, member)
            return state.lastJoiner
        }
    }

    func endEntering(_ number: UInt64, of connection: ServerConnection) {
        change { state in state.endEntering(number, of: connection) }
    }

    /// Keeps a member under new rules, and shows it. Returns false if it isn't a member any more, or if its user has
    /// changed again.
    func admit(
        _ connection: ServerConnection, _ rules: ChannelRules, _ member: PresenceMember?, _ era: Int
    ) -> Bool {
        change { state in
            guard state.places[ObjectIdentifier(connection)] != nil, connection.era == era else { return false }
            state.rules = rules
            guard let member else { return true }
            state.shown[ObjectIdentifier(connection)] = member
            show(state.presence.enter(member), &state)
            return true
        }
    }
}

extension ServerChannel.State {
    mutating func endEntering(_ number: UInt64, of connection: ServerConnection) {
        guard entering[ObjectIdentifier(connection)]?.number == number else { return }
        entering[ObjectIdentifier(connection)] = nil
    }
}
#endif
