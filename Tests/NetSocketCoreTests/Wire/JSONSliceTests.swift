import NetCore
import Testing

@testable import NetSocketCore

/// Values located in a message without decoding it.
struct JSONSliceTests {
    private func slice(_ text: String) throws -> JSONSlice {
        try JSONSlice(text)
    }

    /// Returns the text of each member or element.
    private func texts(_ slices: [JSONSlice]) -> [String?] { slices.map(\.payload.json) }

    @Test(arguments: [
        "", " ", "x", "]", "}", ",", ":", "'a'", "{", "[", "\"", "\"a", "\"\\\"", "\"\\", "{}}", "[]]", "{} x", "1 2",
        "1,",
        "\"a\"b", "[\"]", "{\"a\":\"}", "+1", ".5", "\u{0}", "é", "[1]]", "@",
    ])
    func malformedJSONIsRejected(text: String) {
        #expect(throws: JSONSlice.Problem.malformed) { try slice(text) }
    }

    @Test(arguments: [
        "{}", "[]", "null", "true", "false", "0", "-1.5e+3", "9E-7", "\"\"", "\"a\\\"b\"", "\"[{\"", "[\"]\"]",
        "{\"}\":1}",
        "[[],[[]]]", "\"\\\\\"", "123", "-9",
    ])
    func aValueIsFoundWithBlankAroundIt(text: String) throws {
        for (before, after) in [("", ""), (" \t\r\n", "\n\r\t "), ("\n", ""), ("", " ")] {
            let slice = try slice(before + text + after)
            #expect(slice.payload.json == text)
            #expect(slice.first == text.utf8.first)
        }
    }

    @Test func kindsAreToldByTheFirstByte() throws {
        for (text, isObject, isArray, isNull) in [
            ("{}", true, false, false), ("[]", false, true, false), ("null", false, false, true),
            ("1", false, false, false), ("\"n\"", false, false, false), ("true", false, false, false),
        ] {
            let slice = try slice(text)
            #expect(slice.isObject == isObject)
            #expect(slice.isArray == isArray)
            #expect(slice.isNull == isNull)
            #expect((slice.nonNull == nil) == isNull)
        }
    }

    @Test(
        arguments: [
            ("\"\"", "", nil, nil, nil), ("\"a b\"", "a b", nil, nil, nil), ("\"\\u0041\\n\"", "A\n", nil, nil, nil),
            ("\"\\x\"", nil, nil, nil, nil), ("7", nil, 7, "7", nil),
            ("18446744073709551615", nil, .max, "18446744073709551615", nil),
            ("18446744073709551616", nil, nil, "18446744073709551616", nil), ("-7", nil, nil, "-7", nil),
            ("1.5", nil, nil, "1.5", nil), ("true", nil, nil, "true", true), ("false", nil, nil, "false", false),
            ("null", nil, nil, "null", nil), ("{}", nil, nil, nil, nil), ("[1]", nil, nil, nil, nil),
            ("\"7\"", "7", nil, nil, nil),
            ("\"true\"", "true", nil, nil, nil), ("truth", nil, nil, "truth", nil),
        ] as [(String, String?, UInt64?, String?, Bool?)])
    func scalarsAreReadAsWhatTheyAre(text: String, string: String?, integer: UInt64?, scalar: String?, bool: Bool?)
        throws
    {
        let slice = try slice(text)
        #expect(slice.string == string)
        #expect(slice.integer == integer)
        #expect(slice.scalarText == scalar)
        #expect(slice.bool == bool)
        #expect(slice.id == (string ?? scalar).map { SocketID($0) })
    }

    @Test func membersComeInTheirOrder() throws {
        let slice = try slice(" { \"a\" : 1 , \"b\\n\":[2,{\"a\":3}],\"a\":\"}\" } ")
        let members = try slice.members()
        try #require(members.map(\.name) == ["a", "b\n", "a"])
        #expect(texts(members.map(\.value)) == ["1", "[2,{\"a\":3}]", "\"}\""])
        #expect(slice["a"]?.integer == 1)
        #expect(slice["c"] == nil)
        #expect(try members[1].value.elements()[1]["a"]?.integer == 3)
        #expect(try self.slice("{ }").members().isEmpty)
        for other in ["[1]", "7", "\"a\"", "null"] {
            #expect(try self.slice(other).members().isEmpty)
            #expect(try self.slice(other)["a"] == nil)
        }
    }

    @Test func elementsComeInTheirOrder() throws {
        #expect(
            try texts(slice(" [ 1 ,\"a,b\" ,[ ] , {\"a\":[]},null ] ").elements()) == [
                "1", "\"a,b\"", "[ ]", "{\"a\":[]}", "null",
            ])
        #expect(try slice("[ \n]").elements().isEmpty)
        for other in ["{}", "7", "\"a\"", "null"] { #expect(try slice(other).elements().isEmpty) }
    }

    @Test(arguments: [
        "{1:2}", "{\"a\"}", "{\"a\":}", "{\"a\" 1}", "{\"a\":1,}", "{\"a\":1 \"b\":2}", "{,}", "{\"a\":1]", "{[]:1}",
        "{\"\\x\":1}",
        "{\"a\":1;\"b\":2}", "[1,]", "[1 2]", "[,]", "[1}", "[:]",
    ])
    func anErrorInsideIsFoundByLookingInside(text: String) throws {
        let slice = try slice(text)
        #expect(throws: JSONSlice.Problem.malformed) {
            _ = try slice.members()
            _ = try slice.elements()
        }
    }

    @Test func nestingIsLimited() throws {
        for open in ["[", "{\"a\":"] {
            let close = open == "[" ? "]" : "}"
            let inner = open == "[" ? "" : "1"
            func nested(_ depth: Int) -> String {
                String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
            }
            #expect(try slice(nested(512)).payload.count == nested(512).utf8.count)
            #expect(throws: JSONSlice.Problem.tooDeep) { try slice(nested(513)) }
            // Values beside each other aren't nested.
            let wide = "[" + Array(repeating: nested(511), count: 3).joined(separator: ",") + "]"
            #expect(try slice(wide).elements().count == 3)
        }
        #expect(JSONSlice.Problem.tooDeep.text.contains("512"))
        #expect(!JSONSlice.Problem.malformed.text.isEmpty)
    }

    @Test func anObjectIsTakenFromAPayload() throws {
        #expect(try JSONSlice(object: SocketPayload(json: " {\"a\":1}"), by: "w")["a"]?.integer == 1)
        for payload in [SocketPayload(json: "[1]"), SocketPayload(json: "{"), SocketPayload(json: "1")] {
            let error = #expect(throws: NetError.self) { try JSONSlice(object: payload, by: "w") }
            #expect(error?.code == .encoding)
            #expect(error?.message.contains("wire protocol w") == true)
        }
        let bytes = #expect(throws: NetError.self) { try JSONSlice(object: SocketPayload(bytes: Bytes([1])), by: "w") }
        #expect(bytes?.code == .unsupported)
    }

    @Test(
        arguments: [
            (nil, "{\"m\":7}"), ("{}", "{\"m\":7}"), (" { } ", "{\"m\":7 }"), ("{\"a\":1}", "{\"m\":7,\"a\":1}"),
            ("{\"m\":1}", "{\"m\":1}"), (" {\"a\":2,\"m\":1}", "{\"a\":2,\"m\":1}"),
        ] as [(String?, String)])
    func aMemberIsAddedUnlessItIsThere(payload: String?, object: String) throws {
        let found = try SocketPayload.object(payload.map { SocketPayload(json: $0) }, adding: "m", "7", by: "w")
        #expect(found.json == object)
    }
}
