public import NetCore

extension ActivityStore {
    /// What a store keeps of calls and WebSockets beside their events. Everything is redacted before it is written.
    ///
    ///     var configuration = ActivityStore.Configuration()
    ///     configuration.capture = .bodies
    ///     // Of calls that went well and fast, one in a hundred.
    ///     configuration.capture.rule = .troubles(slowerThan: .seconds(2), andOneIn: 100)
    public struct Capture: Sendable, Hashable {
        /// Whose captures are kept.
        public enum Rule: Sendable, Hashable {
            /// Those of every call.
            case all
            /// Those of calls that failed, were rejected or took at least so long, and of one in n of the others. It is decided
            /// at the end of a call: until then its captures are in memory, and a crash loses them.
            case troubles(slowerThan: Duration, andOneIn: Int)
        }

        /// Whether the headers of requests and responses are kept. Default false.
        public var hasFields: Bool
        /// How much is kept of bodies, which come with their headers; nil, the default, for no bodies.
        public var bodies: CaptureLimits?
        /// Whether the messages of WebSockets are kept, up to the size of bodies. Default false.
        public var hasMessages: Bool
        /// Whose captures are kept. Default ``Rule/all``. Messages of WebSockets are kept of all.
        public var rule: Rule

        /// Creates a choice.
        public init(
            hasFields: Bool = false, bodies: CaptureLimits? = nil, hasMessages: Bool = false, rule: Rule = .all
        ) {
            self.hasFields = hasFields
            self.bodies = bodies
            self.hasMessages = hasMessages
            self.rule = rule
        }

        /// Nothing.
        public static let nothing = Capture()
        /// Headers.
        public static let fields = Capture(hasFields: true)
        /// Headers, up to 64 KiB of each body that is text, and messages of WebSockets.
        public static let bodies = Capture(hasFields: true, bodies: CaptureLimits(), hasMessages: true)

        var limits: CaptureLimits { bodies ?? CaptureLimits() }

        var interest: ActivityInterest {
            var interest: ActivityInterest = []
            if hasFields { interest.insert(.fields) }
            if bodies != nil { interest.insert(.bodies) }
            if hasMessages { interest.insert(.socketMessages) }
            return interest
        }
    }
}
