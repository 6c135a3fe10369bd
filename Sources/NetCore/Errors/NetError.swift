public import HTTPTypes

/// What went wrong with a call, with everything needed to find out why: what, where, which request, what to do.
///
/// `code` says what happened and is an open set: compare with the constants and keep a `default`. `phase` says how far
/// the call had come. The URL is redacted when the error is made; the description never prints headers or bodies.
///
///     do {
///         _ = try await client.send(GetUser(id: 7))
///     } catch {
///         if error.netError?.isTimeout == true { print("slow server:", error) }
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

        init(
            code: Code, phase: Phase, message: String, underlying: (any Error)?, call: CallSummary?,
            elapsed: Duration?, response: FailedResponse?, closure: WebSocketClosure?
        ) {
            self.code = code
            self.phase = phase
            self.message = message
            self.underlying = underlying
            self.call = call
            self.elapsed = elapsed
            self.response = response
            self.closure = closure
        }
    }

    /// One reference, so that a throwing function returns its value as cheaply as one that cannot throw.
    private let storage: Storage

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What happened.
    ///   - phase: How far the call had come.
    ///   - message: One sentence for a person: what was found, and what to do about it. No secrets.
    ///   - underlying: The error that caused this one.
    ///   - call: Which request; the client fills it in where it is nil.
    ///   - elapsed: How long the call had run.
    ///   - response: The response that was not accepted.
    ///   - closure: How a WebSocket ended.
    public init(
        _ code: Code, phase: Phase, message: String, underlying: (any Error)? = nil, call: CallSummary? = nil,
        elapsed: Duration? = nil, response: FailedResponse? = nil, closure: WebSocketClosure? = nil
    ) {
        storage = Storage(
            code: code, phase: phase, message: message, underlying: underlying, call: call, elapsed: elapsed,
            response: response, closure: closure)
    }

    /// What happened.
    public var code: Code { storage.code }
    /// How far the call had come.
    public var phase: Phase { storage.phase }
    /// One sentence for a person, without secrets. An error of other code is named by its kind, place, case, or domain and code;
    /// its values and its own words, which may quote a secret, are only in ``underlying``.
    public var message: String { storage.message }
    /// The error that caused this one, as it was thrown. It may hold secrets: nothing in this library prints it. Of a call that
    /// failed because another one did, such as the renewal of a credential, the other call's error.
    public var underlying: (any Error)? { storage.underlying }
    /// Which request, with its redacted URL and attempt; of one that cannot be prepared, what was written as its path or URL.
    /// nil where an error is of no request.
    public var call: CallSummary? { storage.call }
    /// How long the call had run, retries included.
    public var elapsed: Duration? { storage.elapsed }
    /// The response whose status or content was not accepted; nil when none came.
    public var response: FailedResponse? { storage.response }
    /// How the WebSocket ended; nil for other calls, and where it did not open.
    public var closure: WebSocketClosure? { storage.closure }

    /// The redacted URL.
    public var url: String? { call?.url }
    /// The attempt that failed, counted from 1.
    public var attempt: Int? { call?.attempt }
    /// The status of the response that was not accepted.
    public var status: Int? { response?.head.status.code }

    /// Returns the error with the request that could not be prepared. One of another request becomes its cause.
    package func naming(_ request: CallSummary) -> NetError {
        if let call = storage.call { return call == request ? self : nested(in: request, elapsed: nil) }
        return NetError(
            code, phase: phase, message: message, underlying: underlying, call: request, elapsed: elapsed,
            response: response, closure: closure)
    }

    /// Returns the error as one of a call: with its summary and time, if it has none.
    ///
    /// The error of another call, which a middleware or a body made with a client of its own, becomes the cause of one that has
    /// the same code, phase and response and belongs to `call`. `part` names who made the other call.
    package func belonging(
        to call: CallSummary, elapsed: Duration, by part: @autoclosure () -> String? = nil
    ) -> NetError {
        if let other = storage.call, other.id != call.id { return nested(in: call, elapsed: elapsed, by: part()) }
        return filling(call: call, elapsed: elapsed)
    }

    /// Returns the error with the call it belongs to, if it has none.
    public func filling(call: CallSummary, elapsed: Duration) -> NetError {
        if storage.call != nil && storage.elapsed != nil { return self }
        return NetError(
            code, phase: phase, message: message, underlying: underlying, call: storage.call ?? call,
            elapsed: storage.elapsed ?? elapsed, response: response, closure: closure)
    }
}

extension NetError {
    /// How far a call had come.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        case preparing, queued, resolving, connecting, securing, sending, waiting, receiving, validating, decoding
        /// Inside a middleware.
        case middleware
    }
}

/// Which request an error or event speaks of.
public struct CallSummary: Sendable, Hashable {
    /// The call.
    public var id: CallID
    /// The request method.
    public var method: HTTPRequest.Method
    /// The redacted URL.
    public var url: String
    /// The operation's name, where the request has one.
    public var operation: String?
    /// The attempt, counted from 1.
    public var attempt: Int

    /// Makes a summary; `url` must be redacted already.
    public init(id: CallID, method: HTTPRequest.Method, url: String, operation: String? = nil, attempt: Int = 1) {
        self.id = id
        self.method = method
        self.url = url
        self.operation = operation
        self.attempt = attempt
    }
}

extension NetError: CustomStringConvertible, CustomReflectable, SecretlessError {
    /// What, where, which request: `timeout while waiting: … (GET https://host/path, attempt 2, after 1.5 s)`.
    public var description: String {
        var text = "\(code) while \(phase.rawValue): \(message)"
        guard let call else { return text }
        text += " (\(call.method.rawValue) \(call.url)"
        if let operation = call.operation { text += ", \(operation)" }
        text += ", attempt \(call.attempt)"
        if let elapsed { text += ", after \(elapsed.seconds(places: 3)) s" }
        return text + ")"
    }

    /// The parts that hold no secret, and the kind of the cause.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "error": description, "underlying": underlying.map { String(describing: type(of: $0)) } as Any,
                "response": response?.head as Any,
            ])
    }
}
