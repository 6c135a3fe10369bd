internal import NetCore
public import NetSocketCore
internal import Synchronization

extension SocketClient {
    /// Sends a command without waiting for its reply. The reply is an event of ``events(_:)`` with the returned ticket.
    ///
    ///     struct SendMessage: SocketCommand {
    ///         static let event = "chat.send"
    ///         struct Response: Codable, Sendable { var id: Int }
    ///         var text: String
    ///     }
    ///     let client = SocketClient("wss://chat.example/socket")
    ///     client.start()
    ///     let events = client.events()
    ///     let ticket = try await client.post(SendMessage(text: "hello"))
    ///     for try await event in events {
    ///         guard case .reply(to: ticket, let result) = event else { continue }
    ///         switch result {
    ///         case .success(let payload): print(try payload?.decoded(as: SendMessage.Response.self).id ?? 0)
    ///         case .failure(.failed(let error)) where error.isTimeout: print("no reply")
    ///         case .failure(let error): print(error)
    ///         }
    ///         break
    ///     }
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - timeout: The limit for the reply, including the wait for a connection. Default: that of the configuration.
    ///   - offline: The handling of the command while there is no connection. Default: it waits.
    ///
    /// Suspends only while the connection has too much to write, or an observer too much to read. Throws if the command
    /// can't be encoded, `.limited` if ``Configuration/maximumQueueCount`` posted commands wait for their reply, and
    /// `.cancelled` if the task is cancelled; nothing is sent then. Every other failure is reported by the event, so
    /// create the sequence of events first.
    @discardableResult
    public func post(
        _ command: some SocketCommand, timeout: Duration? = nil, offline: OfflineRule = .queue
    ) async throws(SocketCommandError) -> SocketTicket {
        try await driver.post(command, topic: command.channel, timeout, offline)
    }
}

extension SocketChannel {
    /// Sends a command in the channel without waiting for its reply; see ``SocketClient/post(_:timeout:offline:)``.
    @discardableResult
    public func post(
        _ command: some SocketCommand, timeout: Duration? = nil, offline: OfflineRule = .queue
    ) async throws(SocketCommandError) -> SocketTicket {
        try await client.driver.post(command, topic: topic, timeout, offline)
    }
}

/// A command whose caller doesn't wait.
struct PostedCommand: Sendable {
    let event: String
    let topic: String?
    let start: Duration
}

extension SessionDriver {
    func post<Command: SocketCommand>(
        _ command: Command, topic: String?, _ timeout: Duration?, _ offline: OfflineRule
    ) async throws(SocketCommandError) -> SocketTicket {
        let limit = timeout ?? configuration.requestTimeout
        let message = Machine.Request(
            Command.event, payload: try encode(command), topic: topic,
            timeout: limit, offline: offline)
        let hasRoom = await waitForRoom(limit)
        // Outcomes reach observers without the reader, which would otherwise wait for slow observers.
        await hub.waitForRoom()
        if Task.isCancelled {
            throw .failed(NetError(.cancelled, phase: .preparing, message: "posting a command was cancelled"))
        }
        guard hasRoom else { throw .failed(Self.error(.timedOut(limit, mayHaveArrived: false))) }
        let maximum = configuration.maximumQueueCount
        let posted = PostedCommand(event: Command.event, topic: topic, start: clock.now())
        let ticket = state.withLock { state -> Machine.Ticket? in
            guard state.posted.count < maximum else { return nil }
            let ticket = state.machine.makeTicket()
            state.posted[ticket] = posted
            return ticket
        }
        guard let ticket else {
            throw .failed(
                NetError(
                    .limited, phase: .queued,
                    message: "\(maximum) posted commands are waiting for their reply; raise the limit or post less"))
        }
        handle(.request(ticket, message))
        return SocketTicket(number: ticket)
    }
}
