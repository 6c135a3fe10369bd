extension Stub {
    /// Returns a copy that responds exactly `count` times: afterwards it is used up, and with fewer uses,
    /// ``StubObserving/verify()`` throws.
    public func times(_ count: Int) -> Stub {
        limited(minimum: nil, maximum: count)
    }

    /// Returns a copy that responds as often as the range allows: at the upper bound it is used up, and with fewer uses
    /// than the lower bound, ``StubObserving/verify()`` throws.
    ///
    ///     let stubs = [
    ///         Stub(.get, "/token", .text("t")).times(1...3),
    ///         Stub(.get, "/health", .status(.ok)).times(2...),
    ///     ]
    public func times(_ range: ClosedRange<Int>) -> Stub {
        limited(minimum: range.lowerBound, maximum: range.upperBound)
    }

    /// Returns a copy that is never used up, but must respond at least as often as the lower bound.
    public func times(_ range: PartialRangeFrom<Int>) -> Stub {
        limited(minimum: range.lowerBound, maximum: nil)
    }

    /// Returns a copy that responds at most as often as the upper bound, or never.
    public func times(_ range: PartialRangeThrough<Int>) -> Stub {
        limited(minimum: 0, maximum: range.upperBound)
    }

    /// Returns a copy that doesn't have to be used, for routes that only some tests need. ``echo(_:fileID:line:)``,
    /// ``mirror(_:fileID:line:)``, ``pattern(_:bytes:chunk:isChunked:fileID:line:)`` and
    /// ``drip(_:count:every:fileID:line:)`` are optional by default.
    public func optional() -> Stub {
        limited(minimum: 0, maximum: times)
    }

    /// The minimum number of uses.
    var requiredTimes: Int { minimumTimes ?? times ?? 1 }

    /// The expected number of uses, for people.
    var shownTimes: String {
        switch (minimumTimes, times) {
        case (let minimum?, let maximum?) where minimum != maximum: "\(minimum) to \(maximum) times"
        case (let minimum?, nil): "at least \(minimum) times"
        case (_, let maximum): "\(maximum ?? 1) times"
        }
    }

    private func limited(minimum: Int?, maximum: Int?) -> Stub {
        var copy = self
        copy.minimumTimes = minimum
        copy.times = maximum
        return copy
    }
}
