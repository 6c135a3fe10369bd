internal import Synchronization

/// Reports the events of one WebSocket to the listeners that are interested in them.
///
/// A transport creates a recorder when the server has accepted the handshake (``CallContext/makeSocketRecorder()``); a
/// server creates one for each connection. Its functions may be called on any thread; they call the listeners before
/// they return.
///
///     let recorder = context.makeSocketRecorder()  // nil if nobody listens
///     recorder?.opened(SocketEvent.Opening(subprotocol: "chat.v2"))
///     recorder?.record(.received, .text("hello"))
public final class SocketRecorder: Sendable {
    fileprivate struct State {
        var sequence = 0
        var hasEnded = false
        var sent = SocketEvent.Total()
        var received = SocketEvent.Total()
        /// The number of captured messages.
        var messages = 0
        /// The message that is being sent in parts.
        var parts: SocketCapture.Parts?
    }

    /// The maximum length of a preview, in bytes.
    static let previewBytes = 256

    private let listeners: [SocketEventListener]
    private let interest: ActivityInterest
    private let socket: CallID
    private let side: SocketEvent.Side
    private let url: String
    private let metadata: RequestMetadata
    private let clock: NetClock
    private let redaction: RedactionPolicy
    private let start: Duration
    /// The capture of messages; nil if no listener is interested in messages.
    private let capture: SocketCapture?
    private let state = Mutex(State())

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - listeners: The listeners, at least one, with their interests.
    ///   - socket: The ID of the WebSocket.
    ///   - side: The side that reports.
    ///   - url: The URL or the path, redacted.
    ///   - metadata: The metadata of the request.
    ///   - redaction: The rules for hiding secrets in messages and their previews.
    ///   - handshake: The handshake with its secrets, which are hidden in messages too; nil if unknown. Default nil.
    ///   - subprotocol: The subprotocol if it contains a secret. Default nil.
    ///   - clock: The clock. Elapsed times count from this call.
    package init(
        _ listeners: [SocketEventListener], _ socket: CallID, on side: SocketEvent.Side, url: String,
        metadata: RequestMetadata = RequestMetadata(), redaction: RedactionPolicy,
        handshake: CapturedExchange.Request? = nil, subprotocol: String? = nil, clock: NetClock
    ) {
        self.listeners = listeners
        interest = listeners.reduce(into: []) { $0.formUnion($1.interest) }
        capture =
            interest.contains(.socketMessages)
            ? SocketCapture(
                limit: listeners.map(\.messageBytes).reduce(0, max), handshake: handshake, subprotocol: subprotocol,
                policy: redaction) : nil
        self.socket = socket
        self.side = side
        self.url = url
        self.metadata = metadata
        self.clock = clock
        // Previews hide what the handshake has sent, as messages do.
        self.redaction = handshake.map { redaction.hiding(secretsOf: $0) } ?? redaction
        start = clock.now()
    }

    /// Reports that the handshake was accepted.
    public func opened(_ opening: SocketEvent.Opening) { report { _ in .opened(opening) } }

    /// Reports a message.
    public func record(_ direction: SocketEvent.Direction, _ message: WebSocketMessage) {
        record(direction, CollectionOfOne(message))
    }

    /// Reports messages in order.
    public func record(_ direction: SocketEvent.Direction, _ messages: some Collection<WebSocketMessage>) {
        state.withLock { state in
            for message in messages {
                state.count(direction, messages: 1, bytes: message.count)
                guard !state.hasEnded else { continue }
                if interest.contains(.socketFrames) {
                    let kind: SocketEvent.Frame.Kind = message.kind == .text ? .text : .binary
                    tell(&state, .frame(.init(direction, kind, bytes: message.count, preview: preview(message))))
                }
                if let capture {
                    handOver(&state, direction, capture.beginning(of: message), of: message.count, capture)
                }
            }
        }
    }

    /// Reports one part of a message that this side sends.
    ///
    /// - Parameters:
    ///   - part: The bytes of the part.
    ///   - kind: The kind of the message.
    ///   - isLast: False if more parts of the message follow.
    public func record(part: Bytes, of kind: WebSocketMessage.Kind, isLast: Bool) {
        state.withLock { state in
            state.count(.sent, messages: isLast ? 1 : 0, bytes: part.count)
            guard !state.hasEnded else { return }
            if interest.contains(.socketFrames) {
                tell(&state, .frame(.init(.sent, kind == .text ? .text : .binary, bytes: part.count)))
            }
            guard let capture else { return }
            var parts = state.parts.take() ?? SocketCapture.Parts(kind)
            parts.append(part, limit: capture.limit)
            if isLast {
                handOver(&state, .sent, parts.message, of: parts.count, capture)
            } else {
                state.parts = parts
            }
        }
    }

