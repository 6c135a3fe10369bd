import Foundation
import HTTPTypes
import NetHTTP
import NetOpenAPI

// Parses the same bytes repeatedly, and prints the bytes per second of CPU time.
//
//     bench-parsers PARSER FILE SECONDS
//
// PARSER is json, json-foundation, yaml, sse, multipart or fields; FILE is the input of json and yaml.

enum Workload {
    static func event(_ number: Int) -> String {
        "id: \(number)\nevent: change\ndata: {\"number\": \(number), \"text\": \"some words of a message\"}\ndata: more\n\n"
    }

    static func part(_ number: Int) -> String {
        "--boundary\r\nContent-Disposition: form-data; name=\"part\(number)\"; filename=\"a.txt\"\r\n"
            + "Content-Type: text/plain\r\n\r\n" + String(repeating: "0123456789abcdef", count: 256) + "\r\n"
    }

    static let fields = [
        "\"a\";q=0.5, b;x=\"y z\", (c d);e=?1, :aGVsbG8=:, 12.5, @1700000000",
        "max-age=3600, s-maxage=600, stale-while-revalidate=60, must-revalidate",
    ]
}

func cpuSeconds() -> Double {
    var usage = rusage()
    #if os(Linux)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
    getrusage(RUSAGE_SELF, &usage)
    #endif
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Repeats a parse of `count` bytes, and prints its speed.
func measure(_ count: Int, seconds: Double, _ read: () async throws -> Void) async throws {
    try await read()
    let start = cpuSeconds()
    var (total, end) = (0.0, start)
    while end - start < seconds {
        try await read()
        total += Double(count)
        end = cpuSeconds()
    }
    print(Int(total / (end - start)))
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let seconds = Double(arguments[3]) else { exit(64) }
let file =
    ["json", "json-foundation", "yaml"].contains(arguments[1])
    ? try Data(contentsOf: URL(filePath: arguments[2])) : Data()
let bytes = Array(file)

switch arguments[1] {
case "json":
    let input = Bytes(bytes)
    try await measure(bytes.count, seconds: seconds) {
        _ = try JSONCoding.standard.decode(JSONValue.self, from: input)
    }
case "json-foundation":
    try await measure(bytes.count, seconds: seconds) { _ = try JSONSerialization.jsonObject(with: file) }
case "yaml":
    try await measure(bytes.count, seconds: seconds) {
        _ = try DocumentLoader().load(bytes: bytes, name: "document.yaml")
    }
case "sse":
    let input = Bytes((0..<1000).map(Workload.event).joined().utf8)
    try await measure(input.count, seconds: seconds) {
        var (parser, rest, count) = (ServerSentEventParser(), input, 0)
        while try parser.next(from: &rest) != nil { count += 1 }
        precondition(count == 1000)
    }
case "multipart":
    let input = Bytes(((0..<100).map(Workload.part).joined() + "--boundary--\r\n").utf8)
    try await measure(input.count, seconds: seconds) {
        var count = 0
        for try await part in try MultipartParts(ResponseBody(input), boundary: "boundary") {
            count += try await part.body.collect(upTo: 1 << 20).count
        }
        precondition(count == 100 * 4096)
    }
case "fields":
    let total = Workload.fields.reduce(0) { $0 + $1.utf8.count }
    try await measure(total * 100, seconds: seconds) {
        for _ in 0..<100 {
            for text in Workload.fields { _ = try? StructuredField.List(parsing: text) }
        }
    }
default: exit(64)
}
