#if os(Linux)
internal import NetCore
internal import NetSocketCore

/// The memory that the connections of a transport share, so that a quiet one has none of its own: what is read into, what
/// is decoded in a turn, and the streams of compression without a context.
///
/// `@unchecked Sendable`: the variables are used only on the loop's thread; the constants are Sendable.
final class SocketMemory: @unchecked Sendable {
    let block = ReadBlock()
    let pool = DeflatePool()
    let spare = SpareBlock()
    /// Empty between two turns.
    var events: [WebSocketEvent] = []
    /// Empty between two turns.
    var batch: [WebSocketMessage] = []
}
#endif
