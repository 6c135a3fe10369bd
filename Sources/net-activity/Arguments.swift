#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A moment: a date-time as RFC 3339 writes it, or a time before now, `90s`, `15m`, `2h`, `3d`.
struct Moment: ExpressibleByArgument {
    let date: Date

    init?(argument: String) {
        if let date = RFC3339.date(from: argument) {
            self.date = date
            return
        }
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = argument.last.flatMap({ units[$0] }), let count = Int(argument.dropLast()), count >= 0 else {
            return nil
        }
        date = NetClock.system.date().addingTimeInterval(-Double(count) * unit)
    }
}

/// A failure of the tool itself, told on standard error with exit code 1.
struct Failure: Error, CustomStringConvertible {
    let description: String
}
#endif
