#if Tools
internal import Dispatch
internal import Foundation
internal import NetCore

/// The signals that end the program: the first one pauses, a second one ends it without delay.
///
/// A kill without warning leaves the same, so a second signal needs no care.
struct Interrupts {
    /// Each signal, as the exit code that it stands for.
    let codes: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    init() {
        let (codes, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(1))
        sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
            let previous = signal(number, SIG_IGN)
            // nohup has it ignored, which stays.
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

    /// Reports no more signals.
    func cancel() {
        for source in sources { source.cancel() }
    }
}
#endif
