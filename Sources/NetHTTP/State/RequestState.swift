/// What a screen shows of a request: a value that a view model keeps. What was loaded last stays while it is loaded anew, and
/// when that fails.
///
///     var state = RequestState<Int>()
///     state.start()
///     state.succeed(7)
///     state.start()
///     print(state.isLoading, state.value ?? 0)  // true 7
public enum RequestState<Value: Sendable>: Sendable {
    /// Nothing was asked for.
    case idle
    /// It is being loaded; what was there before.
    case loading(previous: Value?)
    /// It is there.
    case loaded(Value)
    /// It could not be loaded; what was there before.
    case failed(any Error, previous: Value?)

    /// Begins idle.
    public init() { self = .idle }

    /// What is there, be it from before.
    public var value: Value? {
        switch self {
        case .idle: nil
        case .loading(let previous), .failed(_, let previous): previous
        case .loaded(let value): value
        }
    }

    /// Why it could not be loaded the last time.
    public var error: (any Error)? { if case .failed(let error, _) = self { error } else { nil } }

    /// Whether it is being loaded.
    public var isLoading: Bool { if case .loading = self { true } else { false } }

    /// A request began.
    public mutating func start() { self = .loading(previous: value) }

    /// It brought a value.
    public mutating func succeed(_ value: Value) { self = .loaded(value) }

    /// It failed.
    public mutating func fail(_ error: any Error) { self = .failed(error, previous: value) }

    /// It ended in one of both ways.
    public mutating func finish(_ result: Result<Value, any Error>) {
        switch result {
        case .success(let value): succeed(value)
        case .failure(let error): fail(error)
        }
    }

    /// It was given up: what was there before is loaded again, unless `keepsPrevious` is false. What is not being loaded
    /// stays as it is.
    public mutating func cancel(keepsPrevious: Bool = true) {
        guard case .loading(let previous) = self else { return }
        self = previous.flatMap { keepsPrevious ? .loaded($0) : nil } ?? .idle
    }

    /// Forgets everything.
    public mutating func reset() { self = .idle }

    /// Takes in what happened to a request.
    public mutating func apply(_ action: RequestAction<Value>) {
        switch action {
        case .started: start()
        case .response(let result): finish(result)
        case .cancelled: cancel()
        }
    }
}

extension RequestState: Equatable where Value: Equatable {
    /// Whether both show the same; two failures do when their values do and their errors read alike.
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

/// What happened to a request: `started`, then one of the others.
public enum RequestAction<Value: Sendable>: Sendable {
    /// It began.
    case started
    /// It ended with a value or an error.
    case response(Result<Value, any Error>)
    /// It was given up.
    case cancelled
}

extension RequestAction {
    /// How a request ended: an error that says that it was cancelled is ``cancelled``.
    package init(_ result: Result<Value, any Error>) {
        switch result {
        case .failure(is CancellationError): self = .cancelled
        case .failure(let error as NetError) where error.isCancellation: self = .cancelled
        case .failure(let error as any FailedCall) where error.netError?.isCancellation == true: self = .cancelled
        case .success, .failure: self = .response(result)
        }
    }
}
