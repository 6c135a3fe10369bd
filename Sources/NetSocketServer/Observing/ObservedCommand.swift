#if Server
internal import NetCore
internal import NetSocketCore

#if Tracing
internal import Tracing
#endif

/// The result of a command, for its client and for the listeners.
struct CommandResult: Sendable {
    var outcome: ConnectionMachine.Outcome
    var kind: SocketServerActivity.Outcome

    /// The code of the failure that the client received; nil for a success.
    var code: String? {
        switch (kind, outcome) {
        case (.timeout, _), (.cancelled, _): kind.rawValue
        case (_, .failed(let failure)): failure.shownCode
        case (_, .done), (_, .joined): nil
        }
    }
}

/// A running command that is reported to listeners.
struct ObservedCommand: Sendable {
    private let observer: ServerObserver
    private let connection: ServerConnection
    private let start: Duration
    private var command: SocketServerActivity.Command
    #if Tracing
    private let span: (any Span)?
    #endif

    init(_ command: SocketServerActivity.Command, _ connection: ServerConnection, _ observer: ServerObserver) {
        self.observer = observer
        self.connection = connection
        self.command = command
        start = observer.clock.now()
        #if Tracing
        span = observer.spans?.begin(command, connection)
        #endif
    }

    /// Runs the handler within the command's span.
    func run(_ body: () async -> CommandResult) async -> ConnectionMachine.Outcome {
        #if Tracing
        guard let span else { return end(await body()) }
        return end(await ServiceContext.$current.withValue(span.context) { await body() })
        #else
        return end(await body())
        #endif
    }

    /// Runs a handler that needs no task.
    func runImmediately(_ body: () -> CommandResult) -> ConnectionMachine.Outcome {
        #if Tracing
        guard let span else { return end(body()) }
        return end(ServiceContext.$current.withValue(span.context) { body() })
        #else
        return end(body())
        #endif
    }

    private func end(_ result: CommandResult) -> ConnectionMachine.Outcome {
        var command = command
        command.duration = observer.clock.now() - start
        command.outcome = result.kind
        command.code = result.code
        observer.report(.command(command), connection)
        #if Tracing
        if let span { ServerSpans.end(span, command) }
        #endif
        return result.outcome
    }
}

extension SocketFailure {
    /// The failure's code for listeners, shortened: a program's codes may be of any length.
    var shownCode: String { String(code.prefix(64)) }
}
#endif
