/// A stored failure: the code, phase and message of a `NetError`.
public struct StoredFailure: Sendable, Hashable {
    /// What happened, as `NetError.Code` names it.
    public var code: String
    /// How far it had come, as `NetError.Phase` names it.
    public var phase: String
    /// One sentence for a person; empty if there is none.
    public var message: String

    package init(code: String, phase: String, message: String) {
        self.code = code
        self.phase = phase
        self.message = message
    }
}
