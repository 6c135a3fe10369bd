internal import NetCore
internal import NetSocketCore

/// The ID of a command that was posted: its reply is an event with the same one. Unique in its session.
public struct SocketTicket: Sendable, Hashable {
    let number: UInt64
}

extension SessionMachine.Outcome {
    /// The outcome, as observers see it.
    var result: Result<SocketPayload?, SocketCommandError> {
        switch self {
        case .success(let payload): .success(payload)
        case .rejected(let failure): .failure(.rejected(failure))
        case .failed(let loss): .failure(.failed(SessionDriver.error(loss)))
        }
    }
}
