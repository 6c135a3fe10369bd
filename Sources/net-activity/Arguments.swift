#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A time as in a filter: an RFC 3339 date-time, a day, or a duration before now such as `90s`, `15m`, `2h`, `3d`.
struct Moment: ExpressibleByArgument {
    let date: Date

    init?(argument: String) {
        guard let date = FilterValueReader.date(argument, now: NetClock.system.date()) else { return nil }
        self.date = date
    }
}
#endif
