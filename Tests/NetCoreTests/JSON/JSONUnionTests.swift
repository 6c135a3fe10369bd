import Foundation
import Testing

@testable import NetCore

@Suite struct JSONUnionTests {
    private func decoder(_ text: String) throws -> JSONTreeDecoder {
        JSONTreeDecoder(
            JSONDecoding(try JSONDocument(Bytes(text.utf8)), JSONDecodingSettings(JSONDecoder())), 0)
    }

    @Test(
        arguments: [
            ("1", false, false), ("[]", false, false), ("[1,2]", false, false), ("[1,[]]", false, false),
            ("[1,[2]]", true, false),
            ("[{}]", false, false), (#"[{"a":1}]"#, true, false),
            ("{}", false, true), (#"{"a":1}"#, false, true), (#"{"a":[]}"#, false, true), (#"{"a":[1]}"#, true, true),
            (#"{"a":1,"b":{"c":2}}"#, true, true),
            (#""x""#, false, false),
        ] as [(String, Bool, Bool)])
    func aValueMayHoldOthers(_ text: String, _ holdsContainers: Bool, _ isObject: Bool) throws {
        let decoder = try decoder(text)
        #expect(decoder.holdsContainers == holdsContainers)
        #expect(decoder.isObject == isObject)
    }

    @Test func onlyTypesThatFitAreTried() throws {
        struct Own: Decodable {}
        let types: [any Decodable.Type] = [
            String.self, Int.self, Int64.self, Int32.self, Double.self, Bool.self, Own.self,
        ]
        for (text, fits) in [
            (#""x""#, [true, false, false, false, false, false, false]),
            ("1", [false, true, true, true, true, false, false]),
            ("1.5", [false, true, true, true, true, false, false]),
            ("true", [false, false, false, false, false, true, false]),
            ("false", [false, false, false, false, false, true, false]),
            ("{}", [false, false, false, false, false, false, true]),
            ("[]", [false, false, false, false, false, false, false]),
            ("null", [false, false, false, false, false, false, false]),
        ] {
            let decoder = try decoder(text)
            #expect(types.map { decoder.mayHold($0, isObject: true) } == fits, "\(text)")
            #expect(decoder.mayHold(Own.self, isObject: false))
        }
    }

    @Test func nestedUnionsAreDecodedOnce() throws {
        let decoder = try decoder("[1,2]")
        var reads = 0
        func read(_ types: [ObjectIdentifier]) throws -> Int? {
            try decoder.union(types) {
                reads += 1
                return reads
            }
        }
        #expect(try read([]) == 1)
        #expect(try read([]) == 2, "outside of another it isn't kept")
        let outer: String? = try decoder.union([]) {
            let found = [try read([]), try read([]), try read([ObjectIdentifier(Int.self)])]
            #expect(found == [3, 3, 4])
            return "x"
        }
        #expect(outer == "x")
        #expect(reads == 4)
        struct Odd: Error {}
        var failures = 0
        let _: String? = try decoder.union([ObjectIdentifier(String.self)]) {
            for _ in 0..<2 {
                #expect(throws: Odd.self) {
                    let _: Bool? = try decoder.union([]) {
                        failures += 1
                        throw Odd()
                    }
                }
            }
            return nil
        }
        #expect(failures == 1)
    }

    @Test func elementsOfEveryTypeAreReadOneByOne() throws {
        struct Row: Decodable {
            var texts: [String] = []
            init(from decoder: any Decoder) throws {
                var row = try decoder.unkeyedContainer()
                texts += [
                    "\(try row.decode(String.self))", "\(try row.decode(Double.self))", "\(try row.decode(Float.self))",
                ]
                texts += [
                    "\(try row.decode(Bool.self))", "\(try row.decode(Int8.self))", "\(try row.decode(Int16.self))",
                ]
                texts += [
                    "\(try row.decode(Int32.self))", "\(try row.decode(Int64.self))", "\(try row.decode(UInt.self))",
                ]
                texts += [
                    "\(try row.decode(UInt8.self))", "\(try row.decode(UInt16.self))", "\(try row.decode(UInt32.self))",
                ]
                texts += [
                    "\(try row.decode(UInt64.self))", "\(row.currentIndex)", "\(row.isAtEnd)", "\(try row.decodeNil())",
                ]
                texts += [
                    "\(try row.decodeNil())", "\(row.currentIndex)", "\(try row.decode(Int.self))", "\(row.isAtEnd)",
                ]
            }
        }
        let text = #"["a",1.5,2.5,true,1,2,3,4,5,6,7,8,9,null,10]"#
        let row = try JSONCoding.standard.decode(Row.self, from: Bytes(text.utf8))
        #expect(
            row.texts == [
                "a", "1.5", "2.5", "true", "1", "2", "3", "4", "5", "6", "7", "8", "9", "13", "false", "true", "false",
                "14",
                "10", "true",
            ])
        let short = #expect(throws: DecodingError.self) {
            try JSONCoding.standard.decode(Row.self, from: Bytes(#"["a"]"#.utf8))
        }
        guard case .valueNotFound(_, let context)? = short else {
            Issue.record("\(String(describing: short))")
            return
        }
        #expect(context.codingPath.map(\.intValue) == [1])
        #expect(context.debugDescription == "the array has no more elements")
    }

    @Test func openValuesAreReadByTheirKind() throws {
        let all: [JSONValue] = [
            nil, true, 1, .unsigned(2), 3.5, .number(4), .decimal(5.5), "x", [6], ["a": 7], .unsigned(.max),
            .number(1e30),
        ]
        try #require(all.map(\.intValue) == [nil, nil, 1, 2, nil, 4, nil, nil, nil, nil, nil, nil])
        #expect(all.map(\.doubleValue) == [nil, nil, 1, 2, 3.5, 4, 5.5, nil, nil, nil, Double(UInt64.max), 1e30])
        try #require(all.map(\.isNull) == [true] + Array(repeating: false, count: 11))
        #expect(all[1].boolValue == true)
        #expect(all[0].boolValue == nil)
        #expect(all[7].stringValue == "x")
        #expect(all[8].arrayValue == [6])
        #expect(all[9].objectValue == ["a": 7])
        #expect(all[8].objectValue == nil)
        #expect(all[8][0] == 6)
        #expect(all[8][1] == nil)
        #expect(all[8][-1] == nil)
        #expect(all[9]["a"] == 7)
        #expect(all[9]["b"] == nil)
        #expect(all[9][0] == nil)
        #expect(JSONValue(dictionaryLiteral: ("a", 1), ("a", 2)) == ["a": 2])
        #expect(JSONKey("a").intValue == nil)
        #expect(JSONKey(intValue: 1) == nil)
        #expect(JSONIndexKey(3).stringValue == "Index 3")
        #expect(JSONIndexKey(intValue: 3)?.intValue == 3)
        #expect(JSONIndexKey(stringValue: "3") == nil)
    }

    @Test func otherDecodersAreAskedForEachKind() throws {
        let text = #"{"a":[null,true,1,18446744073709551615,1.5,"x",{}],"b":1.00000000000000000001}"#
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(value["a"] == [nil, true, 1, .unsigned(.max), 1.5, "x", [:]])
        guard case .decimal? = value["b"] else {
            Issue.record("\(value)")
            return
        }
    }
}
