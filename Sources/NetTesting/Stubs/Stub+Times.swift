extension Stub {
    /// The same, answering exactly so often: then it is used up, and fewer is what ``StubObserving/verify()`` throws for.
    public func times(_ count: Int) -> Stub {
        limited(minimum: nil, maximum: count)
    }

    /// The same, answering so often: at its end it is used up, and fewer than its beginning is what
    /// ``StubObserving/verify()`` throws for.
    ///
    ///     let stubs = [
    ///         Stub(.get, "/token", .text("t")).times(1...3),
    ///         Stub(.get, "/health", .status(.ok)).times(2...),
    ///     ]
    public func times(_ range: ClosedRange<Int>) -> Stub {
        limited(minimum: range.lowerBound, maximum: range.upperBound)
    }

    /// The same, answering for ever, and at least so often.
    public func times(_ range: PartialRangeFrom<Int>) -> Stub {
        limited(minimum: range.lowerBound, maximum: nil)
    }

    /// The same, answering at most so often, or never.
    public func times(_ range: PartialRangeThrough<Int>) -> Stub {
        limited(minimum: 0, maximum: range.upperBound)
    }

    /// The same, which may also never answer: for routes that are there for whoever needs them. ``echo(_:fileID:line:)``,
    /// ``mirror(_:fileID:line:)``, ``pattern(_:bytes:chunk:isChunked:fileID:line:)`` and
    /// ``drip(_:count:every:fileID:line:)`` are so from the start.
    public func optional() -> Stub {
        limited(minimum: 0, maximum: times)
    }

    /// How often it must answer.
    var requiredTimes: Int { minimumTimes ?? times ?? 1 }

    /// How often it was told to answer, for people.
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
