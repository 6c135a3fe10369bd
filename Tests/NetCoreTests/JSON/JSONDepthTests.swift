import Foundation
import HTTPTypes
import NetCore
import Testing

/// No document is so deep that it crashes the process: it is rejected with an error that gives the limit and the
/// position.
@Suite(.timeLimit(.minutes(1))) struct JSONDepthTests {
    private struct Tree: Decodable, Sendable { let a: [Tree]? }
    private struct Holder: Decodable, Sendable { let a: JSONValue }
    // `@unchecked Sendable`: like its superclass; it adds no state.
    private final class OwnDecoder: JSONDecoder, @unchecked Sendable {}

    /// Documents whose level 513 opens at the given offset.
    private static let tooDeep: [(text: String, offset: Int)] = {
        let arrays = String(repeating: "[", count: 513)
        let objects = String(repeating: "{\"a\":", count: 512)
        return [
            (arrays, 512), (arrays + " ", 512), (arrays + String(repeating: "]", count: 513), 512),
            (objects + "[", 2560),
            (objects + "{", 2560), (objects + "[]" + String(repeating: "}", count: 512), 2560),
            (String(repeating: "[", count: 100_000), 512), ("\n" + arrays, 513),
            ("[\"]]]\\\"]\"," + arrays.dropFirst(), 521),
        ]
    }()

    private static let codings: [(name: String, coding: JSONCoding)] = [
        ("standard", .standard), ("snake case", .snakeCaseISO8601),
        (
            "JSON5",
            JSONCoding(makeEncoder: JSONCoding.standard.makeEncoder) { JSONDecoder.reading { $0.allowsJSON5 = true } }
        ),
        ("a subclass", JSONCoding(makeEncoder: JSONCoding.standard.makeEncoder) { OwnDecoder() }),
    ]

    private func problem(_ error: any Error) -> UnreadableJSON? {
        guard case DecodingError.dataCorrupted(let context)? = error as? DecodingError else { return nil }
        return context.underlyingError as? UnreadableJSON
    }

    private func check<Value: Decodable>(_ type: Value.Type, _ bytes: Bytes, _ coding: JSONCoding, offset: Int) throws {
        let error = #expect(throws: DecodingError.self) { try coding.decode(type, from: bytes) }
        let problem = try problem(#require(error))
        #expect(problem?.reason == .tooDeep, "\(type): \(String(describing: problem))")
        #expect(problem?.byteOffset == offset, "\(type): \(String(describing: problem))")
        #expect(problem?.description == "arrays and objects nest deeper than 512 levels (byte \(offset))")
    }

    @Test(arguments: codings.indices, tooDeep.indices)
    func aDocumentThatIsTooDeepIsRefusedByEveryCoding(_ coding: Int, _ index: Int) throws {
        let (text, offset) = Self.tooDeep[index]
        let (bytes, coding) = (Bytes(text.utf8), Self.codings[coding].coding)
        try check(JSONValue.self, bytes, coding, offset: offset)
        try check([JSONValue].self, bytes, coding, offset: offset)
        try check([String: JSONValue].self, bytes, coding, offset: offset)
        try check(Holder.self, bytes, coding, offset: offset)
        try check(Tree.self, bytes, coding, offset: offset)
        try check(String.self, bytes, coding, offset: offset)
    }

    @Test(arguments: [
        String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
    ])
    func theLimitHoldsInOtherEncodings(_ encoding: String.Encoding) throws {
        for (text, offset) in Self.tooDeep {
            let bytes = Bytes(try #require(text.data(using: encoding)))
            for (_, coding) in Self.codings { try check(JSONValue.self, bytes, coding, offset: offset) }
        }
        let fits = Bytes(try #require("[[\"é\"]]".data(using: encoding)))
        for (_, coding) in Self.codings { #expect(try coding.decode([[String]].self, from: fits) == [["é"]]) }
    }

    @Test func theLimitItselfIsTaken() throws {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let text = repeated(open, 511) + "[]" + repeated(close, 511)
            for (name, coding) in Self.codings where name != "JSON5" && name != "a subclass" {
                var value = try coding.decode(JSONValue.self, from: Bytes(text.utf8))
                var levels = 1
                while let inner = value[0] ?? value["a"] { (value, levels) = (inner, levels + 1) }
                #expect(levels == 512)
                #expect(value == [])
            }
        }
        #expect(throws: Never.self) {
            try JSONCoding.standard.decode(
                Tree.self, from: Bytes((repeated("{\"a\":[", 255) + repeated("]}", 255)).utf8))
        }
    }

    @Test func bracketsInStringsAndCommentsAreNoLevels() throws {
        let text = "[\"" + repeated("[", 600) + "\",\"\\\"" + repeated("{", 600) + "\"]"
        for (_, coding) in Self.codings { #expect(try coding.decode([String].self, from: Bytes(text.utf8)).count == 2) }
        let comments =
            "// " + repeated("[", 600) + "'\"\n[/* " + repeated("{", 600) + " ' **/ '\"" + repeated("[", 600) + "']"
        #expect(try Self.codings[2].coding.decode([String].self, from: Bytes(comments.utf8)).count == 1)
        for hidden in ["'\"'", "/*\"*/'\"'", "'\\''", "//'\n1", "/**/1", "/*/'*/1"] {
            let error = #expect(throws: DecodingError.self) {
                try Self.codings[2].coding.decode(JSONValue.self, from: Bytes("[\(hidden),\(repeated("[", 512))".utf8))
            }
            #expect(problem(try #require(error))?.reason == .tooDeep, "\(hidden)")
        }
    }

    @Test func everyWayIntoTheLibraryRefusesIt() async throws {
        for (text, _) in Self.tooDeep where !text.hasPrefix("\n") {
            let json = Bytes(text.utf8)
            await #expect(throws: NetError.self) {
                for try await _ in ResponseBody(json).jsonLines(of: JSONValue.self) {}
            }
            for try await result in ResponseBody(json).jsonLineResults(of: Tree.self) {
                let error = #expect(throws: NetError.self) { try result.get() }
                #expect(error?.message.contains("deeper than 512 levels") == true)
            }
            let serializer = ResponseSerializer.serverSentEvents(of: JSONValue.self)
            let events = try serializer.convert(
                ResponseHead(status: .ok), Bytes("data: \(text)\n\n".utf8), SerializationContext())
            let error = await #expect(throws: NetError.self) { for try await _ in events {} }
            #expect(error?.code == .decoding)
            #expect(error?.message.contains("deeper than 512 levels") == true)
            let head = ResponseHead(status: .badRequest, headers: [.contentType: "application/problem+json"])
            let problem = #expect(throws: NetError.self) { try ProblemDetails(head: head, body: json) }
            #expect(problem?.message.contains("deeper than 512 levels") == true)
            #expect(NetError.FailedResponse(head: head, body: json).prettyJSON == nil)
        }
    }

    private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
}

extension JSONDecoder {
    fileprivate static func reading(_ change: (JSONDecoder) -> Void) -> JSONDecoder {
        let decoder = JSONDecoder()
        change(decoder)
        return decoder
    }
}
