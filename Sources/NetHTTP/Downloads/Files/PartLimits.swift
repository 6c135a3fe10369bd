/// What the end of the process and the loss of power may cost a download.
package struct PartLimits: Sendable, Hashable {
    /// The most bytes that are written and not noted: what is received again after the end of the process. Default
    /// 1 MiB.
    package var noteBytes: Int64
    /// The bytes that are written before they're flushed. Default 64 MiB.
    package var flushBytes: Int64
    /// The time after which bytes that were written are flushed. Default 5 s.
    package var flushPause: Duration

    package init(
        noteBytes: Int64 = 1 << 20, flushBytes: Int64 = 64 << 20, flushPause: Duration = .seconds(5)
    ) {
        (self.noteBytes, self.flushBytes, self.flushPause) = (noteBytes, flushBytes, flushPause)
    }

    package static let standard = PartLimits()
}
