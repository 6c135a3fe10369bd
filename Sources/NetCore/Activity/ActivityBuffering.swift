/// How many events wait for a reader that is slower than the calls.
///
/// There is no unlimited buffer: a reader that stops would hold every event of the program's life. What is lost is counted.
public enum ActivityBuffering: Sendable, Hashable {
    /// The newest ones; older ones give way. Below zero counts as zero: only a reader that is waiting gets an event.
    case newest(Int)
    /// The oldest ones; newer ones are lost. Below zero counts as zero.
    case oldest(Int)

    /// What streams have unless another is asked for: the newest 100.
    public static let standard = ActivityBuffering.newest(100)

    func policy<Element>(of type: Element.Type) -> AsyncStream<Element>.Continuation.BufferingPolicy {
        switch self {
        case .newest(let limit): .bufferingNewest(max(0, limit))
        case .oldest(let limit): .bufferingOldest(max(0, limit))
        }
    }
}
