#if Server
import Testing

/// One requirement for every transport, as a sentence and a check.
struct TransportRule: Sendable, CustomTestStringConvertible {
    let name: String
    /// True if it can't be observed in memory.
    let needsSockets: Bool
    let check: @Sendable (TransportSubject) async throws -> Void

    init(_ name: String, needsSockets: Bool = false, check: @escaping @Sendable (TransportSubject) async throws -> Void)
    {
        self.name = name
        self.needsSockets = needsSockets
        self.check = check
    }

    var testDescription: String { name }

    /// All rules.
    static let all = requests + bodies + responses + endings + timeLimits
}
#endif
