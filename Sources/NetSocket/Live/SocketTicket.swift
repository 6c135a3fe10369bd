internal import NetCore
internal import NetSocketCore

/// The ID of a posted command, unique in its session. The event with its reply has the same ID.
public struct SocketTicket: Sendable, Hashable {
    let number: UInt64
}

extension SessionMachine.Outcome {
    /// The outcome as a result for observers.
    var result: Result<SocketPayload?, SocketCommandError> {
        switch self {
        case .success(let payload): .success(payload)
        case .rejected(let failure): .failure(.rejected(failure))
        case .failed(let loss): .failure(.failed(SessionDriver.error(loss)))
        }
    }
}
