import Foundation
import NetCore
import Testing

/// The strategies and errors of a `JSONDecoder` are the same as with Foundation's own parser.
@Suite struct FoundationComparisonTests {
    private struct Everything: Codable, Equatable {
        enum Kind: String, Codable { case one, two }
        enum CodingKeys: String, CodingKey {
            case int, small, big, wide, double, float, bool, text, kind, list, nested, map, url, data, date, decimal
        }
        struct Nested: Codable, Equatable { var firstName: String?, x: [Int?]? }
        var int: Int?
        var small: Int8?
        var big: UInt64?
        var wide: Int128?
        var double: Double?
        var float: Float?
        var bool: Bool?
        var text: String?
        var kind: Kind?
        var list: [[String]]?
        var nested: Nested?
        var map: [String: Nested]?
        var url: URL?
        var data: Data?
        var date: Date?
        var decimal: Decimal?
    }

    private struct Strict: Codable, Equatable { let a: Int, b: String?, c: [Bool] }

    /// Uses every kind of container explicitly.
    private struct ByHand: Codable, Equatable {
        enum Key: String, CodingKey { case items, base, missing }
        var texts: [String] = []
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            texts.append("\(members.contains(.missing)) \(members.allKeys.count)")
            var items = try members.nestedUnkeyedContainer(forKey: .items)
            texts.append("\(items.count ?? -1) \(items.currentIndex)")
            if try items.decodeNil() { texts.append("nil") }
            if let failed = try? items.decode(Bool.self) { texts.append("\(failed)") }
            texts.append("\(try items.decode(Int.self)) \(items.currentIndex)")
            let inner = try items.nestedContainer(keyedBy: Key.self)
            texts.append(try inner.decode(String.self, forKey: .base))
            var list = try items.nestedUnkeyedContainer()
            while !list.isAtEnd { texts.append(try list.superDecoder().singleValueContainer().decode(String.self)) }
            texts.append("\(try members.superDecoder(forKey: .missing).singleValueContainer().decodeNil())")
            texts.append("\(try members.superDecoder().singleValueContainer().decodeNil())")
            texts.append("\(try members.decodeNil(forKey: .base))")
            texts.append(items.codingPath.map(\.stringValue).joined(separator: "/"))
            _ = try items.decode(Int.self)
        }
        func encode(to encoder: any Encoder) throws {}
    }

    private static let documents = [
        #"{}"#, #"[]"#, #"null"#, #"7"#, #""x""#, #"true"#, #"[1,2,3]"#, #"["a","b"]"#, #"[[],[["x"]]]"#, #"[null]"#,
        #"{"a":1,"c":[]}"#,
        #"{"a":1,"b":null,"c":[true,false]}"#, #"{"a":1.0,"b":"x","c":[true]}"#, #"{"a":"1","c":[]}"#,
        #"{"a":null,"c":[]}"#,
        #"{"c":[]}"#, #"{"a":1,"b":2,"c":[]}"#, #"{"a":1,"c":[true,1]}"#, #"{"a":1,"c":[null]}"#, #"{"a":1,"c":{}}"#,
        #"{"a":1.5,"c":[]}"#,
        #"{"a":1e2,"c":[]}"#, #"{"a":1e30,"c":[]}"#, #"{"a":9223372036854775807,"c":[]}"#,
        #"{"a":9223372036854775808,"c":[]}"#,
        #"{"a":-9223372036854775808,"c":[]}"#, #"{"a":1,"a":2,"c":[]}"#, #"{"\u0061":1,"c":[]}"#,
        #"{"a":1.00000000000000000001,"c":[]}"#,
        #"{"int":1,"small":127,"big":18446744073709551615,"double":1e-3,"float":0.1,"bool":true,"text":"\u00e9","kind":"two"}"#,
        #"{"wide":170141183460469231731687303715884105727}"#, #"{"wide":-170141183460469231731687303715884105728}"#,
        #"{"small":128}"#, #"{"small":-129}"#, #"{"big":-1}"#, #"{"big":-0}"#, #"{"double":1e400}"#,
        #"{"double":"Infinity"}"#,
        #"{"double":"+inf"}"#, #"{"float":"nan"}"#, #"{"float":1e39}"#, #"{"double":1e-400}"#,
        #"{"double":-0.0}"#,
        #"{"double":123456789.123456789123456789}"#, #"{"float":16777217}"#, #"{"kind":"three"}"#, #"{"kind":1}"#,
        #"{"list":[["a"],[]]}"#, #"{"list":[["a",1]]}"#, #"{"list":"a"}"#,
        #"{"nested":{"firstName":"x","x":[1,null,3]}}"#,
        #"{"nested":{"first_name":"x"}}"#, #"{"nested":[]}"#, #"{"nested":{"x":[1,"2"]}}"#,
        #"{"map":{"some_key":{"first_name":"y"}}}"#,
        #"{"map":{"some_key":{"x":[true]}}}"#, #"{"map":[]}"#, #"{"url":"https://h/a b"}"#, #"{"url":""}"#,
        #"{"url":1}"#, #"{"url":"https://h/x"}"#,
        #"{"data":"AQL/"}"#, #"{"data":"AQL"}"#, #"{"data":"!"}"#, #"{"data":1}"#, #"{"data":[1,2]}"#,
        #"{"data":"AQL\/"}"#,
        #"{"date":1}"#, #"{"date":"2026-01-02T03:04:05Z"}"#, #"{"date":"x"}"#, #"{"date":1.5e9}"#, #"{"date":null}"#,
        #"{"date":[]}"#,
        #"{"decimal":0.1}"#, #"{"decimal":123456789012345678901234567890.12345}"#, #"{"decimal":1e-100}"#,
        #"{"decimal":1e200}"#, #"{"decimal":"1"}"#,
        #"{"items":[null,1,{"base":"x"},["a","b"]],"base":1}"#, #"{"items":[true,1,{"base":"x"},["a"],2],"base":null}"#,
        #"{"items":[1,{"base":"x"},[]],"base":"b","super":1}"#, #"{"items":[1,{},[]]}"#, #"{"items":[1]}"#,
        #"{"items":{}}"#,
        #"[{"first_name":"a"},{"__first__name_":"b"},{"firstName":"c"},{"first_Name":"d"},{"FIRST_NAME":"e"}]"#,
        "[1", "{\"a\":1,", "", "nope", #"{"text":"\ud83d"}"#,
        "{" + (0..<40).map { "\"k\($0)\":\($0)," }.joined() + #""a":1,"c":[true],"int":5}"#,
    ]

    private static let strategies: [(String, @Sendable (JSONDecoder) -> Void)] = [
        ("default", { _ in }),
        ("snake case", { $0.keyDecodingStrategy = .convertFromSnakeCase }),
        ("custom keys", { $0.keyDecodingStrategy = .custom { JSONKey("\($0.last?.stringValue.lowercased() ?? "")") } }),
        ("seconds", { $0.dateDecodingStrategy = .secondsSince1970 }),
        ("milliseconds", { $0.dateDecodingStrategy = .millisecondsSince1970 }),
        ("ISO 8601", { $0.dateDecodingStrategy = .iso8601 }),
        (
            "custom dates",
            { $0.dateDecodingStrategy = .custom { Date(timeIntervalSince1970: Double($0.codingPath.count)) } }
        ),
        ("deferred data", { $0.dataDecodingStrategy = .deferredToData }),
        (
            "custom data",
            { $0.dataDecodingStrategy = .custom { Data(try $0.singleValueContainer().decode(String.self).utf8) } }
        ),
        (
            "floats as text",
            {
                $0.nonConformingFloatDecodingStrategy = .convertFromString(
                    positiveInfinity: "+inf", negativeInfinity: "-inf", nan: "nan")
            }
        ),
    ]

    /// Returns the result: the value, or the kind of error and its path.
    private func outcome<Value: Decodable>(_ read: () throws -> Value) -> String {
        do {
            return "\(String(reflecting: try read()))"
        } catch let error as DecodingError {
            let (name, context): (String, DecodingError.Context) =
                switch error {
                case .typeMismatch(let type, let context): ("not \(type)", context)
                case .valueNotFound(let type, let context): ("no \(type)", context)
                case .keyNotFound(let key, let context): ("no member \(key.stringValue)", context)
                case .dataCorrupted(let context): ("corrupted", context)
                @unknown default: ("another", .init(codingPath: [], debugDescription: ""))
                }
            // Foundation omits the position of a number that doesn't fit, and reports the container of a date.
            if name == "corrupted" { return name }
            return name + " " + context.codingPath.map(\.stringValue).joined(separator: "/")
        } catch {
            return "\(error)"
        }
    }

    private func compare<Value: Decodable>(_ type: Value.Type) {
        for (name, configure) in Self.strategies {
            let coding = JSONCoding(makeEncoder: JSONCoding.standard.makeEncoder) {
                let decoder = JSONDecoder()
                configure(decoder)
                return decoder
            }
            for document in Self.documents {
                let ours = outcome { try coding.decode(type, from: Bytes(document.utf8)) }
                let theirs = outcome { try coding.makeDecoder().decode(type, from: Data(document.utf8)) }
                #expect(ours == theirs, "\(type), \(name): \(document)")
            }
        }
    }

    @Test func optionalMembersOfEveryType() { compare(Everything.self) }
    @Test func requiredMembers() { compare(Strict.self) }
    @Test func containersByHand() { compare(ByHand.self) }
    @Test func lists() {
        compare([Int].self)
        compare([String].self)
        compare([Double?].self)
        compare([Everything.Nested].self)
        compare([[[String]]].self)
    }
    @Test func scalars() {
        compare(Int.self)
        compare(String.self)
        compare(Bool.self)
        compare(Double?.self)
    }

    @Test func openValues() {
        for (name, configure) in Self.strategies where name != "floats as text" {
            for document in Self.documents where !document.contains("1e200") && !document.contains("1e-400") {
                let coding = JSONCoding(makeEncoder: JSONCoding.standard.makeEncoder) {
                    let decoder = JSONDecoder()
                    configure(decoder)
                    return decoder
                }
                let ours = outcome { try canonical(coding.decode(JSONValue.self, from: Bytes(document.utf8))) }
                let theirs = outcome {
                    try canonical(coding.makeDecoder().decode(JSONValue.self, from: Data(document.utf8)))
                }
                #expect(ours == theirs, "\(name): \(document)")
            }
        }
    }

    private func canonical(_ value: JSONValue) throws -> String {
        switch value {
        case .array(let elements): return "[" + (try elements.map(canonical).joined(separator: ",")) + "]"
        case .object(let members):
            return try members.sorted { $0.key < $1.key }.map { "\($0.key):\(try canonical($0.value))" }.joined(
                separator: ",")
        default: return "\(value)"
        }
    }

    @Test func theUserInfoAndThePathReachTheType() throws {
        struct Probe: Decodable {
            let text: String
            init(from decoder: any Decoder) throws {
                let info = CodingUserInfoKey(rawValue: "probe").flatMap { decoder.userInfo[$0] } ?? "none"
                text =
                    "\(info) "
                    + decoder.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/")
            }
        }
        let coding = JSONCoding(makeEncoder: JSONCoding.standard.makeEncoder) {
            let decoder = JSONDecoder()
            if let key = CodingUserInfoKey(rawValue: "probe") { decoder.userInfo[key] = "there" }
            return decoder
        }
        let value = try coding.decode([String: [Probe?]].self, from: Bytes(#"{"a":[null,{}]}"#.utf8))
        #expect(value["a"]?.last??.text == "there a/1")
    }

    /// Foundation doesn't check numbers that aren't decoded, and treats this zero as too small.
    @Test func readingIsStricterWhereFoundationIsNotRFC8259() throws {
        struct Empty: Decodable {}
        #expect(throws: DecodingError.self) {
            try JSONCoding.standard.decode(Empty.self, from: Bytes(#"{"a":01}"#.utf8))
        }
        #expect(try JSONCoding.standard.decode([Double].self, from: Bytes("[0e5]".utf8)) == [0])
    }

    /// A type may retain its decoder, which retains the document.
    @Test func aDecoderOutlivesTheReading() throws {
        struct Lazy: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) { self.decoder = decoder }
        }
        let kept = try JSONCoding.standard.decode([Lazy].self, from: Bytes(#"[{"a":"x"}]"#.utf8))
        #expect(try [String: String](from: kept[0].decoder) == ["a": "x"])
    }
}
