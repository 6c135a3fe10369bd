/// What an observer that is slower than the server does with what it has not read yet.
public enum SocketBuffer: Sendable, Hashable {
    /// Reading from the server waits until there is room: nothing is lost, and the server is slowed down.
    case suspend(Int)
    /// The oldest elements are dropped, and counted (``SocketSequence/Iterator/dropped``).
    case dropOldest(Int)
    /// Only the newest element is kept; older ones are dropped, and counted.
    case latest
    /// The sequence ends with an error once so many wait.
    case fail(Int)

    /// The default: 1,000 elements, then the server waits.
    public static let standard = SocketBuffer.suspend(1000)

    var limit: Int {
        switch self {
        case .suspend(let limit), .dropOldest(let limit), .fail(let limit): max(1, limit)
        case .latest: 1
        }
    }
}
