/// Why a circuit breaker refused a call: the `underlying` error of a ``NetError`` for which ``NetError/isCircuitOpen`` is true.
///
///     do {
///         _ = try await client.send(GetUser(id: 7))
///     } catch {
///         if let circuit = error.netError?.underlying as? OpenCircuit { print(circuit.origin, circuit.wait) }
///     }
public struct OpenCircuit: Error, Sendable, Hashable {
    /// The origin to which no calls are made.
    public let origin: String
    /// The calls that opened the circuit.
    public let trip: CircuitBreakerStateMachine.Trip
    /// How long until the next call is let through; zero while one tries the origin.
    public let wait: Duration

    /// Puts the parts together.
    public init(origin: String, trip: CircuitBreakerStateMachine.Trip, wait: Duration) {
        self.origin = origin
        self.trip = trip
        self.wait = wait
    }
}

extension OpenCircuit: CustomStringConvertible {
    /// `the circuit of https://host is open: 10 of its last 20 calls failed`.
    public var description: String {
        var text = "the circuit of \(origin) is open: \(trip.failures) of its last \(trip.calls) calls failed"
        if trip.failedProbes == 1 { text += ", and so did the call that tried it again" }
        if trip.failedProbes > 1 { text += ", and so did the \(trip.failedProbes) calls that tried it again" }
        return text
    }
}
