/// The handling of elements that a slow observer hasn't read yet.
public enum SocketBuffer: Sendable, Hashable {
    /// Stops reading from the server until there is room. Nothing is lost; the server is slowed down.
    case suspend(Int)
    /// Drops the oldest elements, and counts them (``SocketSequence/Iterator/dropped``).
    case dropOldest(Int)
    /// Keeps only the newest element. Older ones are dropped and counted.
    case latest
    /// Ends the sequence with an error if an element arrives while this many are waiting.
    case fail(Int)

    /// The default: suspends reading from the server once 1,000 elements are waiting.
    public static let standard = SocketBuffer.suspend(1000)

    var limit: Int {
        switch self {
        case .suspend(let limit), .dropOldest(let limit), .fail(let limit): max(1, limit)
        case .latest: 1
        }
    }
}
