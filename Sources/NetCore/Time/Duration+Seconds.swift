extension Duration {
    /// Returns a duration of the given seconds, or the nearest one possible; zero for NaN. `Duration.seconds` traps
    /// outside its range.
    package static func nearest(seconds: Double) -> Duration {
        seconds.isNaN ? .zero : .seconds(min(max(seconds, -1.7e20), 1.7e20))
    }

    /// The duration in seconds.
    package var inSeconds: Double {
        let (seconds, attoseconds) = clampedComponents
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    /// The components, clamped to 64 bits, where `components` traps.
    package var clampedComponents: (seconds: Int64, attoseconds: Int64) {
        if self >= .seconds(Int64.max) { return (.max, 0) }
        return self <= .seconds(Int64.min) ? (.min, 0) : components
    }

    /// The duration in whole milliseconds, rounded up so that a timeout never fires early, and clamped to the range
    /// of `Int`.
    package var inMillisecondsRoundedUp: Int {
        let (seconds, attoseconds) = clampedComponents
        let (part, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, isTooFar) = whole.addingReportingOverflow(part + (rest > 0 ? 1 : 0))
        if overflow || isTooFar { return seconds < 0 ? .min : .max }
        return Int(clamping: sum)
    }

    /// The duration in whole nanoseconds, clamped to 64 bits.
    package var inNanoseconds: Int64 {
        let (seconds, attoseconds) = clampedComponents
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooFar) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || isTooFar ? (seconds < 0 ? .min : .max) : sum
    }

    /// Returns the seconds as text with a fixed number of decimal places, at most nine.
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
