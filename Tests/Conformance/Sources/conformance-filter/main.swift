import ConformanceSupport
import Foundation
import NetCore
import NetTesting

@testable import NetStore

// conformance-filter PYTHON SCRIPT FOLDER [RESULTS]: records 60 calls as HAR. For each of 200 expressions, evaluation
// in memory, evaluation in SQL, and mitmproxy on the HAR must find the same calls.

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3 else { stop("filter", "usage: conformance-filter PYTHON SCRIPT FOLDER [RESULTS]") }
let (python, script, folder) = (arguments[0], arguments[1], arguments[2])

/// Records the calls one after another, so that the HAR contains them in this order.
func record(_ calls: [RecordedCall], to path: String) async throws {
    let transport = MockTransport { request, _ in
        let number = request.head.headerFields.first { $0.name.canonicalName == "x-number" }.flatMap { Int($0.value) }
        guard let call = calls.first(where: { $0.number == number }) else { return StubResponse(status: .notFound) }
        return try call.respond()
    }
    let recording = RecordingTransport(transport)
    for call in calls { await call.send(over: recording) }
    try recording.write(to: path)
}

/// Returns the calls that mitmproxy finds for each expression, as numbers starting at 1; nil for an expression that it
/// can't parse.
func askMitmproxy(_ expressions: [String]) throws -> [[Int64]?] {
    try JSONEncoder().encode(expressions).write(to: URL(fileURLWithPath: folder + "/expressions.json"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = [script, folder + "/calls.har", folder + "/expressions.json", folder + "/found.json"]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { stop("filter", "mitmproxy could not be asked") }
    let found = try Data(contentsOf: URL(fileURLWithPath: folder + "/found.json"))
    return try JSONDecoder().decode([[Int64]?].self, from: found)
}

var numbers = SeededNumbers(60)
let calls = (1...60).map { RecordedCall($0, &numbers) }
try await record(calls, to: folder + "/calls.har")

let database = try FilterDatabase(path: folder + "/calls.sqlite")
for call in calls { try database.add(call.item, call.content) }

var source = Expressions(seed: 200)
let expressions = source.all(200)
let theirs = try askMitmproxy(expressions)
let now = Date(timeIntervalSince1970: 1_795_000_000)
var results: [CaseResult] = []
var different: Set<[Int64]> = []
for (expression, their) in zip(expressions, theirs) {
    let filter = try ActivityFilter(expression)
    let value = calls.filter { filter.matches($0.item, content: $0.content.content, now: now) }.map(\.item.id)
    let sql = try database.ids(filter, now: now)
    different.insert(value)
    let problem: String? =
        if sql != value { "by value \(value), in SQL \(sql)" } else if their != value {
            "we find \(value), mitmproxy \(their.map { "\($0)" } ?? "can't read it")"
        } else { nil }
    results.append(CaseResult(id: expression, problem: problem))
}
print("\(expressions.count) expressions on \(calls.count) calls, \(different.count) different answers")
finish("filter", results, output: arguments.dropFirst(3).first)
