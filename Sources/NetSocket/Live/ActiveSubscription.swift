internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// One subscription at the server. It ends when the last reference to it is dropped.
final class ActiveSubscription<Subscription: SocketSubscription>: Sendable {
    enum Item: Sendable {
        case payload(SocketPayload)
        /// An event or failure found in a message that could belong to any subscription.
        case found(Result<Subscription.Event, SocketCommandError>)
        case end(SocketFailure?)
    }

    private let driver: SessionDriver
    private let subscription: Subscription
    private let ticket: SessionMachine.Ticket
    private let items: SocketSequence<Item>
    /// The reason why the subscription couldn't begin; nil if it began.
    private let failure: NetError?
    /// True once the end has been returned to the consumer.
    private let isOver = Mutex(false)

    init(_ driver: SessionDriver, _ subscription: Subscription, _ buffer: SocketBuffer) {
        let ticket = driver.makeTicket()
        (self.driver, self.subscription, self.ticket) = (driver, subscription, ticket)
        // Observes before subscribing, because the first event may arrive immediately.
        items = driver.hub.observe(buffer, Self.reader(driver, subscription, ticket))
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
                    .encoding, phase: .preparing, message: "the payload of a subscription could not be created",
                    underlying: error)
        }
    }

    deinit {
        driver.handle(.unsubscribe(ticket))
        let configuration = driver.configuration
        guard failure == nil, configuration.wire.features.contains(.sharedEvents),
            let payload = try? subscription.ending(configuration.coding)
        else { return }
        // Not sent without a connection: the next connection doesn't make the subscription again.
        let message = SessionMachine.Request(
            "", payload: payload, wantsReply: false, timeout: configuration.requestTimeout, offline: .drop)
        driver.handle(.request(driver.makeTicket(), message))
    }

    /// Returns the function that selects the items of a subscription.
    ///
    /// If all subscriptions share their events, an event is read before it is buffered, so that messages of others
    /// can't displace it.
    private static func reader(
        _ driver: SessionDriver, _ subscription: Subscription, _ ticket: SessionMachine.Ticket
    ) -> @Sendable (SessionMachine.Notice) -> Item? {
        guard driver.configuration.wire.features.contains(.sharedEvents) else {
            return { notice in
                switch notice {
                case .event(ticket, let payload): .payload(payload)
                case .completed(ticket, let failure): .end(failure)
                default: nil
                }
            }
        }
        let coding = driver.configuration.coding
        let hasFailed = Mutex(false)
        return { notice in
            if case .completed(ticket, let failure) = notice { return .end(failure) }
            guard case .push(let push) = notice, let payload = push.payload, !hasFailed.withLock({ $0 }) else {
                return nil
            }
            do throws(SocketCommandError) {
                return try read(payload, by: subscription, coding).map { .found(.success($0)) }
            } catch {
                // Later items must not displace the failure.
                hasFailed.withLock { $0 = true }
                return .found(.failure(error))
            }
        }
    }

    private static func read(
        _ payload: SocketPayload, by subscription: Subscription, _ coding: JSONCoding
    ) throws(SocketCommandError) -> Subscription.Event? {
        do {
            return try subscription.event(in: payload, coding)
        } catch let failure as SocketFailure {
            throw .rejected(failure)
        } catch {
            throw .failed(
                NetError(error)
                    ?? NetError(
                        .decoding, phase: .decoding,
                        message: "an event of a subscription can't be decoded as \(Subscription.Event.self)",
                        underlying: error))
        }
    }

    func next() async throws(SocketCommandError) -> Subscription.Event? {
        if let failure { throw .failed(failure) }
        if isOver.withLock({ $0 }) { return nil }
        var iterator = items.makeAsyncIterator()
        while true {
            let item: Item?
            do throws(NetError) { item = try await iterator.next() } catch { throw .failed(error) }
            switch item {
            case .payload(let payload)?:
                if let event = try Self.read(payload, by: subscription, driver.configuration.coding) { return event }
            case .found(.success(let event))?: return event
            case .found(.failure(let error))?:
                isOver.withLock { $0 = true }
                throw error
            case .end(let failure)?:
                isOver.withLock { $0 = true }
                if let failure { throw .rejected(failure) }
                return nil
            case nil: return nil
            }
        }
    }
}
