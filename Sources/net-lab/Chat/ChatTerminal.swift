#if Tools && Server
internal import Foundation
internal import NetCore
internal import NetSocket
internal import NetSocketCore
internal import Synchronization

/// The chat in a terminal: each line of input is a message to one room, and each event in the room is a line of output.
final class ChatTerminal: Sendable {
    private struct State {
        /// The keys of the printed messages, because history and pushes overlap.
        var keys: Set<String> = []
        var wasOpen = false
        /// True if the server has sent the list of members.
        var hasList = false
        /// True if the history has been printed.
        var hasHistory = false
    }

    /// The maximum number of times that a message is sent if it may not have arrived.
    private static let maximumAttempts = 5

    private let client: SocketClient
    private let name: String
    private let room: ChatRoom
    private let print: @Sendable (String) -> Void
    private let state = Mutex(State())

    init(
        url: String, sockets: WebSocketClient = WebSocketClient(), name: String, room: ChatRoom,
        print: @escaping @Sendable (String) -> Void
    ) {
        // Messages are numbered, and sent again until the server has confirmed them.
        let configuration = SocketClient.Configuration(wire: .numberedJSON, delivery: SocketDelivery())
        client = SocketClient(url, client: sockets, configuration: configuration) { $0.query = ["name": name] }
        (self.name, self.room, self.print) = (name, room, print)
    }

    /// Sends each line, until there are no more or the session has failed.
    func run(_ lines: AsyncStream<String>) async throws {
        let channel = client.channel(room.topic)
        let (events, presences, states) = (channel.events(.suspend(1000)), channel.presences, client.states)
        try await client.withConnection { _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for try await state in states { self.show(state) } }
                group.addTask { for try await event in events { try await self.show(event) } }
                group.addTask { for try await presence in presences { self.show(presence) } }
                group.addTask {
                    let channel = try await self.client.join(self.room.topic)
                    for await line in lines { await self.send(line, channel) }
                    // This session won't be resumed.
                    try? await channel.leave()
                }
                defer { group.cancelAll() }
                // Either the lines have ended, or one of the sequences has thrown the session's error.
                try await group.next()
            }
        }
    }

    // MARK: Input

    private func send(_ line: String, _ channel: SocketChannel) async {
        if line == "/who" { return print("· here: \(channel.presence.keys.joined(separator: ", "))") }
        guard line.contains(where: { !$0.isWhitespace }) else { return }
        // The key makes it safe to send the message again, to a restarted server or to another one.
        let message = SendMessage(key: UUID().uuidString, text: line)
        var attempts = 0
        while true {
            attempts += 1
            do throws(SocketCommandError) {
                try await channel.send(message)
                return
            } catch {
                let isLast = attempts == Self.maximumAttempts || Task.isCancelled
                switch error {
                case .rejected(let failure) where failure.code == SocketFailure.unavailable && !isLast: continue
                case .failed(let error) where error.mayHaveArrived && !isLast: continue
                case .rejected(let failure): return print("✗ refused: \(failure.message)")
                case .failed(let error):
                    let mayHaveArrived = error.mayHaveArrived || attempts > 1
                    return print("✗ \(mayHaveArrived ? "may not have arrived" : "not sent"): \(error.reason)")
                }
            }
        }
    }

    // MARK: Output

    private func show(_ session: SocketSessionState) {
        let wasOpen = state.withLock { $0.wasOpen }
        switch session {
        case .open where wasOpen: print("· connected again")
        case .open: state.withLock { $0.wasOpen = true }
        case .waiting where wasOpen: print("· the connection is lost; trying again")
        default: break
        }
    }

    /// Prints who has come and gone. The first list isn't news.
    private func show(_ presence: Presence) {
        let isNews = state.withLock { state in
            defer { state.hasList = state.hasList || presence.isComplete }
            return state.hasList
        }
        guard isNews else { return }
        for member in presence.joined { print("· \(member.key) joined") }
        for member in presence.left { print("· \(member.key) left") }
    }

    private func show(_ event: SocketChannel.Event) async throws {
        switch event {
        case .push(let push) where push.event == ChatMessage.event: show(try push.decoded(as: ChatMessage.self))
        case .push(let push) where push.event == OutageNotice.event:
            let isBack = try push.decoded(as: OutageNotice.self).available
            print(isBack ? "· the servers are connected again" : "· the servers are cut off: messages may be late")
        case .joined(_, missed: .nothing) where state.withLock({ $0.hasHistory }): break
        case .joined, .gap:
            let hadHistory = state.withLock { state in
                defer { state.hasHistory = true }
                return state.hasHistory
            }
            if hadHistory { print("· messages may be missing here") }
            let history = try await client.channel(room.topic).send(LoadHistory(limit: 100))
            for message in history.messages { show(message) }
        case .left(let failure?): print("· removed from the room: \(failure.message)")
        default: break
        }
    }

    private func show(_ message: ChatMessage) {
        guard state.withLock({ $0.keys.insert(message.key).inserted }) else { return }
        let date = Date(timeIntervalSince1970: Double(message.at) / 1000)
        let time = date.formatted(date: .omitted, time: .shortened)
        print("\(time) \(message.from == name ? "you" : message.from): \(message.text)")
    }
}
#endif
