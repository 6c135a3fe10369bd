internal import NetCore
internal import NetSocketCore
internal import Synchronization

extension SessionDriver {
    func join(
        _ topic: String, _ payload: (@Sendable () async throws -> any Encodable & Sendable)?
    ) async throws(SocketCommandError) -> SocketPayload? {
        let coding = configuration.coding
        var make: JoinPayload?
        if let payload { make = { try await SocketPayload(payload(), coding: coding) } }
        do throws(SocketCommandError) {
            let keep = { (state: inout State) in state.keepPayload(make, of: topic) }
            return try await result(within: configuration.joinTimeout, keep) { .join($0, topic: topic) }
        } catch {
            recorder?.record(.notJoined(topic: topic, error.recorded))
            throw error
        }
    }

    func leave(_ topic: String) async throws(SocketCommandError) {
        _ = try await result(within: configuration.joinTimeout) { .leave($0, topic: topic) }
    }
}

extension SessionDriver.State {
    /// Keeps the closure that makes the payload of each join. A second join of a channel has no effect on it; returns an
    /// error if it has a payload of its own, which wouldn't be sent.
    fileprivate mutating func keepPayload(_ make: SessionDriver.JoinPayload?, of topic: String) -> NetError? {
        guard !machine.hasChannel(topic) else {
            if make == nil { return nil }
            return NetError(
                .invalidRequest, phase: .preparing,
                message: "the channel \(topic) is joined already; leave it before joining it with another payload")
        }
        // A session that is over takes no channel.
        if machine.state.loss == nil { joinPayloads[topic] = make }
        return nil
    }

    /// Forgets the closures of the channels that have been left, and returns them. It happens in the step in which the
    /// machine removes the channel: later, the channel could be joined again with another payload.
    mutating func forgetPayloads(after effects: [SessionMachine.Effect]) -> [SessionDriver.JoinPayload] {
        guard !joinPayloads.isEmpty else { return [] }
        return effects.compactMap { effect in
            guard case .tell(.left(let topic, _)) = effect, !machine.hasChannel(topic) else { return nil }
            return joinPayloads.removeValue(forKey: topic)
        }
    }
}
