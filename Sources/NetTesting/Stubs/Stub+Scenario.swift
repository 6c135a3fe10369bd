extension Stub {
    /// The part of a stub in a story that is told request by request, through named states.
    public struct Scenario: Sendable, Hashable {
        /// The state of every scenario at first.
        public static let start = "start"

        /// The scenario's name; its state is shared by all stubs that name it.
        public var name: String
        /// The states in which the stub answers; nil for every state.
        public var requires: Set<String>?
        /// The state after an answer; nil leaves it.
        public var movesTo: String?
        /// Moves only with the last of the stub's times.
        var movesWhenUsedUp = false

        /// Makes a part of a scenario; `requires` nil answers in every state.
        public init(_ name: String, requires: Set<String>? = nil, movesTo: String? = nil) {
            self.name = name
            self.requires = requires
            self.movesTo = movesTo
        }

        /// Whether the stub answers in that state.
        func answers(in state: String) -> Bool { requires?.contains(state) ?? true }

        /// What keeps the stub from answering in that state, for people.
        func mismatch(_ state: String) -> String {
            let required = (requires ?? []).sorted().joined(separator: " or ")
            return
                "scenario \(name) is in state \(state), not \(required.isEmpty ? "in any that is asked for" : required)"
        }
    }

    /// The same, answering only in a state of a scenario, and moving it to another with each answer. Every scenario
    /// begins in ``Scenario/start``.
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

    /// The same, answering in any of several states of a scenario.
    public func scenario(_ name: String, requires: Set<String>, movesTo: String? = nil) -> Stub {
        var copy = self
        copy.scenario = Scenario(name, requires: requires, movesTo: movesTo)
        return copy
    }

    /// The stubs as steps of a scenario: each answers only after the one before has answered as often as it was told to,
    /// once where ``Stub/times`` is nil; of a range its end counts. Stubs outside of it answer at any time.
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
            // A stub that must never answer is no step: nothing would come after it.
            guard copy.times != 0 else { return copy }
            step += 1
            copy.scenario?.movesTo = "step \(step + 1)"
            copy.scenario?.movesWhenUsedUp = true
            return copy
        }
    }
}
