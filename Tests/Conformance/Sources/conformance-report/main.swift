import Foundation
import NetCore

@testable import NetStore

// conformance-report --live FILE BODIES COUNT RATE: adds COUNT calls to a store, RATE per second, each with some
// duration.
//
// conformance-report FOLDER BODIES: writes the stores for reports, and the expected results of filters on them.
//
//   sample.sqlite        calls, WebSockets, jobs and lines of every kind
//   hostile.sqlite       texts that try to run, to break the page or to steer a terminal
//   calls-1000.sqlite    calls with headers and the bodies of BODIES, a JSON array of texts
//   calls-10000.sqlite   the same, more
//   filter-N.sqlite      60 entries, and filter-N.json: expressions with the entries that they find

let arguments = Array(CommandLine.arguments.dropFirst())
func readBodies(_ path: String) throws -> [String] {
    try JSONDecoder().decode([String].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
}
if arguments.first == "--live", arguments.count == 5, let count = Int(arguments[3]), let rate = Int(arguments[4]) {
    try await LiveWriter(path: arguments[1], count: count, rate: rate, bodies: readBodies(arguments[2])).write()
    exit(0)
}
guard arguments.count == 2 else {
    FileHandle.standardError.write(
        Data("usage: conformance-report FOLDER BODIES | --live FILE BODIES COUNT RATE\n".utf8))
    exit(2)
}
let folder = arguments[0]
let bodies = try readBodies(arguments[1])

try await SampleStore(path: folder + "/sample.sqlite").write()
try await HostileStore(path: folder + "/hostile.sqlite").write()
for count in [1000, 10_000] {
    try await ManyCalls(path: folder + "/calls-\(count).sqlite", count: count, bodies: bodies).write()
}
try FilterTable.samples(folder, "filter-samples")
try FilterTable.recorded(folder, "filter-recorded")
