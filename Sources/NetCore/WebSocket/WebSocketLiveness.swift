/// The detection of a dead peer: after a silence, a WebSocket probes the peer, and ends the connection if nothing
/// arrives.
///
/// Any byte from the peer counts as a sign of life. While this side doesn't receive messages fast enough and reading
/// is paused, no probe is sent. The connection ends as if TCP were lost: with `.connectionLost`, and
/// ``WebSocketCloseCode/abnormalClosure`` (1006) in the error's `closure`.
///
///     var request = WebSocketRequest("prices")
///     request.liveness = WebSocketLiveness(silence: .seconds(10), grace: .seconds(5))
public struct WebSocketLiveness: Sendable {
    /// The message that probes the peer after a silence.
    public enum Probe: Sendable {
        /// A ping (RFC 6455 section 5.5.2), to which every peer must reply.
        case ping
        /// A message of the application's protocol, created anew each time; a ping while another message is being
        /// sent in parts.
        case message(@Sendable () -> WebSocketMessage)
    }

    /// The time without a byte from the peer after which a probe is sent. Default 30 s.
    public var silence: Duration { didSet { silence = max(silence, .milliseconds(1)) } }
    /// The time that the peer then has to send its next byte. Default 15 s.
    public var grace: Duration { didSet { grace = max(grace, .milliseconds(1)) } }
    /// The probe to send. Default: a ping.
    public var probe: Probe

    /// Creates settings. Times below one millisecond become one millisecond.
    public init(silence: Duration = .seconds(30), grace: Duration = .seconds(15), probe: Probe = .ping) {
        self.silence = max(silence, .milliseconds(1))
        self.grace = max(grace, .milliseconds(1))
        self.probe = probe
    }
}
