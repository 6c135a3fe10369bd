public import HTTPTypes

/// An error of a call, with everything needed to find its cause: what happened, where, in which request, and what to
/// do.
///
/// `code` is an open set: compare it with the constants and keep a `default`. `phase` is the part of the call in which
/// the error occurred. The URL is redacted when the error is created; the description never contains headers or bodies.
///
///     do {
///         try await client.send(GetUser(id: 7))
///     } catch {
///         if error.isTimeout { print("slow server:", error) }
///     }
public struct NetError: Error, Sendable {
    private final class Storage: Sendable {
        let code: Code
        let phase: Phase
        let message: String
        let underlying: (any Error)?
        let call: CallSummary?
        let elapsed: Duration?
        let response: FailedResponse?
        let closure: WebSocketClosure?
        let arrival: Arrival?

        init(
            code: Code, phase: Phase, message: String, underlying: (any Error)?, call: CallSummary?,
            elapsed: Duration?, response: FailedResponse?, closure: WebSocketClosure?, arrival: Arrival?
        ) {
            self.code = code
            self.phase = phase
            self.message = call?.hidingValues(in: message) ?? message
            self.underlying = (underlying as? DecodingError)?.withoutSecrets ?? underlying
            self.call = call
            self.elapsed = elapsed
            self.response = response
            self.closure = closure
            self.arrival = arrival
        }
    }

    /// A single reference, so that a throwing function returns its value as cheaply as one that can't throw.
    private let storage: Storage

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - phase: The phase that the call had reached.
    ///   - message: A human-readable sentence: the problem, and how to fix it. Must not contain secrets.
    ///   - underlying: The error that caused this one.
    ///   - call: The request; if nil, the client fills it in.
    ///   - elapsed: The time since the call started.
    ///   - response: The response that wasn't accepted.
    ///   - closure: The closure of a WebSocket.
    public init(
        _ code: Code, phase: Phase, message: String, underlying: (any Error)? = nil, call: CallSummary? = nil,
        elapsed: Duration? = nil, response: FailedResponse? = nil, closure: WebSocketClosure? = nil
    ) {
        storage = Storage(
            code: code, phase: phase, message: message, underlying: underlying, call: call, elapsed: elapsed,
            response: response, closure: closure, arrival: nil)
    }

    private init(_ storage: Storage) { self.storage = storage }

    /// Returns the error with other values, and everything else as it was.
    private func changing(
        call: CallSummary?, elapsed: Duration?, response: FailedResponse?, arrival: Arrival?
    ) -> NetError {
        NetError(
            Storage(
                code: code, phase: phase, message: message, underlying: underlying, call: call, elapsed: elapsed,
                response: response, closure: closure, arrival: arrival))
    }

    /// The kind of the error.
    public var code: Code { storage.code }
    /// The phase that the call had reached.
    public var phase: Phase { storage.phase }
    /// A human-readable sentence without secrets. For an error from other code, it contains only the kind, place, case,
    /// or domain and code; the values and the text of that error, which may quote a secret, are only in ``underlying``.
    public var message: String { storage.message }
    /// The error that caused this one, as it was thrown. It may contain secrets: nothing in this library prints it. In the
    /// text of a `DecodingError`, values under names that denote secrets are hidden (``RedactionPolicy/safeDefault``). If
    /// the call failed because another call failed, such as the renewal of a credential, it is the error of that call.
    public var underlying: (any Error)? { storage.underlying }
    /// The request, with its redacted URL and attempt. For a request that can't be prepared, the URL is the path or URL
    /// as written. nil if the error doesn't belong to a request.
    public var call: CallSummary? { storage.call }
    /// The time since the call started, retries included.
    public var elapsed: Duration? { storage.elapsed }
    /// The response whose status or content wasn't accepted; nil if there was none.
    public var response: FailedResponse? { storage.response }
    /// The closure of the WebSocket; nil for other calls, or if the WebSocket didn't open.
    public var closure: WebSocketClosure? { storage.closure }

    /// The redacted URL.
    public var url: String? { call?.url }
    /// The number of the attempt that failed, counted from 1 over retries, new credentials and redirects; 1 if no
    /// attempt was made. For the error of a whole call, it is the number of attempts.
    public var attempt: Int? { call?.attempt }
    /// The status of the response that wasn't accepted; nil if there was none.
    public var status: Int? { response?.head.status.code }

    /// Returns the error with the request that couldn't be prepared. An error of another request becomes its cause.
    package func naming(_ request: CallSummary) -> NetError {
        if let call = storage.call { return call == request ? self : nested(in: request, elapsed: nil) }
        return changing(call: request, elapsed: elapsed, response: response, arrival: storage.arrival)
    }

    /// Returns the error as an error of a call, with the call's summary and elapsed time if it has none.
    ///
    /// An error of another call, which a middleware or a body made with its own client, becomes the cause of an error
    /// of `call` with the same code, phase and response. `part` names the part that made the other call.
    package func belonging(
        to call: CallSummary, elapsed: Duration, by part: @autoclosure () -> String? = nil
    ) -> NetError {
        if let other = storage.call, other.id != call.id { return nested(in: call, elapsed: elapsed, by: part()) }
        return filling(call: call, elapsed: elapsed)
    }

