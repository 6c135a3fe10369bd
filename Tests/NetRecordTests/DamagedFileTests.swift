import Foundation
import HTTPTypes
import NetCore
import NetRecord
import Testing

/// A file that was truncated or changed anywhere is read with its actual contents, or is an error with a position:
/// never a trap.
struct DamagedFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bytes(_ name: String) throws -> [UInt8] {
        let events = CapturedBody(pieces: [
            .init(Bytes("data: 1\n\n".utf8)), .init(Bytes([0x64, 0xc3]), after: .milliseconds(1500)),
        ])
        let cassette = Cassette([.sample(), .failed, .get("http://a.test/e", body: events, type: "text/event-stream")])
        try cassette.write(to: folder.file(name))
        return Array(try folder.text(name).utf8)
    }

    private func check(_ bytes: [UInt8], _ name: String, _ comment: String) {
        do throws(RecordFileError) {
            _ = try Cassette.read(bytes, from: folder.file(name))
        } catch {
            #expect(error.position != nil, "\(comment): \(error)")
            #expect(!error.problem.isEmpty, "\(comment): \(error)")
            #expect(!error.advice.isEmpty, "\(comment): \(error)")
            #expect(error.description.hasPrefix(folder.file(name) + ":"), "\(comment)")
        }
    }

    @Test(arguments: ["a.json", "a.har"]) func anyByteMayBeChanged(_ name: String) throws {
        let whole = try bytes(name)
        for index in whole.indices {
            // One bit of each position, and every kind of damage at some positions.
            let flips: [UInt8] = index % 16 == 0 ? [1, 2, 4, 8, 16, 32, 64, 128, 255] : [1 << UInt8(index % 8)]
            for flip in flips {
                var damaged = whole
                damaged[index] ^= flip
                check(damaged, name, "byte \(index), bits \(flip)")
            }
        }
    }

    @Test(arguments: ["a.json", "a.har"]) func anyByteMayBeMissingOrTwice(_ name: String) throws {
        let whole = try bytes(name)
        for index in stride(from: 0, to: whole.count, by: 3) {
            var less = whole
            less.remove(at: index)
            check(less, name, "without byte \(index)")
            check(Array(whole[...index]) + whole[index...], name, "byte \(index) twice")
        }
    }

    @Test func aHARFileCutAnywhereIsAnError() throws {
        let whole = try bytes("a.har")
        for count in 0..<whole.count - 2 {
            let part = Array(whole[..<count])
            #expect(throws: RecordFileError.self, "cut after \(count) bytes") {
                try Cassette.read(part, from: folder.file("a.har"))
            }
        }
    }

    @Test(arguments: ["null", "true", "7", "\"text\"", "[]", "[7]", "{}"])
    func aValueOfAnotherTypeIsAnErrorWithItsPlace(_ value: String) throws {
        let members = [
            ("version", "1"), ("exchanges", "[EXCHANGE]"), ("recordedAt", "\"2026-01-01T00:00:00Z\""),
            ("milliseconds", "1"), ("request", "{\"method\": METHOD, \"url\": URL}"), ("method", "\"GET\""),
            ("url", "\"http://a.test/\""), ("response", "{\"status\": STATUS, \"fields\": FIELDS, \"body\": BODY}"),
            ("status", "200"), ("fields", "[\"A: b\"]"), ("body", "{\"text\": TEXT}"), ("text", "[\"x\"]"),
        ]
        // The values that are valid nevertheless: a list may be empty, an optional member null, a method any word.
        let right = [
            "[] exchanges", "[] fields", "[] text", "null fields", "null body", "{} body", "null text",
            "7 milliseconds",
            "\"text\" method",
        ]
        for (wrong, _) in members where !right.contains("\(value) \(wrong)") {
            var text = "{\"version\": VERSION, \"exchanges\": EXCHANGES}"
            for (name, whole) in members {
                text = text.replacing(name.uppercased(), with: name == wrong ? value : whole)
                let exchange = ["recordedAt", "milliseconds", "request", "response"]
                    .map { "\"\($0)\": \($0.uppercased())" }.joined(separator: ", ")
                text = text.replacing("[EXCHANGE]", with: "[{\(exchange)}]")
            }
            let error = #expect(throws: RecordFileError.self, "\(text)") {
                try Cassette.read(Array(text.utf8), from: folder.file("a.json"))
            }
            #expect(error?.position != nil, "\(text)")
            #expect(error?.advice.isEmpty == false, "\(text)")
            // A null member counts as missing: the position is then that of the object.
            #expect(value == "null" || error?.place.isEmpty == false, "\(text)")
        }
    }

    @Test(arguments: [
        ("\"isCut\": true", "\"isCut\": 1", "exchanges[0].response.body.isCut", "expected true or false"),
        ("\"isCut\": true", "\"base64\": []", "exchanges[0].response.body.base64", "can't be combined"),
        ("\"isCut\": true", "\"text\": []", "exchanges[0].response.body", "appears twice"),
        ("A: b", "A: b\\nC: d", "exchanges[0].response.fields[0]", "aren't allowed in headers"),
    ])
    func invalidResponsesAreRejectedWithTheirLocation(_ old: String, _ new: String, _ place: String, _ problem: String)
        throws
    {
        let text = #"""
            {"version": 1, "exchanges": [{"recordedAt": "2026-01-01T00:00:00Z", "milliseconds": 1,
              "request": {"method": "GET", "url": "http://a.test/"},
              "response": {"status": 200, "fields": ["A: b"], "body": {"text": ["x"], "isCut": true}}}]}
            """#
        #expect(try Cassette.read(Array(text.utf8), from: "a.json").exchanges.count == 1)
        let error = #expect(throws: RecordFileError.self) {
            try Cassette.read(Array(text.replacing(old, with: new).utf8), from: "a.json")
        }
        #expect(error?.place == place, "\(String(describing: error))")
        #expect(error?.problem.contains(problem) == true, "\(String(describing: error))")
    }
}
