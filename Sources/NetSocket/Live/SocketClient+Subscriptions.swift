internal import NetCore
public import NetSocketCore

extension SocketClient {
    /// Subscribes, and returns the events. Many subscriptions share the connection; each is made again on a new
    /// connection.
    ///
    ///     struct Stars: Decodable, Sendable { var stars: Int }
    ///     let client = SocketClient("wss://api.example/graphql", configuration: .init(wire: .graphQLTransport))
    ///     client.start()
    ///     for try await event in client.subscribe(GraphQLSubscription("subscription { stars }", as: Stars.self)) {
    ///         print(event.stars)
    ///     }
    ///
    /// The subscription begins when the sequence is iterated. It ends, and the server is notified, when the iterator is
    /// released, or the loop ends. A subscription that the server ends with a failure throws `.rejected`; an event that
    /// can't be read throws `.failed`. The wire protocol must have subscriptions
    /// (``NetSocketCore/SocketWire/Features/subscriptions``).
    ///
    /// For a server whose messages have no envelope, use ``NetSocketCore/SocketWire/raw``:
    ///
    ///     struct Trades: SocketSubscription {
    ///         struct Event: Decodable, Sendable { var s: String, p: String }
    ///         var symbol: String
    ///         func payload(_ coding: JSONCoding) -> SocketPayload { call("SUBSCRIBE") }
    ///         func ending(_ coding: JSONCoding) -> SocketPayload? { call("UNSUBSCRIBE") }
    ///         func event(in payload: SocketPayload, _ coding: JSONCoding) -> Event? {
    ///             let trade = try? payload.decoded(as: Event.self, coding: coding)
    ///             return trade?.s.lowercased() == symbol ? trade : nil  // nil: not ours
    ///         }
    ///         private func call(_ method: String) -> SocketPayload {
    ///             SocketPayload(json: #"{"method":"\#(method)","params":["\#(symbol)@trade"],"id":1}"#)
    ///         }
    ///     }
    ///     let feed = SocketClient("wss://stream.example/ws", configuration: .init(wire: .raw))
    ///     feed.start()
    ///     for try await trade in feed.subscribe(Trades(symbol: "btcusdt"), buffer: .latest) { print(trade.p) }
    public func subscribe<Subscription: SocketSubscription>(
        _ subscription: Subscription, buffer: SocketBuffer = .standard
    ) -> SubscriptionEvents<Subscription> {
        SubscriptionEvents(driver: driver, subscription: subscription, buffer: buffer)
    }
}

/// The events of a subscription; see ``SocketClient/subscribe(_:buffer:)``. Each iteration is a separate subscription.
public struct SubscriptionEvents<Subscription: SocketSubscription>: AsyncSequence, Sendable {
    public typealias Element = Subscription.Event
    public typealias Failure = SocketCommandError

    let driver: SessionDriver
    let subscription: Subscription
    let buffer: SocketBuffer

    public func makeAsyncIterator() -> Iterator {
        Iterator(active: ActiveSubscription(driver, subscription, buffer))
    }

    /// Reads one event after another.
    public struct Iterator: AsyncIteratorProtocol {
        let active: ActiveSubscription<Subscription>

        public mutating func next() async throws(SocketCommandError) -> Subscription.Event? {
            try await active.next()
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(SocketCommandError) -> Subscription.Event? {
            try await active.next()
        }
    }
}
