import Testing

@testable import NetOpenAPI

@Test("JSON keeps order, numbers as text, and what is quoted")
func jsonKeepsWhatIsWritten() throws {
    let node = try json(#" {"b": [1, -0.50e+3, 12345678901234567890123], "a": {"x": true, "": null}, "t": "1"} "#)
    #expect(node.outline == #"{b: [1, -0.50e+3, 12345678901234567890123], a: {x: true, : null}, t: "1"}"#)
    #expect(node["a"]?["x"]?.bool == true)
    #expect(node["a"]?[""]?.isNull == true)
    #expect(node["t"]?.int == nil)
}

@Test("A scalar may be a whole JSON document", arguments: ["1", "true", "null", "\"x\"", "[]", "{}", "\u{FEFF}0"])
func jsonScalarIsDocument(_ text: String) throws {
    #expect(throws: Never.self) { try json(text) }
}

@Test("JSON escapes are decoded, pairs of surrogates too")
func jsonEscapesAreDecoded() throws {
    #expect(try json(#""\"\\\/\b\f\n\r\té\u20AC\uD83D\uDE00z""#).text == "\"\\/\u{8}\u{C}\n\r\té€😀z")
}

@Test("Half a surrogate pair becomes U+FFFD with a warning", arguments: [#""\uD83D""#, #""\uDE00""#, #""\uD83DA""#])
func halfSurrogateIsReplaced(_ text: String) throws {
    let result = try JSONReader.read(text.bytes, name: "t")
    #expect(result.root.text?.unicodeScalars.first == "\u{FFFD}")
    #expect(result.warnings.map(\.position?.column) == [2])
}

@Test("JSON positions count lines and Unicode scalars from 1")
func jsonPositions() throws {
    let node = try json("\u{FEFF}{\r\n \"é😀\": [1,\n  \"x\"],\r \"k\": 2}")
    #expect(node.position == SourcePosition(file: "t.json", line: 1, column: 1))
    #expect(node.members[0].keyPosition == SourcePosition(file: "t.json", line: 2, column: 2))
    #expect(node.members[0].value.position == SourcePosition(file: "t.json", line: 2, column: 8))
    #expect(node.members[0].value.elements[1].position == SourcePosition(file: "t.json", line: 3, column: 3))
    #expect(node.members[1].keyPosition == SourcePosition(file: "t.json", line: 4, column: 2))
}

@Test("A repeated JSON key gives a warning and its last value")
func repeatedJSONKey() throws {
    let result = try JSONReader.read(#"{"a": 1, "b": 2, "a": 3}"#.bytes, name: "t")
    #expect(result.root.outline == "{a: 3, b: 2}")
    try #require(result.warnings.count == 1)
    #expect(result.warnings[0].position?.column == 18)
    #expect(result.warnings[0].message.contains("'a' is already at line 1, column 2"))
}

@Test("Keys that only look alike are two keys, in small and in large objects", arguments: [0, 40])
func keysAreComparedByBytes(_ padding: Int) throws {
    let others = (0..<padding).map { "\"k\($0)\": 0, " }.joined()
    let result = try JSONReader.read("{\(others)\"\u{E9}\": 1, \"e\u{301}\": 2}".bytes, name: "t")
    #expect(result.root.members.count == padding + 2)
    #expect(result.warnings.isEmpty)
}

@Test("A repeated key is found in a large object")
func repeatedKeyInLargeObject() throws {
    let members = (0..<100).map { "\"k\($0)\": \($0)" }.joined(separator: ", ")
    let result = try JSONReader.read("{\(members), \"k7\": 0, \"k99\": 1}".bytes, name: "t")
    #expect(result.root.members.count == 100)
    #expect(result.root["k7"]?.int == 0)
    #expect(result.warnings.count == 2)
}

@Test("JSON nests 512 levels deep, not 513")
func jsonDepthLimit() throws {
    let deep = { (levels: Int) in String(repeating: "[", count: levels) + String(repeating: "]", count: levels) }
    #expect(jsonError(deep(512).bytes) == nil)
    let error = try #require(jsonError(deep(513).bytes))
    #expect(error.description == "t.json:1:513: error: arrays and objects nest deeper than 512 levels")
    #expect(jsonError(String(repeating: "{\"a\":", count: 2_000_000).bytes)?.position?.column == 2561)
}
