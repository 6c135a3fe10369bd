/// The number of events that are buffered for a consumer that is slower than the calls.
///
/// There is no unlimited buffer, because a consumer that stops reading would keep all events of the program in memory.
/// Dropped events are counted.
public enum ActivityBuffering: Sendable, Hashable {
    /// The newest events; older ones are dropped. A negative limit counts as zero: only a consumer that is waiting
    /// receives an event.
    case newest(Int)
    /// The oldest events; newer ones are dropped. A negative limit counts as zero.
    case oldest(Int)

    /// The default for streams: the newest 100.
    public static let standard = ActivityBuffering.newest(100)

    package func policy<Element>(of type: Element.Type) -> AsyncStream<Element>.Continuation.BufferingPolicy {
        switch self {
        case .newest(let limit): .bufferingNewest(max(0, limit))
        case .oldest(let limit): .bufferingOldest(max(0, limit))
        }
    }
}
