#if Server
import Testing

/// One thing that every transport does, as a sentence, and how it is seen.
struct TransportRule: Sendable, CustomTestStringConvertible {
    let name: String
    /// There is nothing to see in memory.
    let needsSockets: Bool
    let check: @Sendable (TransportSubject) async throws -> Void

    init(_ name: String, needsSockets: Bool = false, check: @escaping @Sendable (TransportSubject) async throws -> Void)
    {
        self.name = name
        self.needsSockets = needsSockets
        self.check = check
    }

    var testDescription: String { name }

    /// All of them.
    static let all = requests + bodies + responses + endings + timeLimits
}
#endif
