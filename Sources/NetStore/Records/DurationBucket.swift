#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The classes of durations that a roll-up counts: class n contains durations from 1.1ⁿ to 1.1ⁿ⁺¹ microseconds.
///
/// Each is 10 % wide: its geometric middle is within 4.9 % of every duration in it.
enum DurationBucket {
    /// Returns the class of a duration in microseconds; 0 for one microsecond or less.
    static func number(of microseconds: Int64) -> Int {
        guard microseconds > 1 else { return 0 }
        return Int(log(Double(microseconds)) * inverseLogarithm)
    }

    /// Returns the geometric middle of a class, in microseconds.
    static func middle(of number: Int) -> Double { pow(1.1, Double(number) + 0.5) }

    private static let inverseLogarithm = 1 / log(1.1)
}
