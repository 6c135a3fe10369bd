import Foundation
import Testing

@testable import NetOpenAPI

private let sampleYAML = """
    openapi: 3.1.0
    info: &info {title: "Shelf \\u00e9", version: '1'}
    paths:
      /books/{id}:
        get:
          <<: &common
            tags: [a, b]
          description: |
            Reads – one book.
          responses: {'200': {description: ok}, default: *common}
    x-info: *info

    """

private let sampleJSON = #"""
    {"openapi": "3.0.3", "info": {"title": "Sh\u00e9lf \ud83d\ude00", "version": "1"}, "n": [-1.5e+10, true, null],
     "paths": {"/books/{id}": {"get": {"responses": {"200": {"description": "é"}}}}}}
    """#

/// The same random numbers in every run.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Test("A JSON document cut anywhere is an error with a place", arguments: [sampleJSON])
func jsonCutAnywhere(_ text: String) {
    for length in 0..<text.bytes.count {
        #expect(jsonError(Array(text.bytes.prefix(length)))?.position != nil, "cut after \(length) bytes")
    }
    #expect(jsonError(text.bytes) == nil)
}

@Test("A YAML document cut anywhere reads or is an error with a place")
func yamlCutAnywhere() {
    for length in 0..<sampleYAML.bytes.count {
        if let error = loadError(Array(sampleYAML.bytes.prefix(length))) {
            #expect(error.position != nil, "cut after \(length) bytes")
        }
    }
    #expect(loadError(sampleYAML.bytes) == nil)
}

@Test("A real document cut at every byte never traps", arguments: ["learn-callback", "learn-tags-32", "drf-recursion"])
func realDocumentCutAnywhere(_ id: String) throws {
    guard let entry = SharedData.corpus.first(where: { $0.id == id }) else { return }
    let bytes = try FileBytes.read(entry.path, limit: 1 << 20)
    for length in 0..<bytes.count {
        if let error = loadError(Array(bytes.prefix(length))) { #expect(error.position?.line ?? 0 > 0) }
    }
}

@Test("Random changes of bytes never trap, and every error has a place", arguments: [sampleYAML, sampleJSON])
func randomMutations(_ text: String) {
    var random = SeededGenerator(state: 42)
    let special = Array("{}[]:,&*!|>'\"%@`#-?\\\n\t \u{7F}<0~".utf8) + [0, 0x80, 0xC3, 0xFF]
    var failures = 0
    for _ in 0..<3000 {
        var bytes = text.bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let byte = special.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = byte
            case 1: bytes.insert(byte, at: place)
            case 2: bytes.remove(at: place)
            default: bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
        }
        guard let error = loadError(bytes) else { continue }
        failures += 1
        #expect(error.position != nil, "\(error)")
    }
    #expect(failures > 1000)
}

@Test("A bomb of aliases is stopped at the alias that passes the limit")
func aliasBomb() throws {
    var text = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for (name, inner) in zip("bcdefghijklmno", "abcdefghijklmn") {
        text += "\(name): &\(name) [" + Array(repeating: "*\(inner)", count: 10).joined(separator: ", ") + "]\n"
    }
    let error = try #require(loadError(text.bytes))
    #expect(error.message.contains("over the limit of 1000000 nodes made by aliases"))
    #expect(error.position?.line == 6)
}

@Test("A bomb of merge keys is stopped too")
func mergeBomb() throws {
    var text = "k0: &k0 {a: 1}\n"
    for index in 1...3000 { text += "k\(index): &k\(index) {<<: *k\(index - 1), b\(index): 1}\n" }
    let error = try #require(loadError(text.bytes))
    #expect(error.message.contains("the limit of 1000000 nodes") || error.message.contains("512 levels"))
}

@Test("Aliases cannot nest deeper than the limit")
func aliasDepth() throws {
    var text = "k0: &k0 [1]\n"
    for index in 1...600 { text += "k\(index): &k\(index) [*k\(index - 1)]\n" }
    let error = try #require(loadError(text.bytes))
    #expect(error.message == "sequences and mappings nest deeper than 512 levels")
    #expect(error.position?.line == 512)
}

@Test("Deep YAML is stopped at the limit", arguments: ["[", "- ", "{a: ", "? "])
func deepYAML(_ opening: String) throws {
    let error = try #require(loadError(String(repeating: opening, count: 100_000).bytes))
    #expect(error.message.contains("deeper than 512 levels"), "\(error)")
}

@Test("A document of one long line gets its columns in linear time")
func oneLongLine() throws {
    let text = "[" + Array(repeating: "{\"k\": \"é\"}", count: 20_000).joined(separator: ",") + "]"
    let root = try json(text)
    #expect(root.elements.last?.position.column == 2 + 19_999 * 11)
}
