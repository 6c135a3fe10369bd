#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A moment, as in a filter: a date-time as RFC 3339 writes it, a day, or a time before now, `90s`, `15m`, `2h`, `3d`.
struct Moment: ExpressibleByArgument {
    let date: Date

    init?(argument: String) {
        guard let date = FilterValueReader.date(argument, now: NetClock.system.date()) else { return nil }
        self.date = date
    }
}
#endif
