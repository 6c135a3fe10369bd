internal import NetCore
public import NetSocketCore

extension SocketClient {
    /// Subscribes, and returns the events. Many subscriptions share the connection; each is made again on a new one.
    ///
    ///     struct Stars: Decodable, Sendable { var stars: Int }
    ///     let client = SocketClient("wss://api.example/graphql", configuration: .init(wire: .graphQLTransport))
    ///     client.start()
    ///     for try await event in client.subscribe(GraphQLSubscription("subscription { stars }", as: Stars.self)) {
    ///         print(event.stars)
    ///     }
    ///
    /// The subscription begins when the sequence is iterated, and ends when the iterator goes, or with the loop: then the
    /// server is told. A subscription that the server ends by a failure throws `.rejected`; an event that can't be read throws
    /// `.failed`. The wire protocol must have subscriptions (``NetSocketCore/SocketWire/Features/subscriptions``).
    public func subscribe<Subscription: SocketSubscription>(
        _ subscription: Subscription, buffer: SocketBuffer = .standard
    ) -> SubscriptionEvents<Subscription> {
        SubscriptionEvents(driver: driver, subscription: subscription, buffer: buffer)
    }
}

/// The events of a subscription; see ``SocketClient/subscribe(_:buffer:)``. Each iteration is a subscription of its own.
public struct SubscriptionEvents<Subscription: SocketSubscription>: AsyncSequence, Sendable {
    public typealias Element = Subscription.Event
    public typealias Failure = SocketCommandError

    let driver: SessionDriver
    let subscription: Subscription
    let buffer: SocketBuffer

    public func makeAsyncIterator() -> Iterator {
        Iterator(subscription: subscription, active: ActiveSubscription(driver, subscription, buffer))
    }

    /// Reads one event after another.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: Subscription
        let active: ActiveSubscription

        public mutating func next() async throws(SocketCommandError) -> Subscription.Event? {
            try await active.next(subscription)
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(SocketCommandError) -> Subscription.Event? {
            try await active.next(subscription)
        }
    }
}

/// One subscription at the server. It ends with its last reference.
final class ActiveSubscription: Sendable {
    enum Item: Sendable {
        case event(SocketPayload)
        case end(SocketFailure?)
    }

    private let driver: SessionDriver
    private let ticket: SessionMachine.Ticket
    private let items: SocketSequence<Item>
    /// Why it could not begin.
    private let failure: NetError?

    init(_ driver: SessionDriver, _ subscription: some SocketSubscription, _ buffer: SocketBuffer) {
        let ticket = driver.makeTicket()
        self.driver = driver
        self.ticket = ticket
        // It observes before it subscribes: the first event may come at once.
        items = driver.hub.observe(buffer) { notice in
            switch notice {
            case .event(ticket, let payload): .event(payload)
            case .completed(ticket, let failure): .end(failure)
            default: nil
            }
        }
        do {
            guard driver.configuration.wire.features.contains(.subscriptions) else {
                throw SocketWire.unsupported("subscriptions", by: driver.configuration.wire.name)
            }
            let payload = try subscription.payload(driver.configuration.coding)
            driver.recorder?.record(.subscribed(ticket))
            driver.handle(.subscribe(ticket, payload))
            failure = nil
        } catch {
            failure =
                NetError(error)
                ?? NetError(
                    .encoding, phase: .preparing, message: "the payload of a subscription could not be made",
                    underlying: error)
        }
    }

    deinit { driver.handle(.unsubscribe(ticket)) }

    func next<Subscription: SocketSubscription>(
        _ subscription: Subscription
    ) async throws(SocketCommandError) -> Subscription.Event? {
        if let failure { throw .failed(failure) }
        var iterator = items.makeAsyncIterator()
        while true {
            let item: Item?
            do throws(NetError) { item = try await iterator.next() } catch { throw .failed(error) }
            switch item {
            case .event(let payload)?:
                do {
                    if let event = try subscription.event(in: payload, driver.configuration.coding) { return event }
                } catch let failure as SocketFailure {
                    throw .rejected(failure)
                } catch {
                    throw .failed(
                        NetError(error)
                            ?? NetError(
                                .decoding, phase: .decoding,
                                message: "an event of a subscription is no \(Subscription.Event.self)",
                                underlying: error))
                }
            case .end(let failure?)?: throw .rejected(failure)
            case .end(nil)?, nil: return nil
            }
        }
    }
}
