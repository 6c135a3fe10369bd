/// The payload of ``WirePush/gap``: the position from which a channel continues, in another epoch or after pushes that
/// are lost.
package struct ChannelGap: Codable, Sendable {
    /// nil if pushes have no positions.
    private var epoch: String?
    private var offset: UInt64?

    private init(_ position: ChannelPosition?) {
        epoch = position?.epoch
        offset = position?.offset
    }

    /// The position from which the channel continues.
    package var position: ChannelPosition? {
        guard let epoch, let offset else { return nil }
        return ChannelPosition(epoch: epoch, offset: offset)
    }

    /// Returns the push that reports a gap.
    package static func push(in topic: String, _ position: ChannelPosition?) -> WirePush {
        WirePush(event: WirePush.gap, payload: try? SocketPayload(ChannelGap(position)), topic: topic)
    }
}
