#if os(Linux)
internal import NetCore
internal import NetSocketCore

/// The memory that the connections of a transport share, so that a quiet connection has no memory of its own: the read
/// block, the results of a turn's decoding, and the streams of compression without a context.
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
