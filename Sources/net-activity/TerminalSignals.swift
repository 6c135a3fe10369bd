#if Tools
internal import Dispatch

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The signals that matter to a program that has drawn on a terminal: those that end or stop it, and a new size.
struct TerminalSignals {
    /// The numbers of the received signals.
    let numbers: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    init() {
        let (numbers, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.numbers = numbers
        sources = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH].compactMap { number in
            let previous = signal(number, SIG_IGN)
            // Signals ignored by the parent stay ignored: by nohup, or by a script's shell for background commands.
            if number != SIGWINCH, unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
                return nil
            }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(number) }
            source.resume()
            return source
        }
    }

    /// Stops reporting signals.
    func cancel() {
        for source in sources { source.cancel() }
    }

    /// Applies the default action of a signal: ends the program, or stops it.
    static func pass(_ number: Int32) {
        if number == SIGTSTP {
            // A stopped program can continue: the handler stays installed.
            kill(getpid(), SIGSTOP)
        } else {
            signal(number, SIG_DFL)
            kill(getpid(), number)
        }
    }
}
#endif
