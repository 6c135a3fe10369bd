/// What one connection may hold.
struct SocketLimits: Sendable {
    /// Bytes of messages that have arrived and were not received.
    var inboxBytes: Int
    /// Bytes of frames that wait for the kernel.
    var sendBufferBytes: Int
}
