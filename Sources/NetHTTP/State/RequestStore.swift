internal import NetCore
public import Observation

/// A request's state for views to observe, and the request that changes it.
///
///     let store = await RequestStore<Int>()
///     await store.load { 42 }
///     for await state in await store.states where !state.isLoading { break }
@MainActor @Observable public final class RequestStore<Value: Sendable> {
    /// The current state. Changing it notifies its observers.
    public private(set) var state = RequestState<Value>()
    @ObservationIgnored private var task: Task<Void, Never>?
    @ObservationIgnored private var number = 0
    @ObservationIgnored private var readers: [Int: AsyncStream<RequestState<Value>>.Continuation] = [:]
    @ObservationIgnored private var lastReader = 0

    /// Creates an idle store.
    public init() {}

    isolated deinit {
        task?.cancel()
        for reader in readers.values { reader.finish() }
    }

    /// The current state and each later one; a slow consumer gets the newest.
    public var states: AsyncStream<RequestState<Value>> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: RequestState<Value>.self, bufferingPolicy: .bufferingNewest(1))
        lastReader += 1
        let id = lastReader
        readers[id] = continuation
        continuation.onTermination = { [weak self] _ in Task { @MainActor in self?.readers[id] = nil } }
        continuation.yield(state)
        return stream
    }

    /// Starts loading; replaces a request that's running. `work` doesn't run on the main actor.
    public func load(_ work: @escaping @concurrent @Sendable () async throws -> Value) {
        task?.cancel()
        number += 1
        let number = number
        change { $0.start() }
        task = Task { [weak self] in
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            self?.end(number, result)
        }
    }

    /// Cancels the request; see ``RequestState/cancel(keepsPrevious:)``.
    public func cancel(keepsPrevious: Bool = true) {
        task?.cancel()
        number += 1
        change { $0.cancel(keepsPrevious: keepsPrevious) }
    }

    /// Cancels the request and removes the value and the error.
    public func reset() {
        task?.cancel()
        number += 1
        change { $0.reset() }
    }

    private func end(_ number: Int, _ result: Result<Value, any Error>) {
        guard number == self.number else { return }
        change { $0.apply(RequestAction(result)) }
    }

    private func change(_ body: (inout RequestState<Value>) -> Void) {
        body(&state)
        for reader in readers.values { reader.yield(state) }
    }
}
