/// The payload of ``WirePush/gap``: where a channel goes on, in another epoch or after pushes that nobody has any more.
package struct ChannelGap: Codable, Sendable {
    /// Nil where pushes have no positions.
    private var epoch: String?
    private var offset: UInt64?

    private init(_ position: ChannelPosition?) {
        epoch = position?.epoch
        offset = position?.offset
    }

    /// Where the channel goes on.
    package var position: ChannelPosition? {
        guard let epoch, let offset else { return nil }
        return ChannelPosition(epoch: epoch, offset: offset)
    }

    /// The push that tells it.
    package static func push(in topic: String, _ position: ChannelPosition?) -> WirePush {
        WirePush(event: WirePush.gap, payload: try? SocketPayload(ChannelGap(position)), topic: topic)
    }
}
