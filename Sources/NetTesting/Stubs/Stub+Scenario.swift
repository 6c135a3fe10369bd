extension Stub {
    /// The role of a stub in a scenario: a sequence of requests through named states.
    public struct Scenario: Sendable, Hashable {
        /// The initial state of every scenario.
        public static let start = "start"

        /// The scenario's name; its state is shared by all stubs that name it.
        public var name: String
        /// The states in which the stub matches; nil for every state.
        public var requires: Set<String>?
        /// The state after a response; nil leaves the state unchanged.
        public var movesTo: String?
        /// Changes the state only with the last of the stub's uses.
        var movesWhenUsedUp = false

        /// Creates a role in a scenario; with `requires` nil, the stub matches in every state.
        public init(_ name: String, requires: Set<String>? = nil, movesTo: String? = nil) {
            self.name = name
            self.requires = requires
            self.movesTo = movesTo
        }

        /// Indicates whether the stub matches in that state.
        func answers(in state: String) -> Bool { requires?.contains(state) ?? true }

        /// The reason why the stub doesn't match in that state, for people.
        func mismatch(_ state: String) -> String {
            let required = (requires ?? []).sorted().joined(separator: " or ")
            return
                "scenario \(name) is in state \(state), not \(required.isEmpty ? "in any that is asked for" : required)"
        }
    }

    /// Returns a copy that matches only in one state of a scenario, and moves the scenario to another state with each
    /// response. Every scenario starts in ``Scenario/start``.
    ///
    ///     let stubs = [
    ///         Stub(.get, "/cart", .json([String]())).scenario("cart", requires: Stub.Scenario.start),
    ///         Stub(.post, "/cart", .status(.created)).scenario("cart", movesTo: "filled"),
    ///         Stub(.get, "/cart", .json(["book"])).scenario("cart", requires: "filled"),
    ///         Stub(.delete, "/cart", .status(.noContent)).scenario("cart", requires: ["filled", "paid"]),
    ///     ]
    public func scenario(_ name: String, requires: String? = nil, movesTo: String? = nil) -> Stub {
        var copy = self
        copy.scenario = Scenario(name, requires: requires.map { [$0] }, movesTo: movesTo)
        return copy
    }

    /// Returns a copy that matches in any of several states of a scenario.
    public func scenario(_ name: String, requires: Set<String>, movesTo: String? = nil) -> Stub {
        var copy = self
        copy.scenario = Scenario(name, requires: requires, movesTo: movesTo)
        return copy
    }

    /// Returns the stubs as steps of a scenario: each one matches only after the previous one has been used as often as
    /// its ``Stub/times``, or once if that is nil; for a range, its upper bound counts. Other stubs match at any time.
    ///
    ///     let transport = MockTransport(
    ///         Stub.inOrder("checkout", [
    ///             Stub(.post, "/orders", .status(.created)),
    ///             Stub(.get, "/orders/1", .json(["state": "open"])).times(2),
    ///             Stub(.get, "/orders/1", .json(["state": "paid"])),
    ///         ]))
    public static func inOrder(_ name: String, _ stubs: [Stub]) -> [Stub] {
        var step = 0
        return stubs.map { stub in
            var copy = stub.scenario(name, requires: step == 0 ? Scenario.start : "step \(step + 1)")
            copy.times = stub.times ?? 1
            // A stub with zero uses isn't a step: no other step could follow it.
            guard copy.times != 0 else { return copy }
            step += 1
            copy.scenario?.movesTo = "step \(step + 1)"
            copy.scenario?.movesWhenUsedUp = true
            return copy
        }
    }
}
