internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A time on both clocks: dates are compared with those of servers, clock readings with each other.
struct CacheMoment: Sendable {
    var date: Date
    var reading: Duration

    init(date: Date, reading: Duration) {
        self.date = date
        self.reading = reading
    }

    init(_ clock: NetClock) { self.init(date: clock.date(), reading: clock.now()) }
}

/// The time at which a response arrived.
struct Arrival: Sendable {
    var date: Date
    /// The time on the monotonic clock; nil if the entry was read from a file.
    var reading: Duration?
    /// The time between the request and the response's head.
    var delay: Duration

    init(date: Date, reading: Duration?, delay: Duration) {
        self.date = date
        self.reading = reading
        self.delay = delay
    }

    init(at moment: CacheMoment, requestedAt request: CacheMoment) {
        self.init(date: moment.date, reading: moment.reading, delay: max(.zero, moment.reading - request.reading))
    }

    /// Returns the seconds since the arrival: the larger value of the two clocks, since a wall clock may be set back
    /// and a reading may be missing. If there is no reading and the wall clock was set back by more than a minute,
    /// the age is the maximum.
    func seconds(until now: CacheMoment) -> Double {
        let byDate = now.date.timeIntervalSince(date)
        guard let reading else { return byDate < -60 ? Double(CacheControl.maximumSeconds) : max(0, byDate) }
        return max(0, byDate, (now.reading - reading).inSeconds)
    }
}
