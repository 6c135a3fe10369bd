public import Logging

extension CallContext {
    /// The injected world, shared by all calls of a client.
    public struct Environment: Sendable {
        private struct Values: Sendable {
            var clock: NetClock
            var random: NetRandom
            var logger: Logger
            var redaction: RedactionPolicy
            var listeners: [any ActivityListener]
            var hub: ActivityHub?
            var baseURL: BaseURL?
            var calls: (any CallKeeper)?
            var redirects: RedirectPolicy?
        }

        private final class Box: Sendable {
            let values: Values
            let deadlines = CallDeadlines()
            init(_ values: Values) { self.values = values }
        }

        /// One reference: an environment is copied several times for each call, and changed almost never.
        private var box: Box

        /// Makes an environment; the defaults are the system's clock and random numbers.
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

        /// Time.
        public var clock: NetClock {
            get { box.values.clock }
            set { change { $0.clock = newValue } }
        }
        /// Randomness.
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
        /// Who hears of events.
        public var listeners: [any ActivityListener] {
            get { box.values.listeners }
            set { change { $0.listeners = newValue } }
        }
        package var hub: ActivityHub? {
            get { box.values.hub }
            set { change { $0.hub = newValue } }
        }
        /// The client's base URL.
        package var baseURL: BaseURL? {
            get { box.values.baseURL }
            set { change { $0.baseURL = newValue } }
        }
        /// Where the client's calls are entered; nil without a client.
        package var calls: (any CallKeeper)? {
            get { box.values.calls }
            set { change { $0.calls = newValue } }
        }
        /// The deadlines of the calls that have this environment.
        var deadlines: CallDeadlines { box.deadlines }
        /// The client's rule on redirects; nil without a client, and then none is followed.
        package var redirects: RedirectPolicy? {
            get { box.values.redirects }
            set { change { $0.redirects = newValue } }
        }
    }
}
