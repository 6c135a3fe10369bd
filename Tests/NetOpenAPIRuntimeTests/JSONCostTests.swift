import Foundation
import NetCore
@_spi(Generated) import NetOpenAPIRuntime
import Testing

/// The work for a document is proportional to its size, regardless of its shape and the type it is decoded as.
@Suite(.timeLimit(.minutes(1))) struct JSONCostTests {
    private struct Holder: Decodable { let a: JSONValue }

    /// Keeps members without a property.
    private struct Open: SchemaObject {
        var next: [Choice]?
        private var undeclared = UndeclaredMembers()
        init(reading members: inout ObjectMembers) throws {
            next = members.optional("next")
            undeclared = members.undeclared()
        }
        func visit(_ visitor: inout MemberVisitor) { visitor.members(undeclared: undeclared, ("next", next)) }
    }

    /// The same, with a member that is missing in these documents and decoded last.
    private struct Closed: SchemaObject {
        var next: [Choice]
        var last: Int
        init(reading members: inout ObjectMembers) throws {
            next = try members.required("next")
            last = try members.required("last")
        }
        func visit(_ visitor: inout MemberVisitor) { visitor.members(("next", next), ("last", last)) }
    }

    private indirect enum Choice: Codable, Hashable, Sendable {
        case closed(Closed)
        case open(Open)
        case number(Int)
        case text(String)

        init(from decoder: any Decoder) throws {
            var union = UnionDecoder<Choice>(decoder)
            union.consider(Closed.self, keys: ["next", "last"]) { .closed($0) }
            union.consider(Open.self, keys: ["next"], isOpen: true) { .open($0) }
            union.consider(Int.self) { .number($0) }
            union.consider(String.self) { .text($0) }
            self = try union.match()
        }

        func encode(to encoder: any Encoder) throws {}
    }

    private static let size = 1 << 16

    private static func filled(_ unit: String, _ size: Int = size) -> String {
        String(repeating: unit + ",", count: size / (unit.utf8.count + 1)) + unit
    }

    private static func nested(_ open: String, _ middle: String, _ close: String, _ levels: Int) -> String {
        String(repeating: open, count: levels) + middle + String(repeating: close, count: levels)
    }

    private static let shapes: [String] =
        ["1", "[]", "{}", "\"a\"", "\"\\u00e9\"", "null", "0.30000000000000004", "1.00000000000000000001", "1e23"].map {
            "[\(filled($0))]"
        } + [
            nested("[", "1", "]", 480), nested("{\"a\":", "1", "}", 480), nested("[{\"a\":", "1", "}]", 240),
            nested("[", filled("1"), "]", 500), nested("{\"a\":", "[\(filled("\"x\""))]", "}", 500),
            nested("[", filled("{}"), "]", 500),
            "[" + nested("[", "", "]", 500) + String(repeating: "," + nested("[", "", "]", 500), count: 60) + "]",
            "{" + (0..<7000).map { "\"\($0)\":1" }.joined(separator: ",") + "}",
            "{" + String(repeating: "\"a\":1,", count: size / 6) + "\"b\":1}",
            String(repeating: "1", count: size), "0." + String(repeating: "1", count: size),
            "1e" + String(repeating: "0", count: size),
            "\"" + String(repeating: "\\u00e9", count: size / 6) + "\"", String(repeating: "[", count: size),
            String(repeating: "{\"a\":", count: size / 5) + "[",
        ]

    /// Returns the CPU seconds of decoding, whether it succeeds or not.
    private func cost<Value: Decodable>(_ type: Value.Type, _ text: String) -> Double {
        let bytes = Bytes(text.utf8)
        let start = cpuSeconds()
        _ = try? JSONCoding.standard.decode(type, from: bytes)
        return cpuSeconds() - start
    }

    private func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// CPU seconds. Linear work takes up to one second in a debug build, and two beside other tests; nonlinear work
    /// took minutes.
    private let limit = 8.0

    @Test(arguments: shapes.indices) func anOpenValueIsReadInLinearTime(_ index: Int) {
        let text = Self.shapes[index]
        #expect(cost(JSONValue.self, text) < limit)
        #expect(cost([String: JSONValue].self, "{\"a\":\(text)}") < limit)
        #expect(cost(Holder.self, "{\"a\":\(text)}") < limit)
        #expect(cost(Open.self, "{\"a\":\(text)}") < limit)
        #expect(cost([Holder].self, "[{\"a\":\(text)}]") < limit)
        #expect(cost(Nullable<JSONValue>.self, text) < limit)
    }

    @Test(arguments: shapes.indices) func aUnionIsReadInLinearTime(_ index: Int) {
        #expect(cost(Choice.self, "{\"next\":\(Self.shapes[index])}") < limit)
        #expect(cost([Choice].self, Self.shapes[index]) < limit)
    }

    /// Members of a union that contain a union: otherwise each level would be decoded twice as often as the enclosing
    /// one.
    @Test(arguments: ["1", "\"a\"", "true", "[]", "{}", "{\"next\":true}"])
    func unionsInsideUnionsAreReadOnce(_ inner: String) throws {
        for levels in [30, 100, 250] {
            #expect(cost(Choice.self, Self.nested("{\"next\":[", inner, "]}", levels)) < limit, "\(levels)")
        }
        #expect(cost(Choice.self, Self.nested("{\"next\":[", Self.filled(inner, Self.size / 4), "]}", 200)) < limit)
        let text = Self.nested("{\"next\":[", "1", "]}", 40)
        var value = try JSONCoding.standard.decode(Choice.self, from: Bytes(text.utf8))
        var levels = 0
        while case .open(let open) = value, let next = open.next?.first { (value, levels) = (next, levels + 1) }
        #expect(levels == 40)
        #expect(value == .number(1))
    }
}
