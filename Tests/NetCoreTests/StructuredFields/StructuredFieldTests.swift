import Foundation
import HTTPTypes
import NetCore
import TestSupport
import Testing

@Suite struct StructuredFieldTests {
    private func error(_ read: () throws(StructuredFieldError) -> Any) -> StructuredFieldError? {
        do throws(StructuredFieldError) {
            _ = try read()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("", 0), ("-", 1), ("1.", 2), ("1.1234", 5), ("1234567890123.1", 13), ("1234567890123456", 15),
        ("\"a", 2), ("\"a\\b\"", 3), ("\"é\"", 1), (":aGV!bG8=:", 4), (":aGVsbG8=", 1), (":a=b=:", 2), ("?2", 1),
        ("@1.5", 4), ("%a", 1), ("%\"%C3%A9\"", 3), ("%\"%c3\"", 6), ("a;B=1", 2), ("1 2", 2), ("{", 0), ("\t1", 0),
    ])
    func aMalformedItemIsRefusedWithThePlace(text: String, position: Int) {
        let error = error { () throws(StructuredFieldError) in try StructuredField.Item(parsing: text) }
        #expect(error?.position == position, "\(text): \(error.map { "\($0)" } ?? "read")")
    }

    @Test(arguments: [("1,", 2), ("1, ", 3), ("1;a=1 2", 6), ("(1 2", 4), ("(1\"a\")", 2), (",1", 0), ("(1,2)", 2)])
    func aMalformedListIsRefusedWithThePlace(text: String, position: Int) {
        let error = error { () throws(StructuredFieldError) in try StructuredField.List(parsing: text) }
        #expect(error?.position == position)
    }

    @Test func aKeyThatComesAgainKeepsItsPlace() throws {
        let dictionary = try StructuredField.Dictionary(parsing: "a=1, b=2;x, a=(3 4);y=z")
        #expect(dictionary.map(\.key) == ["a", "b"])
        #expect(dictionary["a"]?.innerList?.items.map(\.value) == [.integer(3), .integer(4)])
        #expect(dictionary["a"]?.parameters["y"] == .token("z"))
        #expect(dictionary["b"]?.item?.parameters["x"]?.boolean == true)
        #expect(dictionary["c"] == nil)
    }

    @Test func aRemovedKeyLeavesTheOthersInTheirPlaces() throws {
        var map: StructuredField.Parameters = ["a": .integer(1), "b": .integer(2), "c": .integer(3)]
        map["a"] = nil
        map["c"] = .integer(4)
        map["d"] = .boolean(true)
        #expect(map.map(\.key) == ["b", "c", "d"])
        #expect(map["c"]?.integer == 4)
        #expect(map["a"] == nil)
        #expect(map == ["b": .integer(2), "c": .integer(4), "d": .boolean(true)])
        #expect(map != ["c": .integer(4), "b": .integer(2), "d": .boolean(true)])
    }

    @Test func valuesOutsideRFC9651AreNotSerialized() {
        let values: [StructuredField.BareItem] = [
            .integer(1_000_000_000_000_000), .decimal(.nan), .decimal(1e12), .decimal(.infinity), .string("é"),
            .string("a\n"), .token("1a"), .token(""), .token("a b"), .date(.max),
        ]
        for value in values {
            let error = error { () throws(StructuredFieldError) in try StructuredField.Item(value).serialized() }
            #expect(error != nil, "\(value)")
            #expect(error?.position == nil, "\(value)")
        }
        let keys: [StructuredField.Dictionary] = [["A": .item(.integer(1))], ["": .item(.integer(1))]]
        for dictionary in keys {
            #expect(error { () throws(StructuredFieldError) in try dictionary.serialized() } != nil)
        }
    }

    @Test func everyTypeComesBackAsItWent() throws {
        let list: StructuredField.List = [
            .item(.integer(-999_999_999_999_999)), .item(.decimal(0.5)), .item(.string("a\"\\")),
            .item(.token("*a/b:c")),
            .item(.byteSequence(Bytes([0, 255, 7]))), .item(.boolean(false)), .item(.date(-1)),
            .item(.displayString("é%\"")),
            .innerList(.init([.init(.integer(1), parameters: ["p": .boolean(true)])], parameters: ["q": .token("t")])),
        ]
        let text = try list.serialized()
        #expect(
            text == #"-999999999999999, 0.5, "a\"\\", *a/b:c, :AP8H:, ?0, @-1, %"%c3%a9%25%22", (1;p);q=t"#)
        #expect(try StructuredField.List(parsing: text) == list)
    }

    /// Python supports base64 as well.
    @Test func base64IsWhatOthersWrite() async throws {
        let samples = (0..<50).map { count in Data((0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }) }
        let theirs: [String] = try await Tool.python(
            "import sys,json,base64; print(json.dumps([base64.b64encode(base64.b64decode(s)).decode() "
                + "for s in json.load(sys.stdin)]))", samples)
        for (sample, text) in zip(samples, theirs) {
            let item = StructuredField.Item(.byteSequence(Bytes(sample)))
            #expect(try item.serialized() == ":\(text):")
            #expect(try StructuredField.Item(parsing: ":\(text):") == item)
        }
    }

    @Test func severalLinesOfAFieldAreOneValue() throws {
        var headers = HTTPFields()
        let name = HTTPField.Name("X-List")
        #expect(try headers.structuredList(name).members.isEmpty)
        #expect(try headers.structuredItem(name) == nil)
        headers.append(HTTPField(name: name, value: "a, b"))
        headers.append(HTTPField(name: name, value: "c"))
        #expect(try headers.structuredList(name).members.compactMap { $0.item?.value.token } == ["a", "b", "c"])
    }

    @Test func aValueIsCutAtItsLimitAndReadInLinearTime() throws {
        let limit = StructuredField.maximumBytes
        let long = "\"" + String(repeating: "a", count: limit - 2) + "\""
        #expect(try StructuredField.Item(parsing: long).value.string?.utf8.count == limit - 2)
        let error = error { () throws(StructuredFieldError) in try StructuredField.Item(parsing: long + " ") }
        #expect(error?.position == limit)
        // Sixteen thousand keys, each twice: with a linear search for each, this would take minutes.
        let keys = (0..<8000).map { "k\($0)" }
        let dictionary = try StructuredField.Dictionary(
            parsing: (keys.prefix(4000) + keys.prefix(4000)).joined(separator: ","))
        #expect(dictionary.count == 4000)
        let hostile = [
            "((((((((", ";;;;;;;;", "::::::::", "\"\"\"\"\"", "a;a;a;a;", ",,,,,,,,", "%\"%\"%\"%", "?????", "(a(a(a(a",
        ]
        for text in hostile {
            let repeated = String(repeating: text, count: limit / 8)
            #expect(throws: StructuredFieldError.self) { try StructuredField.List(parsing: repeated) }
            #expect(throws: StructuredFieldError.self) { try StructuredField.Dictionary(parsing: repeated) }
        }
    }

    /// Cut at every position, the value parses to another one or is rejected at a position within it.
    @Test func noCutGoesUnnoticed() throws {
        let whole = #"a=1;b="x\"y", c=(1.5 tok;q :aGVsbG8=:), d;e=?0, f=@12, g=%"%c3%bc""#
        _ = try StructuredField.Dictionary(parsing: whole)
        for count in 0..<whole.utf8.count {
            let text = String(decoding: Array(whole.utf8).prefix(count), as: UTF8.self)
            let error = error { () throws(StructuredFieldError) in try StructuredField.Dictionary(parsing: text) }
            if let error { #expect((0...count).contains(error.position ?? -1)) }
        }
    }
}
