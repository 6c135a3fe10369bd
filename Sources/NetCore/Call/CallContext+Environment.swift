public import Logging

extension CallContext {
    /// The dependencies and settings shared by all calls of a client.
    public struct Environment: Sendable {
        private struct Values: Sendable {
            var clock: NetClock
            var random: NetRandom
            var logger: Logger
            var redaction: RedactionPolicy
            var listeners: [any ActivityListener] { didSet { sort() } }
            /// The listeners that are interested in calls, and those that are interested in WebSockets.
            private(set) var callListeners: [any ActivityListener] = []
            private(set) var socketListeners: [SocketEventListener] = []
            /// The listeners' interest in captured attempts; nil if none of them is interested.
            private(set) var capture: CapturePlan?
            var hub: ActivityHub?
            var baseURL: BaseURL?
            var calls: RunningCalls?
            var redirects: RedirectPolicy?

            init(
                clock: NetClock, random: NetRandom, logger: Logger, redaction: RedactionPolicy,
                listeners: [any ActivityListener]
            ) {
                self.clock = clock
                self.random = random
                self.logger = logger
                self.redaction = redaction
                self.listeners = listeners
                sort()
            }

            private mutating func sort() {
                callListeners = listeners.filter { $0.interest.contains(.calls) }
                socketListeners = listeners.compactMap(SocketEventListener.init)
                capture = CapturePlan(listeners)
            }
        }

        private final class Box: Sendable {
            let values: Values
            let deadlines = CallDeadlines()
            init(_ values: Values) { self.values = values }
        }

        /// A single reference, because an environment is copied several times per call and almost never changed.
        private var box: Box

        /// Creates an environment. The defaults include the system's clock and random numbers.
        public init(
            clock: NetClock = .system, random: NetRandom = .system, logger: Logger = Logger(label: "swift-net"),
            redaction: RedactionPolicy = .safeDefault, listeners: [any ActivityListener] = []
        ) {
            box = Box(
                Values(clock: clock, random: random, logger: logger, redaction: redaction, listeners: listeners))
        }

        private mutating func change(_ body: (inout Values) -> Void) {
            var values = box.values
            body(&values)
            box = Box(values)
        }

        /// The clock. Default: the system's.
        public var clock: NetClock {
            get { box.values.clock }
            set { change { $0.clock = newValue } }
        }
        /// The source of random numbers. Default: the system's.
        public var random: NetRandom {
            get { box.values.random }
            set { change { $0.random = newValue } }
        }
        /// The client's logger.
        public var logger: Logger {
            get { box.values.logger }
            set { change { $0.logger = newValue } }
        }
        /// The client's redaction rules.
        public var redaction: RedactionPolicy {
            get { box.values.redaction }
            set { change { $0.redaction = newValue } }
        }
        /// The listeners that receive the events of calls. Default none.
        public var listeners: [any ActivityListener] {
            get { box.values.listeners }
            set { change { $0.listeners = newValue } }
        }
        /// The listeners that are interested in calls.
        var callListeners: [any ActivityListener] { box.values.callListeners }
        /// The listeners that are interested in WebSockets.
        var socketListeners: [SocketEventListener] { box.values.socketListeners }
        /// The listeners' interest in captured attempts; nil if none of them is interested.
        var capture: CapturePlan? { box.values.capture }
        package var hub: ActivityHub? {
            get { box.values.hub }
            set { change { $0.hub = newValue } }
        }
        /// The client's base URL.
        package var baseURL: BaseURL? {
            get { box.values.baseURL }
            set { change { $0.baseURL = newValue } }
        }
        /// The client's running calls; nil if there is no client.
        package var calls: RunningCalls? {
            get { box.values.calls }
            set { change { $0.calls = newValue } }
        }
        /// The deadlines of the calls that use this environment.
        var deadlines: CallDeadlines { box.deadlines }
        /// The client's redirect policy; nil if there is no client, in which case redirects aren't followed.
        package var redirects: RedirectPolicy? {
            get { box.values.redirects }
            set { change { $0.redirects = newValue } }
        }
    }
}
