#if Tools
internal import Dispatch
internal import Foundation
internal import NetCore

/// The signals that end the program: the first one pauses the downloads, a second one ends the program immediately.
///
/// A second signal needs no cleanup: the state on disk is the same as after a kill.
struct Interrupts {
    /// The exit code for each signal.
    let codes: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    init() {
        let (codes, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(1))
        sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
            let previous = signal(number, SIG_IGN)
            // SIGHUP stays ignored under nohup.
            if number == SIGHUP, unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
                return nil
            }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                signal(number, SIG_DFL)
                continuation.yield(128 + number)
            }
            source.resume()
            return source
        }
        self.codes = codes
    }

    /// Stops reporting signals.
    func cancel() {
        for source in sources { source.cancel() }
    }
}
#endif
