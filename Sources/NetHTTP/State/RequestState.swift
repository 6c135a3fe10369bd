/// The state of a request for a screen, kept by a view model. The last loaded value remains during a reload, and if
/// the reload fails.
///
///     var state = RequestState<Int>()
///     state.start()
///     state.succeed(7)
///     state.start()
///     print(state.isLoading, state.value ?? 0)  // true 7
public enum RequestState<Value: Sendable>: Sendable {
    /// Nothing was requested.
    case idle
    /// The value is being loaded; holds the previous one.
    case loading(previous: Value?)
    /// The value was loaded.
    case loaded(Value)
    /// Loading failed; holds the previous value.
    case failed(any Error, previous: Value?)

    /// Creates an idle state.
    public init() { self = .idle }

    /// The loaded value, which may be a previous one; nil if there is none.
    public var value: Value? {
        switch self {
        case .idle: nil
        case .loading(let previous), .failed(_, let previous): previous
        case .loaded(let value): value
        }
    }

    /// The error of the last request; nil unless it failed.
    public var error: (any Error)? { if case .failed(let error, _) = self { error } else { nil } }

    /// True while the value is being loaded.
    public var isLoading: Bool { if case .loading = self { true } else { false } }

    /// Starts loading and keeps the value.
    public mutating func start() { self = .loading(previous: value) }

    /// Ends loading with a value.
    public mutating func succeed(_ value: Value) { self = .loaded(value) }

    /// Ends loading with an error and keeps the previous value.
    public mutating func fail(_ error: any Error) { self = .failed(error, previous: value) }

    /// Ends loading with a value or an error.
    public mutating func finish(_ result: Result<Value, any Error>) {
        switch result {
        case .success(let value): succeed(value)
        case .failure(let error): fail(error)
        }
    }

    /// Cancels loading: the previous value counts as loaded again, or the state is idle if there is none or
    /// `keepsPrevious` is false. Does nothing unless the value is being loaded.
    public mutating func cancel(keepsPrevious: Bool = true) {
        guard case .loading(let previous) = self else { return }
        self = previous.flatMap { keepsPrevious ? .loaded($0) : nil } ?? .idle
    }

    /// Removes the value and the error.
    public mutating func reset() { self = .idle }

    /// Applies an event of a request.
    public mutating func apply(_ action: RequestAction<Value>) {
        switch action {
        case .started: start()
        case .response(let result): finish(result)
        case .cancelled: cancel()
        }
    }
}

extension RequestState: Equatable where Value: Equatable {
    /// Returns true if both look the same on a screen; failures do if their values are equal and their errors have
    /// the same text.
    public static func == (left: RequestState, right: RequestState) -> Bool {
        switch (left, right) {
        case (.idle, .idle): true
        case (.loading(let one), .loading(let other)): one == other
        case (.loaded(let one), .loaded(let other)): one == other
        case (.failed(let error, let one), .failed(let otherError, let other)):
            one == other && "\(error)" == "\(otherError)"
        default: false
        }
    }
}

/// An event of a request: `started`, then one of the others.
public enum RequestAction<Value: Sendable>: Sendable {
    /// The request started.
    case started
    /// The request ended with a value or an error.
    case response(Result<Value, any Error>)
    /// The request was cancelled.
    case cancelled
}

extension RequestAction {
    /// Creates the event for a request's end; an error that represents cancellation becomes ``cancelled``.
    package init(_ result: Result<Value, any Error>) {
        switch result {
        case .failure(is CancellationError): self = .cancelled
        case .failure(let error as NetError) where error.isCancellation: self = .cancelled
        case .failure(let error as any FailedCall) where error.failure?.isCancellation == true: self = .cancelled
        case .success, .failure: self = .response(result)
        }
    }
}