    /// Returns the error with a call's summary and elapsed time, if it has none.
    public func filling(call: CallSummary, elapsed: Duration) -> NetError {
        if storage.call != nil && storage.elapsed != nil { return self }
        return changing(
            call: storage.call ?? call, elapsed: storage.elapsed ?? elapsed, response: response,
            arrival: storage.arrival)
    }

    /// Returns the error with the head of a response that arrived before, if it has no response.
    package func following(_ head: ResponseHead) -> NetError {
        guard storage.response == nil else { return self }
        return changing(
            call: storage.call, elapsed: storage.elapsed, response: FailedResponse(head: head, body: Bytes()),
            arrival: storage.arrival)
    }
}

extension NetError {
    /// Knowledge about a request or message, apart from the phase that it reached.
    package enum Arrival: Sendable {
        /// It was sent, and has no response.
        case unanswered
        /// A message that has arrived here is the cause, rather than one that was sent.
        case received
        /// The peer hasn't processed it, and won't: it wasn't sent, or was refused as a whole.
        case unprocessed
    }

    /// Returns the error with what is known of the request.
    package func knowing(_ arrival: Arrival) -> NetError {
        changing(call: storage.call, elapsed: storage.elapsed, response: response, arrival: arrival)
    }

    /// True if the peer may have acted on the request or the message: at least a part of it was sent, and nothing proves
    /// that it wasn't processed. False if there was no connection, or if an HTTP/2 server has refused the stream (RFC
    /// 9113 section 8.7): then the request may be sent again, whatever its method.
    public var mayHaveArrived: Bool {
        switch storage.arrival {
        case .unanswered: true
        case .received, .unprocessed: false
        case nil:
            switch phase {
            case .sending, .waiting, .receiving, .validating, .decoding: true
            case .preparing, .queued, .resolving, .connecting, .securing, .middleware: false
            }
        }
    }
}

extension NetError {
    /// A phase of a call.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        case preparing, queued, resolving, connecting, securing, sending, waiting, receiving, validating, decoding
        /// Inside a middleware.
        case middleware
    }
}

/// The request that an error or event belongs to.
public struct CallSummary: Sendable, Hashable {
    /// The ID of the call.
    public var id: CallID
    /// The request method.
    public var method: HTTPRequest.Method
    /// The redacted URL.
    public var url: String
    /// The name of the operation; nil if the request has none.
    public var operation: String?
    /// The number of the last attempt, counted from 1 over retries, new credentials and redirects; 1 if none was made.
    public var attempt: Int

    /// The secrets of the call, which are hidden in texts about it. They don't count in comparisons.
    private var values = RedactionPolicy.Values()

    /// Creates a summary; `url` must already be redacted.
    public init(id: CallID, method: HTTPRequest.Method, url: String, operation: String? = nil, attempt: Int = 1) {
        self.id = id
        self.method = method
        self.url = url
        self.operation = operation
        self.attempt = attempt
    }
}

extension CallSummary {
    /// The policy for everything that shows a part of the call, based on `policy`.
    package func redaction(_ policy: RedactionPolicy = .safeDefault) -> RedactionPolicy {
        policy.hiding(values.secrets)
    }

    /// Returns the summary with the secrets of its call.
    func hiding(_ secrets: CallSecrets?) -> CallSummary {
        var summary = self
        summary.values.secrets = secrets
        return summary
    }

    /// Returns the text without the secrets of the call, and without values that are recognized as secrets.
    func hidingValues(in text: String) -> String { redaction().hidingValues(in: text) }
}

extension CallSummary: CustomStringConvertible, CustomReflectable {
    /// The values, without the secrets of the call.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id, "method": method.rawValue, "url": url, "operation": operation as Any, "attempt": attempt,
            ], displayStyle: .struct)
    }

    /// Example: `GET https://host/path, getUser, attempt 2`.
    public var description: String {
        "\(method.rawValue) \(url)" + (operation.map { ", \($0)" } ?? "") + ", attempt \(attempt)"
    }
}

extension NetError: CustomStringConvertible, CustomReflectable, SecretlessError {
    /// The code, phase, message and request:
    /// `timeout while waiting: … (GET https://host/path, attempt 2, after 1.5 s)`.
    public var description: String {
        guard let call else { return reason }
        var text = reason
        text += " (\(call)"
        if let elapsed { text += ", after \(elapsed.seconds(places: 3)) s" }
        return text + ")"
    }

    /// The phase and message, for text that already contains the code and the request: `while waiting: …`.
    package var place: String { "while \(phase.rawValue): \(message)" }

    /// The code, phase and message, for text that already contains the request.
    package var reason: String { "\(code) \(place)" }

    /// The values without secrets, and the kind of the cause.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "error": description, "underlying": underlying.map { String(describing: type(of: $0)) } as Any,
                "response": response?.head as Any,
            ])
    }
}
