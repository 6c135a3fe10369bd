import ConformanceSupport
import Foundation

#if Redis
// conformance-fan-out serve --redis URL [--port P] [--history N] [--history-seconds S] [--lease S] [--outage S]: one
// server of a fleet, until SIGTERM.
// conformance-fan-out run LOG FILE NAME=PROGRAM…: runs the cases with each broker. LOG is for the servers' error
// messages; FILE, which may be empty, is for the results as JSON.

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "serve":
    do {
        try await FleetServer(Options(arguments.dropFirst())).run()
    } catch {
        stop("fan-out", "the server ends: \(error)")
    }
case "run" where arguments.count >= 3:
    signal(SIGPIPE, SIG_IGN)
    let results = await AllCases.run(arguments.dropFirst(3), log: arguments[1])
    finish("fan-out", results, isShown: true, output: arguments[2])
default: stop("fan-out", "usage: conformance-fan-out run LOG FILE NAME=PROGRAM…")
}
#else
stop("fan-out", "build it with the trait Redis")
#endif
