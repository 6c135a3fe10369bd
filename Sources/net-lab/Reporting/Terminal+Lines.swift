#if Tools && Server
internal import Foundation

extension Terminal {
    /// Returns the lines of standard input. A separate thread reads them; it ends with the input or the process.
    static func lines() -> AsyncStream<String> {
        AsyncStream { feed in
            Thread.detachNewThread {
                while let line = readLine() { feed.yield(line) }
                feed.finish()
            }
        }
    }
}
#endif
