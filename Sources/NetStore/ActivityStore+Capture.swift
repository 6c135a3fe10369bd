public import NetCore

extension ActivityStore {
    /// The data that a store keeps in addition to the events of calls and WebSockets. It is redacted before it's
    /// written.
    ///
    ///     var configuration = ActivityStore.Configuration()
    ///     configuration.capture = .bodies
    ///     // Keep one in a hundred of the calls that were successful and fast.
    ///     configuration.capture.rule = .troubles(slowerThan: .seconds(2), andOneIn: 100)
    public struct Capture: Sendable, Hashable {
        /// The calls whose captures are kept.
        public enum Rule: Sendable, Hashable {
            /// Keeps the captures of every call.
            case all
            /// Keeps the captures of calls that failed, were rejected or took at least the given time, and of one in n
            /// of the other calls. The store decides when a call ends: until then its captures are only in memory, and
            /// a crash loses them.
            case troubles(slowerThan: Duration, andOneIn: Int)
        }

        /// True if the headers of requests and responses are kept. Default false.
        public var hasHeaders: Bool
        /// The maximum sizes of captured bodies, which are kept together with their headers. Default nil: no bodies are
        /// kept.
        public var bodies: CaptureLimits?
        /// True if WebSocket messages are kept, up to the size limit of bodies. Default false.
        public var hasMessages: Bool
        /// The calls whose captures are kept. Default ``Rule/all``. WebSocket messages are always kept.
        public var rule: Rule

        /// Creates a capture configuration.
        public init(
            hasHeaders: Bool = false, bodies: CaptureLimits? = nil, hasMessages: Bool = false, rule: Rule = .all
        ) {
            self.hasHeaders = hasHeaders
            self.bodies = bodies
            self.hasMessages = hasMessages
            self.rule = rule
        }

        /// Captures nothing.
        public static let nothing = Capture()
        /// Captures headers.
        public static let headers = Capture(hasHeaders: true)
        /// Captures headers, up to 64 KiB of each text body, and WebSocket messages.
        public static let bodies = Capture(hasHeaders: true, bodies: CaptureLimits(), hasMessages: true)

        var limits: CaptureLimits { bodies ?? CaptureLimits() }

        var interest: ActivityInterest {
            var interest: ActivityInterest = []
            if hasHeaders { interest.insert(.headers) }
            if bodies != nil { interest.insert(.bodies) }
            if hasMessages { interest.insert(.socketMessages) }
            return interest
        }
    }
}
