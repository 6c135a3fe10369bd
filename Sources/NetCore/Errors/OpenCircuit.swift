/// The reason why a circuit breaker rejected a call: the `underlying` error if ``NetError/isCircuitOpen`` is true.
///
///     do {
///         try await client.send(GetUser(id: 7))
///     } catch {
///         if let circuit = error.netError?.underlying as? OpenCircuit { print(circuit.origin, circuit.wait) }
///     }
public struct OpenCircuit: Error, Sendable, Hashable {
    /// The calls that opened the circuit.
    public struct Trip: Sendable, Hashable {
        /// The number of failed calls among ``calls``.
        public var failures: Int
        /// The number of calls that were considered when the circuit opened.
        public var calls: Int
        /// The number of failed probes since the circuit opened.
        public var failedProbes: Int

        /// Creates a trip.
        public init(failures: Int, calls: Int, failedProbes: Int = 0) {
            self.failures = failures
            self.calls = calls
            self.failedProbes = failedProbes
        }
    }

    /// The origin to which no calls are made.
    public let origin: String
    /// The calls that opened the circuit.
    public let trip: Trip
    /// The time until the next call is allowed; zero during a probe.
    public let wait: Duration

    /// Creates the error.
    public init(origin: String, trip: Trip, wait: Duration) {
        self.origin = origin
        self.trip = trip
        self.wait = wait
    }
}

extension OpenCircuit: CustomStringConvertible {
    /// Example: `the circuit of https://host is open: 10 of its last 20 calls failed`.
    public var description: String {
        var text = "the circuit of \(origin) is open: \(trip.failures) of its last \(trip.calls) calls failed"
        if trip.failedProbes == 1 { text += ", and so did the call that tried it again" }
        if trip.failedProbes > 1 { text += ", and so did the \(trip.failedProbes) calls that tried it again" }
        return text
    }
}
