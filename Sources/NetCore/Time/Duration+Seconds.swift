extension Duration {
    /// The duration in seconds.
    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }

    /// The duration in whole milliseconds, rounded up, so that a time-out never fires early; clamped to what an `Int`
    /// holds.
    package var inMillisecondsRoundedUp: Int {
        let (seconds, attoseconds) = components
        let (part, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, isTooFar) = whole.addingReportingOverflow(part + (rest > 0 ? 1 : 0))
        if overflow || isTooFar { return seconds < 0 ? .min : .max }
        return Int(clamping: sum)
    }

    /// Whole nanoseconds, clamped to what 64 bits hold.
    package var inNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooFar) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || isTooFar ? (seconds < 0 ? .min : .max) : sum
    }

    /// Seconds as text with a fixed number of places, at most nine.
    package func seconds(places: Int) -> String {
        let places = min(max(places, 0), 9)
        var scale: Int64 = 1
        for _ in 0..<places { scale *= 10 }
        let nanoseconds = inNanoseconds
        let scaled = (nanoseconds.magnitude + UInt64(500_000_000 / scale)) / UInt64(1_000_000_000 / scale)
        let (whole, part) = scaled.quotientAndRemainder(dividingBy: UInt64(scale))
        let sign = nanoseconds < 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(whole)" }
        let digits = String(part)
        return "\(sign)\(whole).\(String(repeating: "0", count: max(0, places - digits.count)))\(digits)"
    }
}
