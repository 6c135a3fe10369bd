/// The buffer limits of one connection.
struct SocketLimits: Sendable {
    /// The size of the messages that have arrived and haven't been received, in bytes.
    var inboxBytes: Int
    /// The size of the frames that the kernel hasn't accepted yet, in bytes.
    var sendBufferBytes: Int
}
