public import NetCore

extension Outbox {
    /// The settings of an outbox. Counts and sizes below 1 count as 1.
    public struct Configuration: Sendable {
        /// The maximum number of items that aren't finished; ``OutboxError/Code/full`` beyond it. Default 10,000.
        public var maximumItems = 10_000
        /// The maximum size of a body in bytes. Default 8 MiB.
        public var maximumBodyBytes = 8 << 20
        /// The maximum size of all items that aren't finished, bodies and headers together, in bytes;
        /// ``OutboxError/Code/full`` beyond it. Default 256 MiB.
        public var maximumTotalBytes = 256 << 20
        /// The maximum number of concurrent sends. Default 4.
        public var maximumConcurrentSends = 4
        /// The time after which an item that hasn't been accepted is parked, counted from when it was added; nil for
        /// never. Default 7 days.
        public var expiresAfter: Duration? = .seconds(7 * 86_400)
        /// The rules for further attempts. Default ``Outbox/defaultRetryPolicy``.
        ///
        /// Its errors are retried until the item expires, however many attempts that takes; `maximumAttempts` counts
        /// only responses. `Retry-After` is honored even if it's longer than `maximumRetryAfter`. `eligibility` has no
        /// effect: each item has an `Idempotency-Key`.
        public var retryPolicy = Outbox.defaultRetryPolicy
        /// True if a parked item keeps later items of its order key from being sent. Default true; if false, later
        /// items are sent.
        public var parkedItemsBlock = true
        /// The maximum number of bytes kept of the body of a response that wasn't accepted. Default 16 KiB.
        public var keptResponseBytes = 16 << 10
        /// The number of finished items that are kept, without headers and body, newest first. Default 1,000.
        public var keptFinishedItems = 1000
        /// The interval at which an outbox tries to become the sender while another process is sending. Default 1
        /// second.
        public var senderPollInterval: Duration = .seconds(1)
        /// The maximum time that a statement waits for another connection's lock. Default 5 seconds.
        public var busyTimeout: Duration = .seconds(5)
        /// True to create the file if it's missing. Default true.
        public var createsFile = true
        /// The rules that decide which headers are secret and aren't stored, which URLs contain a credential, and which
        /// values in responses are redacted. A request's own rules replace them. Default
        /// ``RedactionPolicy/safeDefault``.
        public var redaction = RedactionPolicy.safeDefault
        /// The coders of JSON bodies, which are encoded when a request is added. Default ``JSONCoding/standard``.
        public var coding = JSONCoding.standard
        /// The listeners that receive a ``JobActivity`` for each change that this process makes to an item. Default
        /// none.
        public var listeners: [any ActivityListener] = []
        /// The clock. Default: the system clock.
        public var clock = NetClock.system
        /// The source of randomness for IDs and backoff. Default: the system's.
        public var random = NetRandom.system
        /// Opens connections to the file, for encrypted files; see ``ActivityStore/Configuration/open``. Default nil.
        public var open: (@Sendable (_ path: String, _ isReadOnly: Bool) throws -> OpaquePointer)?

        /// Creates a configuration with the default settings.
        public init() {}

        /// Creates a configuration; `configure` changes the defaults.
        public init(_ configure: (inout Configuration) throws -> Void) rethrows {
            try configure(&self)
        }
    }

    /// The default rules for further attempts: waits of up to 1 s, 2 s, 4 s … 5 minutes; at most 20 attempts for the
    /// statuses 408, 425, 429, 500, 502, 503 and 504; attempts until the item expires for DNS, connect and TLS errors,
    /// a lost connection, a timeout, a local limit, and a client that cancels calls or is shut down.
    public static let defaultRetryPolicy = RetryPolicy(
        maximumAttempts: 20, backoff: Backoff(base: .seconds(1), cap: .seconds(300)),
        statuses: [408, 425, 429, 500, 502, 503, 504],
        errors: [.dns, .connect, .tls, .connectionLost, .timeout, .limited, .cancelled, .shutdown])
}
