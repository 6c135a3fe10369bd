#if Tools && Server
/// A response that never arrives, and the events of the call that waits for it.
final class EndlessAnswer: Sendable {
    enum Event: Sendable, Hashable {
        /// The request has arrived.
        case came
        /// The server's work was cancelled, because no client waits for the response.
        case givenUp
        /// The client's call has ended.
        case callEnded
    }

    /// The events in order, for one consumer.
    let events: AsyncStream<Event>
    private let feed: AsyncStream<Event>.Continuation

    init() {
        (events, feed) = AsyncStream.makeStream()
    }

    /// Waits until its task is cancelled.
    func hold() async {
        feed.yield(.came)
        let nothing = AsyncStream<Never>.makeStream()
        for await _ in nothing.stream {}
        feed.yield(.givenUp)
    }

    func callEnded() {
        feed.yield(.callEnded)
    }
}
#endif
