internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A time on both clocks: dates are compared with those of servers, readings with one another.
struct CacheMoment: Sendable {
    var date: Date
    var reading: Duration

    init(date: Date, reading: Duration) {
        self.date = date
        self.reading = reading
    }

    init(_ clock: NetClock) { self.init(date: clock.date(), reading: clock.now()) }
}

/// When a response came.
struct Arrival: Sendable {
    var date: Date
    /// On the clock that never goes backwards; nil where the entry was read from a file.
    var reading: Duration?
    /// Since the request went out.
    var delay: Duration

    init(date: Date, reading: Duration?, delay: Duration) {
        self.date = date
        self.reading = reading
        self.delay = delay
    }

    init(at moment: CacheMoment, requestedAt request: CacheMoment) {
        self.init(date: moment.date, reading: moment.reading, delay: max(.zero, moment.reading - request.reading))
    }

    /// The seconds since, by the clock that says more: a wall clock may be set back, a reading may be missing. A wall clock that
    /// was set back far, without a reading, makes it as old as can be.
    func seconds(until now: CacheMoment) -> Double {
        let byDate = now.date.timeIntervalSince(date)
        guard let reading else { return byDate < -60 ? Double(CacheControl.maximumSeconds) : max(0, byDate) }
        return max(0, byDate, (now.reading - reading).inSeconds)
    }
}