    /// Reports a control frame.
    public func record(_ direction: SocketEvent.Direction, _ kind: SocketEvent.Frame.Kind, bytes: Int) {
        state.withLock { state in
            guard interest.contains(.socketFrames), !state.hasEnded else { return }
            tell(&state, .frame(.init(direction, kind, bytes: bytes)))
        }
    }

    /// Reports the time between a ping and its pong.
    public func roundTrip(_ duration: Duration) { report { _ in .roundTrip(duration) } }

    /// Reports the end of the WebSocket. Only the first call counts.
    ///
    /// - Parameter error: The error that receiving throws from now on.
    public func closed(_ error: NetError) {
        let closure = error.closure ?? WebSocketClosure(code: .abnormalClosure)
        report { state in
            var ending = SocketEvent.Ending(code: closure.code, isByPeer: closure.isByPeer, error: error)
            (ending.sent, ending.received) = (state.sent, state.received)
            state.hasEnded = true
            return .closed(ending)
        }
    }

    private func report(_ kind: (inout State) -> SocketEvent.Kind) {
        state.withLock { state in
            guard !state.hasEnded else { return }
            let kind = kind(&state)
            tell(&state, kind)
        }
    }

    /// Called under the lock, so that each listener receives the events in order.
    private func tell(_ state: inout State, _ kind: SocketEvent.Kind) {
        state.sequence += 1
        let event = SocketEvent(
            socket: socket, side: side, sequence: state.sequence, date: clock.date(), elapsed: clock.now() - start,
            url: url, metadata: metadata, kind: kind)
        for each in listeners where each.interest.contains(kind.interest) {
            each.listener.record(each.interest.contains(.socketPreviews) ? event : event.withoutPreview)
        }
    }

    /// Called under the lock, so that each listener receives the messages in order.
    private func handOver(
        _ state: inout State, _ direction: SocketEvent.Direction, _ content: WebSocketMessage, of count: Int,
        _ capture: SocketCapture
    ) {
        state.messages += 1
        let message = CapturedSocketMessage(
            content, of: count, direction, sequence: state.messages, date: clock.date(), elapsed: clock.now() - start,
            socket: socket, side: side, capture)
        for each in listeners where each.interest.contains(.socketMessages) { each.listener.record(message) }
    }

    private func preview(_ message: WebSocketMessage) -> String? {
        guard interest.contains(.socketPreviews), case .text(let text) = message else { return nil }
        return Self.preview(text, redaction)
    }
}

extension SocketRecorder {
    /// Returns the beginning of a JSON text without its secrets; nil for any other text, where secrets can't be
    /// recognized.
    static func preview(_ text: String, _ redaction: RedactionPolicy) -> String? {
        // A long text is cut first, so that a large message costs no more than a small one.
        let beginning = Array(text.utf8.prefix(4 * previewBytes))
        guard RedactionPolicy.mayBeJSON(beginning) else { return nil }
        var bytes = beginning
        for edit in redaction.edits(in: beginning, contentType: nil).reversed() {
            bytes.replaceSubrange(edit.range, with: edit.replacement)
        }
        return String(decoding: bytes, as: UTF8.self).prefix(upToBytes: previewBytes)
    }
}

extension SocketRecorder.State {
    fileprivate mutating func count(_ direction: SocketEvent.Direction, messages: Int, bytes: Int) {
        switch direction {
        case .sent:
            sent.messages += messages
            sent.bytes += Int64(bytes)
        case .received:
            received.messages += messages
            received.bytes += Int64(bytes)
        }
    }
}

extension SocketEvent.Kind {
    /// The interest that a listener needs to receive the event.
    fileprivate var interest: ActivityInterest {
        if case .frame = self { .socketFrames } else { .sockets }
    }
}

extension SocketEvent {
    fileprivate var withoutPreview: SocketEvent {
        guard case .frame(var frame) = kind, frame.preview != nil else { return self }
        frame.preview = nil
        return SocketEvent(
            socket: socket, side: side, sequence: sequence, date: date, elapsed: elapsed, url: url,
            metadata: metadata, kind: .frame(frame))
    }
}

extension CallContext {
    /// Returns a recorder for the WebSocket that this call opens; nil if no listener is interested in WebSockets.
    public func makeSocketRecorder() -> SocketRecorder? {
        let listeners = environment.socketListeners + call.socketListeners
        guard !listeners.isEmpty else { return nil }
        return SocketRecorder(
            listeners, id, on: .client, url: summary.url, metadata: call.metadata, redaction: call.redaction,
            handshake: handshake.map { .init(handshake: $0) },
            subprotocol: handshake?.options.webSocket?.secretSubprotocol, clock: environment.clock)
    }
}
