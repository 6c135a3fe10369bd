import Foundation
import NetCore

@testable import NetStore

/// Calls that begin and end while a report is displayed.
struct LiveWriter {
    let path: String
    let count: Int
    /// Calls per second.
    let rate: Int
    let bodies: [String]

    private static let tick = 0.02

    func write() async throws {
        let maker = try StoreMaker(path: path, seed: UInt64(ProcessInfo.processInfo.processIdentifier), isNew: false)
        var numbers = SeededNumbers(7)
        var open: [(end: Double, call: StoreMaker.Call, id: CallID)] = []
        var begun = 0
        let start = Date()
        while begun < count || !open.isEmpty {
            let seconds = Date().timeIntervalSince(start)
            while begun < count, Double(begun) / Double(rate) <= seconds {
                let call = call(begun, &numbers)
                let id = maker.begin(call)
                open.append((seconds + call.attempts[0].phases.reduce(0, +) / 1000, call, id))
                begun += 1
            }
            for ended in open where ended.end <= seconds { maker.add(ended.call, id: ended.id, isBegun: true) }
            open.removeAll { $0.end <= seconds }
            try await Task.sleep(for: .seconds(Self.tick))
        }
        try await maker.close()
    }

    private func call(_ number: Int, _ numbers: inout SeededNumbers) -> StoreMaker.Call {
        var call = StoreMaker.Call(
            at: Date().timeIntervalSince(StoreMaker.start),
            url: "https://api.example.com/live/\(number)", operation: numbers.one(of: ["getUser", "listItems"]))
        call.attempts[0].phases = [0.1, 1, 5, 9, 20 * exp(Double.random(in: 0...4, using: &numbers)), 3]
        call.attempts[0].status = numbers.once(in: 25) ? 503 : 200
        call.responseBody = Bytes(bodies[number % bodies.count].utf8)
        return call
    }
}
