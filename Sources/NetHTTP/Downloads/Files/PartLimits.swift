/// The limits for the loss of bytes at the end of the process and after a power failure.
package struct PartLimits: Sendable, Hashable {
    /// The maximum number of bytes that are written but not noted, and therefore received again after the end of the
    /// process. Default 1 MiB.
    package var noteBytes: Int64
    /// The number of bytes that are written before they're flushed. Default 64 MiB.
    package var flushBytes: Int64
    /// The time after which written bytes are flushed. Default 5 s.
    package var flushPause: Duration

    package init(
        noteBytes: Int64 = 1 << 20, flushBytes: Int64 = 64 << 20, flushPause: Duration = .seconds(5)
    ) {
        (self.noteBytes, self.flushBytes, self.flushPause) = (noteBytes, flushBytes, flushPause)
    }

    package static let standard = PartLimits()
}
