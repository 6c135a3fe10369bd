import Foundation
import NetCore
import NetHTTP

// conformance-http-peers AUTHORITY: reads orders from standard input, one JSON object on each line, sends their requests, and
// writes a line of JSON for each order. AUTHORITY is the PEM file of the authority of the servers' certificates.

let authority = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
while let line = readLine() {
    let outcome: Outcome
    do {
        outcome = await try Sender(order: try JSONCoding.standard.decode(Order.self, from: Bytes(line.utf8)), authority)
            .send()
    } catch {
        outcome = Outcome(tally: ["not an order: \(error)": 1])
    }
    FileHandle.standardOutput.write(Data(Array(try JSONCoding.standard.encode(outcome)) + [UInt8(ascii: "\n")]))
}
