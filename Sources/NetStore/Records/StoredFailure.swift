/// A stored failure: the code, phase and message of a `NetError`.
public struct StoredFailure: Sendable, Hashable {
    /// The raw value of the `NetError.Code`.
    public var code: String
    /// The raw value of the `NetError.Phase`; empty if an imported file doesn't contain it.
    public var phase: String
    /// One sentence for people; empty if there is none.
    public var message: String

    package init(code: String, phase: String, message: String) {
        self.code = code
        self.phase = phase
        self.message = message
    }

    /// The code, the phase if it is known, and the message.
    package var text: String { "\(code)\(phase.isEmpty ? "" : " while \(phase)"): \(message)" }

    /// The phase; nil if it isn't known.
    var knownPhase: String? { phase.isEmpty ? nil : phase }
}
