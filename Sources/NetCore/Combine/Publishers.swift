#if canImport(Combine)
public import Combine
internal import Synchronization

// Only adapters: the async calls do all the work. Not compiled on platforms without Combine.

extension APIClient {
    /// A publisher that sends the request for each subscriber and publishes the decoded response.
    ///
    /// Cancelling the subscription cancels the call. Values are delivered on an arbitrary thread: add `receive(on:)`.
    public func publisher<R: APIRequest>(for request: R) -> AnyPublisher<R.Response, APIError<R.Failure>> {
        TaskPublisher { (channel) async throws(APIError<R.Failure>) in
            guard await channel.isWanted() else { return }
            channel.send(try await send(request))
        }
        .eraseToAnyPublisher()
    }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// A publisher of the elements, such as those of a streamed response or of a subscription over a WebSocket. The
    /// next element is requested only when the subscriber demands it.
    ///
    /// Cancelling the subscription ends the transfer, or unsubscribes. Subscribe only once if the sequence can be
    /// iterated only once. Values are delivered on an arbitrary thread: add `receive(on:)`.
    public func publisher() -> AnyPublisher<Element, Failure> {
        TaskPublisher { (channel) async throws(Failure) in
            var iterator = makeAsyncIterator()
            while await channel.isWanted(), let element = try await iterator.next(isolation: nil) {
                channel.send(element)
            }
        }
        .eraseToAnyPublisher()
    }
}

/// Runs a task for each subscriber.
private struct TaskPublisher<Output: Sendable, Failure: Error>: Publisher {
    let produce: @Sendable (DemandChannel<Output>) async throws(Failure) -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let box = SubscriberBox(subscriber)
        let channel = DemandChannel<Output> { box.receive($0) }
        let subscription = TaskSubscription(channel)
        subscriber.receive(subscription: subscription)
        subscription.start { [produce] in
            let end: Subscribers.Completion<Failure>
            do throws(Failure) {
                try await produce(channel)
                end = .finished
            } catch {
                end = .failure(error)
            }
            if !channel.isCancelled { box.complete(end) }
        }
    }
}

/// `@unchecked Sendable`: Combine calls a subscriber from any thread, but one call at a time, and so does this code.
private struct SubscriberBox<Input, Failure: Error>: @unchecked Sendable {
    let receive: (Input) -> Subscribers.Demand
    let complete: (Subscribers.Completion<Failure>) -> Void

    init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
        receive = { subscriber.receive($0) }
        complete = { subscriber.receive(completion: $0) }
    }
}

/// The demand of the subscriber that the task has not yet satisfied.
private final class DemandChannel<Output: Sendable>: Sendable {
    private struct State {
        var demand = Subscribers.Demand.none
        var isCancelled = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let deliver: @Sendable (Output) -> Subscribers.Demand

    init(_ deliver: @escaping @Sendable (Output) -> Subscribers.Demand) {
        self.deliver = deliver
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Waits until another value is requested; false if no more will be requested.
    func isWanted() async -> Bool {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.isCancelled || state.demand > .none { return true }
                state.waiter = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
        return !isCancelled
    }

    func send(_ value: Output) {
        let isOpen = state.withLock { state in
            if state.demand > .none { state.demand -= 1 }
            return !state.isCancelled
        }
        if isOpen { request(deliver(value)) }
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.demand += demand
            return state.demand > .none ? state.waiter.take() : nil
        }?.resume()
    }

    func cancel() {
        state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.isCancelled = true
            return state.waiter.take()
        }?.resume()
    }
}

/// The task of one subscriber.
private final class TaskSubscription<Output: Sendable>: Subscription {
    private let channel: DemandChannel<Output>
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ channel: DemandChannel<Output>) {
        self.channel = channel
    }

    func start(_ work: @escaping @Sendable () async -> Void) {
        let started = Task { await work() }
        task.withLock { $0 = started }
        // The subscription was cancelled during the handover.
        if channel.isCancelled { started.cancel() }
    }

    func request(_ demand: Subscribers.Demand) { channel.request(demand) }

    func cancel() {
        channel.cancel()
        task.withLock { $0.take() }?.cancel()
    }
}
#endif
