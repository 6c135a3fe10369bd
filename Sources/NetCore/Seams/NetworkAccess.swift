internal import Synchronization

/// Which connections the running task may open: a lock on the door of the network, for tests.
///
/// A transport asks ``check(_:context:)`` before it connects; `CurlTransport` and `CurlWebSocketTransport` do. The scope
/// reaches whatever the task awaits, its child tasks and every `Task { … }` made in it. It does not reach a detached task,
/// and a connection that is open already stays usable. What counts is the address of the request: a proxy in between is
/// not looked at. A program that never calls ``limited(to:report:operation:)`` pays one atomic load for each request.
///
///     let client = HTTPClient(baseURL: "https://api.example.com")
///     try await NetworkAccess.limited(to: .loopback) {
///         _ = try await client.send(GetUser(id: 7))  // .networkDenied unless the server is on this machine
///     }
public struct NetworkAccess: Sendable {
    /// What may be reached.
    public enum Scope: Sendable, Hashable {
        /// Every address.
        case all
        /// This machine: `localhost` and names below it (RFC 6761 section 6.3), 127.0.0.0/8 and `[::1]`.
        case loopback
        /// Nothing.
        case none
    }

    @TaskLocal private static var current: NetworkAccess?
    /// Whether ``limited(to:report:operation:)`` was ever called: until then nobody needs to ask for the task's value.
    private static let isInUse = Atomic(false)

    private let scope: Scope
    private let report: @Sendable (NetError) -> Void

    /// Runs an operation whose task tree may open only such connections. The innermost scope counts.
    ///
    /// - Parameters:
    ///   - scope: What may be reached.
    ///   - report: Hears of each refused connection, from the task that wanted it, before the call throws the same error.
    ///   - operation: What runs. Its error is thrown on.
    public static func limited<Value: Sendable>(
        to scope: Scope, report: @escaping @Sendable (NetError) -> Void = { _ in },
        operation: @concurrent @Sendable () async throws -> Value
    ) async rethrows -> Value {
        isInUse.store(true, ordering: .relaxed)
        return try await $current.withValue(NetworkAccess(scope: scope, report: report)) { try await operation() }
    }

    /// Throws `.networkDenied`, naming the redacted URL, where the running task may not connect to an authority.
    ///
    /// Call it in a transport of your own before it opens a connection.
    public static func check(_ authority: @autoclosure () -> String?, context: CallContext) throws(NetError) {
        guard isInUse.load(ordering: .relaxed), let current else { return }
        try current.check(authority() ?? "", context)
    }

    /// Whether the running task may connect to an authority, where there is another way: nobody hears of it.
    package static func allows(_ authority: @autoclosure () -> String) -> Bool {
        guard isInUse.load(ordering: .relaxed), let current else { return true }
        return current.refusal(of: authority()) == nil
    }

    /// What is allowed instead; nil where the authority is.
    private func refusal(of authority: String) -> String? {
        switch scope {
        case .all: nil
        case .loopback: Authority(authority).isLoopback ? nil : "only connections to this machine"
        case .none: "no connections"
        }
    }

    private func check(_ authority: String, _ context: CallContext) throws(NetError) {
        guard let allowed = refusal(of: authority) else { return }
        let error = context.error(
            .networkDenied, phase: .preparing,
            message: "\(allowed) are allowed here; answer the request with a stub or a recording, or allow more")
        report(error)
        throw error
    }
}

extension NetError.Code {
    /// The task may not open this connection; see ``NetworkAccess``.
    public static let networkDenied = NetError.Code(rawValue: "networkDenied")
}
