/// How a WebSocket notices that its peer is gone: after a silence it asks for a sign of life, and ends the connection if
/// none comes.
///
/// Any byte of the peer counts as one, and so does a pause in reading on this side, when messages aren't received fast
/// enough: then nothing is asked. The connection ends as it does when TCP is lost: with `.connectionLost`, and
/// ``WebSocketCloseCode/abnormalClosure`` (1006) in the error's `closure`.
///
///     var request = WebSocketRequest("prices")
///     request.liveness = WebSocketLiveness(silence: .seconds(10), grace: .seconds(5))
public struct WebSocketLiveness: Sendable {
    /// The question that is asked after a silence.
    public enum Probe: Sendable {
        /// A ping (RFC 6455 section 5.5.2), which every peer must answer.
        case ping
        /// A message of the application's protocol, made anew each time; a ping while another message goes out in parts.
        case message(@Sendable () -> WebSocketMessage)
    }

    /// The time without a byte from the peer after which it is asked. Default 30 s.
    public var silence: Duration { didSet { silence = max(silence, .milliseconds(1)) } }
    /// The time that the peer then has for its next byte. Default 15 s.
    public var grace: Duration { didSet { grace = max(grace, .milliseconds(1)) } }
    /// The question. Default: a ping.
    public var probe: Probe

    /// Creates settings. Times of less than a millisecond become one.
    public init(silence: Duration = .seconds(30), grace: Duration = .seconds(15), probe: Probe = .ping) {
        self.silence = max(silence, .milliseconds(1))
        self.grace = max(grace, .milliseconds(1))
        self.probe = probe
    }
}
