#if Tools
internal import Dispatch

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The signals that a program hears of which has drawn on a terminal: those that end or stop it, and a new size.
struct TerminalSignals {
    /// Their numbers.
    let numbers: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    init() {
        let (numbers, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.numbers = numbers
        sources = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH].compactMap { number in
            let previous = signal(number, SIG_IGN)
            // What a parent has ignored stays so: nohup, and the shell of a script for what runs behind it.
            if number != SIGWINCH, unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
                return nil
            }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(number) }
            source.resume()
            return source
        }
    }

    /// Reports no more signals.
    func cancel() {
        for source in sources { source.cancel() }
    }

    /// Lets a signal do what it does to other programs: end this one, or stop it.
    static func pass(_ number: Int32) {
        if number == SIGTSTP {
            // To stop means no end: the handler stays.
            kill(getpid(), SIGSTOP)
        } else {
            signal(number, SIG_DFL)
            kill(getpid(), number)
        }
    }
}
#endif
