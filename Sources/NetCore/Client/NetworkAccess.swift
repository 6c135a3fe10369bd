internal import Synchronization

/// The connections that the current task may open: a network lock for tests.
///
/// A transport calls ``check(_:context:)`` before it connects; `CurlTransport` and `CurlWebSocketTransport` do. The
/// scope covers everything the task awaits, its child tasks and every `Task { … }` created in it. It doesn't cover
/// detached tasks, and connections that are already open stay usable. The address of the request counts: a proxy in
/// between isn't checked. A program that never calls ``limited(to:report:operation:)`` pays one atomic load per
/// request.
///
///     let client = HTTPClient(baseURL: "https://api.example.com")
///     try await NetworkAccess.limited(to: .loopback) {
///         try await client.send(GetUser(id: 7))  // .networkDenied unless the server is on this machine
///     }
public struct NetworkAccess: Sendable {
    /// The addresses that may be reached.
    public enum Scope: Sendable, Hashable {
        /// Every address.
        case all
        /// This machine: `localhost` and names below it (RFC 6761 section 6.3), 127.0.0.0/8 and `[::1]`.
        case loopback
        /// No address.
        case none
    }

    @TaskLocal private static var current: NetworkAccess?
    /// True once ``limited(to:report:operation:)`` was called: until then, the task-local value doesn't need to be
    /// read.
    private static let isInUse = Atomic(false)

    private let scope: Scope
    private let report: @Sendable (NetError) -> Void

    /// Runs an operation whose task tree may open only connections within a scope. The innermost scope applies.
    ///
    /// - Parameters:
    ///   - scope: The addresses that may be reached.
    ///   - report: Called for each denied connection, in the task that tried to connect, before its error is thrown.
    ///   - operation: The operation to run. Its error is rethrown.
    public static func limited<Value: Sendable>(
        to scope: Scope, report: @escaping @Sendable (NetError) -> Void = { _ in },
        operation: @concurrent @Sendable () async throws -> Value
    ) async rethrows -> Value {
        isInUse.store(true, ordering: .relaxed)
        return try await $current.withValue(NetworkAccess(scope: scope, report: report)) { try await operation() }
    }

    /// Throws `.networkDenied` with the redacted URL if the current task may not connect to an authority.
    ///
    /// Call it in your own transport before it opens a connection.
    public static func check(_ authority: @autoclosure () -> String?, context: CallContext) throws(NetError) {
        guard isInUse.load(ordering: .relaxed), let current else { return }
        try current.check(authority() ?? "", context)
    }

    /// Returns true if the current task may connect to an authority, for callers with an alternative: nothing is
    /// reported.
    package static func allows(_ authority: @autoclosure () -> String) -> Bool {
        guard isInUse.load(ordering: .relaxed), let current else { return true }
        return current.refusal(of: authority()) == nil
    }

    /// Returns a phrase for the connections that are allowed instead; nil if the authority is allowed.
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
            message: "\(allowed) are allowed here; respond with a stub or a recording, or allow more")
        report(error)
        throw error
    }
}

extension NetError.Code {
    /// The current task may not open this connection; see ``NetworkAccess``.
    public static let networkDenied = NetError.Code(rawValue: "networkDenied")
}
