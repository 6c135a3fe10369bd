#if Tools && Server
internal import NetCore
internal import NetSocket
internal import Synchronization

/// A session that is controlled by lines of text and prints every event as a line of text.
final class Conversation: Sendable {
    private struct State {
        var channel: String?
        var subscriptions: [Int: Task<Void, Never>] = [:]
        var last = 0
        var wasOpen = false
        /// The error of the last attempt to connect.
        var error: NetError?
    }

    private let client: SocketClient
    private let wire: SocketWire
    private let timeout: Duration
    private let print: @Sendable (String) -> Void
    private let state = Mutex(State())

    init(_ client: SocketClient, wire: SocketWire, timeout: Duration, print: @escaping @Sendable (String) -> Void) {
        self.client = client
        self.wire = wire
        self.timeout = timeout
        self.print = print
    }

    /// Performs the lines one after another, waits for `linger`, and closes the session. Throws the error with which
    /// the session failed or could not connect, and if `isStrict`, the problem with a line.
    func run(_ lines: AsyncStream<String>, linger: Duration, isStrict: Bool) async throws {
        let events = client.events()
        try await client.withConnection { _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for try await event in events { self.show(event) } }
                group.addTask {
                    if try await self.perform(lines, isStrict: isStrict) { try await Task.sleep(for: linger) }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
        let (subscriptions, wasOpen, error) = state.withLock { ($0.subscriptions, $0.wasOpen, $0.error) }
        for task in subscriptions.values { task.cancel() }
        if let error, !wasOpen { throw error }
    }

    // MARK: Input

    /// Returns false after `quit`.
    private func perform(_ lines: AsyncStream<String>, isStrict: Bool) async throws -> Bool {
        var number = 0
        for await text in lines {
            number += 1
            do throws(TypedLine.Problem) {
                guard let line = try TypedLine.read(text) else { continue }
                if line == .quit { return false }
                await perform(line)
            } catch {
                guard isStrict else {
                    print("✗ \(error)")
                    continue
                }
                throw TypedLine.Problem(description: "line \(number): \(error)")
            }
        }
        return true
    }

    private func perform(_ line: TypedLine) async {
        do throws(SocketCommandError) {
            switch line {
            case .send(let event, let value): try await send(event, value)
            case .push(let event, let value):
                let channel = channel
                print("→ \(event)\(Self.place(channel))\(Self.text(value))")
                try await client.notify(event, payload: Self.payload(value), channel: channel)
            case .text(let text):
                print("→ \(text)")
                try await client.notify("", payload: SocketPayload(json: text))
            case .join(let topic, let value):
                print("→ join \(topic)\(Self.text(value))")
                // The event reports the join.
                if let value { try await client.join(topic) { value } } else { try await client.join(topic) }
            case .leave(let topic):
                print("→ leave \(topic)")
                try await client.channel(topic).leave()
            case .use(let topic): state.withLock { $0.channel = topic }
            case .subscribe(let query): subscribe(query)
            case .unsubscribe(let number): unsubscribe(number)
            case .state: print("· \(Self.name(client.state))")
            case .pause: client.pause()
            case .resume: client.resume()
            case .reconnect: client.reconnect()
            case .help: print(TypedLine.instructions)
            case .quit: break
            }
        } catch {
            print("✗ \(Self.text(error))")
        }
    }

    private var channel: String? { state.withLock { $0.channel } }

    private func send(_ event: String, _ value: JSONValue?) async throws(SocketCommandError) {
        let (channel, clock) = (channel, ContinuousClock())
        print("→ \(event)\(Self.place(channel))\(Self.text(value))")
        let start = clock.now
        let reply = try await client.send(
            event, payload: Self.payload(value), channel: channel, timeout: timeout)
        print("← reply to \(event) in \(Text.milliseconds(clock.now - start)) ms\(Self.text(reply))")
    }

    private func subscribe(_ query: String) {
        guard wire.features.contains(.subscriptions) else {
            return print("✗ the wire protocol \(wire.name) has no subscriptions")
        }
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        print("→ subscription \(number): \(query)")
        let events = client.subscribe(GraphQLSubscription(query, as: JSONValue.self))
        let task = Task {
            do throws(SocketCommandError) {
                for try await event in events { print("← event of \(number)\(Self.text(event))") }
                print("← end of \(number)")
            } catch {
                print("✗ subscription \(number): \(Self.text(error))")
            }
            state.withLock { _ = $0.subscriptions.removeValue(forKey: number) }
        }
        state.withLock { $0.subscriptions[number] = task }
    }

    private func unsubscribe(_ number: Int) {
        guard let task = state.withLock({ $0.subscriptions[number] }) else {
            return print("✗ there is no subscription \(number)")
        }
        task.cancel()
    }

    // MARK: Output

    private func show(_ event: SocketSessionEvent) {
        switch event {
        case .state(let new):
            print("· \(Self.name(new))")
            state.withLock { state in
                if new.isOpen { state.wasOpen = true }
                if case .waiting(_, _, let error) = new { state.error = error }
            }
        case .push(let push):
            print("← \(push.event.isEmpty ? "message" : push.event)\(Self.place(push.topic))\(Self.text(push.payload))")
        case .joined(let topic, let reply, let missed):
            print("← joined \(topic)\(missed == .nothing ? "" : ", missed: \(missed)")\(Self.text(reply))")
        case .left(let topic, let failure): print("← left \(topic)\(failure.map { ": \($0)" } ?? "")")
        case .interrupted(let topic): print("· \(topic) is interrupted")
        case .gap(let topic): print("✗ pushes of \(topic) are missing")
        case .request(let request):
            print("← asks \(request.event)\(Self.place(request.topic))\(Self.text(request.payload))")
        case .unreadable(let error): print("✗ unreadable: \(error.message)")
        default: break
        }
    }

    private static func name(_ state: SocketSessionState) -> String {
        switch state {
        case .idle: "idle"
        case .connecting(let attempt): attempt == 1 ? "connecting" : "connecting, attempt \(attempt)"
        case .open: "open"
        case .waiting(let attempt, let wait, let error):
            "\(error.reason); attempt \(attempt) \(wait.map { "in \($0.seconds(places: 1)) s" } ?? "with the network")"
        case .suspended: "paused"
        case .failed: "failed"
        case .closed: "closed"
        }
    }

    private static func text(_ error: SocketCommandError) -> String {
        switch error {
        case .rejected(let failure): "refused: \(failure)"
        case .failed(let error): error.reason
        }
    }

    private static func place(_ topic: String?) -> String { topic.map { " in \($0)" } ?? "" }

    private static func text(_ value: JSONValue?) -> String { text(payload(value)) }

    private static func text(_ payload: SocketPayload?) -> String {
        payload.map { " " + ($0.json ?? "\($0.count) bytes") } ?? ""
    }

    /// Returns the payload of a value; a value decoded from JSON can always be encoded again.
    private static func payload(_ value: JSONValue?) -> SocketPayload? { value.flatMap { try? SocketPayload($0) } }
}
#endif
