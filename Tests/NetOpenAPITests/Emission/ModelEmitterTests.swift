import Foundation
import NetOpenAPI
@_spi(Generated) import NetOpenAPIRuntime
import Testing

@Suite struct ModelEmitterTests {
    @Test func requiredOptionalAndNullableMembersDiffer() throws {
        let code = try GeneratedCode(
            schemas: """
                Pet:
                  type: object
                  required: [a, b]
                  properties:
                    a: {type: string}
                    b: {type: [string, 'null']}
                    c: {type: string}
                    d: {type: [string, 'null']}
                """)
        #expect(code.contains("public var a: String\n"))
        #expect(code.contains("public var b: String?\n"))
        #expect(code.contains("public var c: String?\n"))
        #expect(code.contains("public init(a: String, b: String?, c: String? = nil, d: String? = nil)"))
    }

    @Test func requestModelsDistinguishAbsentFromNull() throws {
        let code = try GeneratedCode(
            """
            paths:
              /x:
                patch:
                  operationId: op
                  requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Change'}}}}
            components:
              schemas:
                Change:
                  type: object
                  required: [b]
                  properties: {a: {type: string, nullable: true}, b: {type: string, nullable: true}}
            """)
        #expect(code.contains("public var a: Nullable<String>?"))
        #expect(code.contains("visitor.members(undeclared: undeclared, (\"a\", a), (\"b\", Nullable(b)))"))
        #expect(code.contains("try self.init(b: members.required(\"b\"), a: members.nullable(\"a\"))"))
    }

    @Test func formatsHaveTheirTypes() throws {
        let code = try GeneratedCode(
            schemas: """
                All:
                  type: object
                  properties:
                    a: {type: string, format: date-time}
                    b: {type: string, format: date}
                    c: {type: string, format: uuid}
                    d: {type: string, format: uri}
                    e: {type: string, format: byte}
                    f: {type: integer, format: int32}
                    g: {type: integer, format: int64}
                    h: {type: integer}
                    i: {type: number, format: float}
                    j: {type: number}
                    k: {}
                    l: {type: object, additionalProperties: {type: integer}}
                    m: {type: array, items: {type: boolean}}
                """)
        let types = [
            "a: Date", "b: CalendarDate", "c: UUID", "d: URL", "e: Data", "f: Int32", "g: Int64", "h: Int", "i: Double",
            "j: Double", "k: JSONValue", "l: [String: Int]", "m: [Bool]",
        ]
        for type in types { #expect(code.contains("public var \(type)?\n"), "\(type)") }
    }

    @Test func aWholeNumberHasRoomForWhatTheDocumentShows() throws {
        let code = try GeneratedCode(
            schemas: """
                A:
                  type: object
                  properties:
                    a: {type: integer, example: 9223372036854775807}
                    b: {type: integer, default: 9223372036854776000, minimum: 0}
                    c: {type: integer, examples: [1, 9223372036854776000]}
                    d: {type: integer, maximum: 9223372036854776000}
                """)
        #expect(code.contains("var a: Int?"))
        #expect(code.contains("var d: Int?"))
        #expect(code.contains("var b: UInt64?"))
        #expect(code.contains("var c: Decimal?"))
    }

    @Test func anEnumerationKeepsUnknownValues() throws {
        let code = try GeneratedCode(schemas: "Color: {type: string, enum: [red, '1st', '', unknown, default]}")
        #expect(code.contains("public enum Color: OpenEnum"))
        #expect(code.contains("case red, value1st, empty, unknownValue2, `default`\n    case unknown(String)\n"))
        #expect(code.contains("let knownValues: [String] = [\"red\", \"1st\", \"\", \"unknown\", \"default\"]"))
    }

    @Test func wholeNumbersMakeAnEnumerationToo() throws {
        let code = try GeneratedCode(schemas: "Level: {type: integer, enum: [-1, 0, 1]}")
        #expect(code.contains("case minus1, value0, value1\n    case unknown(Int64)\n"))
        #expect(code.contains("let knownValues: [Int64] = [-1, 0, 1]"))
    }

    @Test func allOfIsOneStruct() throws {
        let code = try GeneratedCode(
            schemas: """
                Base: {type: object, required: [id], properties: {id: {type: integer}}}
                Pet: {allOf: [{$ref: '#/components/schemas/Base'}, {type: object, properties: {name: {type: string}}}]}
                Same: {allOf: [{$ref: '#/components/schemas/Base'}], description: The base.}
                """)
        #expect(code.contains("public init(id: Int, name: String? = nil)"))
        #expect(code.contains("typealias Same = Base"))
    }

    @Test func aUnionWithADiscriminatorReadsAndForcesIt() throws {
        let code = try GeneratedCode(
            schemas: """
                Cat: {type: object, properties: {kind: {type: string}}}
                Dog: {type: object, properties: {kind: {type: string}}}
                Pet:
                  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
                  discriminator: {propertyName: kind, mapping: {kitty: Cat, tiger: Cat}}
                """)
        #expect(code.contains("case \"kitty\": self = try .kitty(Cat(from: decoder))"))
        #expect(code.contains("case \"tiger\": self = try .tiger(Cat(from: decoder))"))
        #expect(code.contains("case \"Dog\": self = try .dog(Dog(from: decoder))"))
        #expect(code.contains("case .dog(let value): try encoder.encode(value, discriminator: \"kind\", \"Dog\")"))
        #expect(code.contains("default: self = try .unknown(JSONValue(from: decoder))"))
    }

    @Test func aUnionInsideAUnionIsFoundByWhatItsMembersKnow() throws {
        let code = try GeneratedCode(
            schemas: """
                Cat: {type: object, properties: {kind: {type: string}, lives: {type: integer}}}
                Dog: {type: object, properties: {kind: {type: string}, tail: {type: string}}}
                Pet:
                  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
                  discriminator: {propertyName: kind}
                Tag: {type: object, properties: {name: {type: string}}}
                Either: {oneOf: [{$ref: '#/components/schemas/Pet'}, {$ref: '#/components/schemas/Tag'}]}
                """)
        #expect(code.contains("union.consider(Pet.self, keys: [\"kind\", \"lives\", \"tail\"]) { .pet($0) }"))
    }

    @Test func aUnionWithNullIsAnOptional() throws {
        let code = try GeneratedCode(
            schemas: """
                A: {type: object, properties: {x: {type: string}}}
                B: {type: object, properties: {a: {anyOf: [{$ref: '#/components/schemas/A'}, {type: 'null'}]}}}
                """)
        #expect(code.contains("public var a: A?\n"))
    }

    @Test func severalTypesMakeAUnion() throws {
        let code = try GeneratedCode(schemas: "V: {type: [string, integer, 'null']}")
        #expect(code.contains("case integer(Int)\n    case string(String)\n\n"))
        #expect(code.contains("self = try union.match()"))
    }

    @Test func valuesOfTheirOwnKindAreBoxed() throws {
        let code = try GeneratedCode(
            schemas: """
                Node: {type: object, properties: {next: {$ref: '#/components/schemas/Node'}, all: {type: array, items: {$ref: '#/components/schemas/Node'}}}}
                Tree: {oneOf: [{type: string}, {$ref: '#/components/schemas/Branch'}]}
                Branch: {type: object, required: [left], properties: {left: {$ref: '#/components/schemas/Tree'}}}
                Self: {type: array, items: {$ref: '#/components/schemas/Self'}}
                """)
        #expect(code.contains("public var next: Node? {\n        get { _next.wrappedValue }"))
        #expect(code.contains("private var _next: Boxed<Node?>"))
        #expect(code.contains("self._next = Boxed(wrappedValue: next)"))
        #expect(code.contains("\n    public var all: [Node]?"))
        #expect(code.contains("public indirect enum Tree"))
        #expect(code.contains("typealias SelfModel = JSONValue"))
        #expect(code.warnings.contains { $0.contains("'Self' consists only of itself") })
    }

    @Test func aUnionThatIsOneOfItsKindsMeansTheOthers() throws {
        let code = try GeneratedCode(
            schemas: """
                Self: {anyOf: [{$ref: '#/components/schemas/Self'}, {type: string}, {type: integer}]}
                A: {oneOf: [{$ref: '#/components/schemas/B'}, {type: string}, {type: boolean}]}
                B: {anyOf: [{$ref: '#/components/schemas/A'}, {type: integer}]}
                Nothing: {oneOf: [{$ref: '#/components/schemas/Nothing'}, {$ref: '#/components/schemas/Nothing'}]}
                """)
        #expect(!code.contains("indirect"))
        for name in ["SelfModel", "A", "B"] {
            let text = try #require(code.text.components(separatedBy: "enum \(name):").dropFirst().first)
            let cases = text.components(separatedBy: "public init").first ?? ""
            #expect(cases.contains("(String)"), "\(cases)")
            #expect(cases.contains("(Int)"), "\(cases)")
            #expect(cases.contains("(Bool)") == (name != "SelfModel"))
        }
        #expect(code.contains("typealias Nothing = JSONValue"))
        #expect(code.warnings.contains { $0.hasPrefix("the union 'Self' is one of its own kinds") })
    }

    @Test func namedAndOtherMembersLiveSideBySide() throws {
        let code = try GeneratedCode(
            schemas: """
                Mix: {type: object, properties: {a: {type: string}}, additionalProperties: {type: integer}}
                """)
        #expect(code.contains("public var additionalProperties: [String: Int]"))
        #expect(code.contains("visitor.others(additionalProperties, besides: [\"a\"])"))
        #expect(code.contains("additionalProperties: members.others()"))
    }

    @Test func aNullIsKeptBesideADictionary() throws {
        let code = try GeneratedCode(
            schemas: "Mix: {type: object, properties: {a: {type: string}}, additionalProperties: true}")
        #expect(code.contains("self.undeclared = members.undeclared()"))
        #expect(code.contains("visitor.members(undeclared: undeclared, (\"a\", a))"))
    }

    @Test func undeclaredMembersAreKeptUnlessThereIsADictionary() throws {
        let code = try GeneratedCode(
            schemas: """
                Plain: {type: object, properties: {undeclared: {type: string}}}
                Mix: {type: object, required: [a], properties: {a: {type: string}}, additionalProperties: true}
                """)
        #expect(code.contains("private var undeclaredMembers = UndeclaredMembers()"))
        #expect(code.contains("self.undeclaredMembers = members.undeclared()"))
        #expect(code.text.split(separator: "UndeclaredMembers()").count == 2)
    }

    @Test func aMemberThatHoldsMuchIsStoredOutside() throws {
        let members = (0..<20).map { "p\($0): {type: string}" }.joined(separator: ", ")
        let code = try GeneratedCode(
            schemas: """
                Large: {type: object, properties: {\(members)}}
                Small: {type: object, properties: {a: {type: string}, n: {type: integer}}}
                Both:
                  type: object
                  required: [large]
                  properties:
                    large: {$ref: '#/components/schemas/Large'}
                    small: {$ref: '#/components/schemas/Small'}
                    list: {type: array, items: {$ref: '#/components/schemas/Large'}}
                """)
        #expect(code.contains("private var _large: Boxed<Large>\n"))
        #expect(code.contains("    public var small: Small?\n"))
        #expect(code.contains("    public var list: [Large]?\n"))
    }

    @Test func namesThatMeanSomethingElseAreChanged() throws {
        let code = try GeneratedCode(
            schemas: """
                Error: {type: object, properties: {self: {type: string}, class: {type: string}, a-b: {type: string}, a_b: {type: string}}}
                Data: {type: string}
                pet: {type: object, properties: {x: {type: string}}}
                Pet: {type: object, properties: {x: {type: string}}}
                """)
        #expect(code.contains("struct ErrorModel:"))
        #expect(code.contains("var selfValue: String?"))
        #expect(code.contains("var `class`: String?"))
        #expect(code.contains("aB: members.optional(\"a-b\")"))
        #expect(code.contains("aB2: members.optional(\"a_b\")"))
        #expect(code.contains("typealias DataModel = String"))
        #expect(code.contains("struct Pet:"))
        #expect(code.contains("struct PetModel:"))
    }

    @Test func invalidSchemasBecomeJSONValuesWithWarnings() throws {
        let code = try GeneratedCode(
            schemas: """
                A: {type: object, properties: {x: {type: banana}, y: {$ref: '#/components/schemas/Missing'}}}
                """)
        #expect(code.contains("var x: JSONValue?"))
        #expect(code.contains("var y: JSONValue?"))
        #expect(code.warnings.count == 2)
    }

    @Test func aDynamicReferenceIsTheAnchorAroundItOrTheOnlyOne() throws {
        let code = try GeneratedCode(
            schemas: """
                Tree: {$dynamicAnchor: node, type: object, properties: {next: {$dynamicRef: '#node'}}}
                Twig: {$dynamicAnchor: node, type: object, properties: {ends: {type: array, items: {$dynamicRef: '#node'}}}}
                Page: {type: object, properties: {item: {$dynamicRef: '#item'}}, $defs: {item: {$dynamicAnchor: item, not: {}}}}
                Leaf: {type: object, properties: {sole: {$dynamicRef: '#only'}, lost: {$dynamicRef: '#lost'}}}
                Only: {$dynamicAnchor: only, type: object, properties: {x: {type: string}}}
                Other: {type: object, properties: {which: {$dynamicRef: '#node'}, plain: {$dynamicRef: '#/components/schemas/Only'}}}
                """)
        for member in [
            "var next: Tree?", "var ends: [Twig]?", "var item: JSONValue?", "var sole: Only?", "var lost: JSONValue?",
            "var which: JSONValue?", "var plain: Only?",
        ] {
            #expect(code.contains(member), "\(member)")
        }
        #expect(code.warnings.count == 3, "one of them about 'not'")
        #expect(code.diagnostics.contains { $0.message.contains("placeholder") })
    }

    @Test func allOfWithoutConstraintsAcceptsAnyValue() throws {
        let code = try GeneratedCode(
            schemas: """
                Bag: {type: object, additionalProperties: {allOf: [{}, {description: any}]}}
                Box: {type: object, properties: {x: {allOf: [{description: one}, {description: two}], title: T}}}
                Map: {allOf: [{type: object}, {description: open}]}
                """)
        #expect(code.contains("typealias Bag = [String: JSONValue]"))
        #expect(code.contains("var x: JSONValue?"))
        #expect(code.contains("typealias Map = [String: JSONValue]"))
    }

    @Test func inheritedNestedTypesAreDeclaredOnce() throws {
        let code = try GeneratedCode(
            schemas: """
                Base: {type: object, properties: {owner: {type: object, properties: {name: {type: string}}}}}
                Cat: {allOf: [{$ref: '#/components/schemas/Base'}, {type: object, properties: {a: {type: string}}}]}
                Dog: {allOf: [{$ref: '#/components/schemas/Base'}, {type: object, properties: {b: {type: string}}}]}
                """)
        #expect(code.text.split(separator: "struct Owner").count == 2)
        #expect(code.text.split(separator: "public var owner: Base.Owner?").count == 4)
    }

    @Test func longObjectsAreReadAndWrittenInPieces() throws {
        let members = (0..<30).map { "p\($0): {type: string}" }.joined(separator: ", ")
        let code = try GeneratedCode(schemas: "Long: {type: object, properties: {\(members)}}")
        #expect(code.contains("self.p29 = members.optional(\"p29\")"))
        #expect(code.text.split(separator: "visitor.members(").count == 3)
    }

    @Test func aBaseWithADiscriminatorIsOneOfThoseThatExtendIt() throws {
        let code = try GeneratedCode(
            schemas: """
                Shape: {type: object, required: [kind], discriminator: {propertyName: kind, mapping: {round: '#/components/schemas/Circle'}}, properties: {kind: {type: string}}}
                Circle: {allOf: [{$ref: '#/components/schemas/Shape'}, {type: object, properties: {radius: {type: number}}}]}
                Dot: {allOf: [{$ref: '#/components/schemas/Shape'}]}
                """)
        #expect(code.contains("public enum Shape: Codable, Hashable, Sendable"))
        #expect(code.contains("case \"round\": self = try .circle(Circle(from: decoder))"))
        #expect(code.contains("case \"Dot\": self = try .dot(Dot(from: decoder))"))
        #expect(code.contains("default: self = try .unknown(decoder.unlisted(discriminator: \"kind\"))"))
        #expect(code.contains("public init(kind: String, radius: Double? = nil)"))
    }

    @Test(arguments: [
        ("{type: string, format: date}", "public import NetOpenAPIRuntime"),
        ("{type: string, format: date-time}", "public import FoundationEssentials"),
    ])
    func anAliasNeedsTheImportOfWhatItIs(_ alias: String, _ expected: String) throws {
        let text = """
            openapi: 3.1.0
            info: {title: T, version: '1'}
            components: {schemas: {Alias: \(alias), User: {type: object, properties: {a: {$ref: '#/components/schemas/Alias'}}}}}
            """
        let document = try DocumentLoader().load(bytes: Array(text.utf8), name: "doc.yaml")
        let files = Generator(configuration: .init(chunkCount: 64)).generate(document: document).files
        let user = try #require(files.first { $0.contents.contains("struct User:") })
        #expect(user.contents.contains(expected), "\(user.contents)")
    }

    @Test func listsWithPlacesAndValuesOfMixedKindsAreUnions() throws {
        let code = try GeneratedCode(
            schemas: """
                Pair: {type: array, prefixItems: [{type: string}, {type: integer}], items: false}
                Ones: {type: array, prefixItems: [{type: string}], items: {type: string}}
                Mixed: {enum: [a, 1, true]}
                """)
        #expect(code.contains("public typealias Pair = [PairItem]"))
        #expect(code.contains("public enum PairItem:"))
        #expect(code.contains("case integer(Int)\n    case string(String)"))
        #expect(code.contains("public typealias Ones = [String]"))
        #expect(code.contains("case boolean(Bool)\n    case number(Double)\n    case string(String)"))
        #expect(code.warnings == [])
    }

    @Test func aLargeUnionIsStoredOutside() throws {
        let members = (0..<20).map { "p\($0): {type: string}" }.joined(separator: ", ")
        let code = try GeneratedCode(
            schemas: """
                Large: {type: object, properties: {\(members)}}
                Any: {oneOf: [{$ref: '#/components/schemas/Large'}, {type: string}]}
                Few: {oneOf: [{type: string}, {type: integer}]}
                """)
        #expect(code.contains("public indirect enum AnyModel"))
        #expect(code.contains("public enum Few"))
    }

    @Test func aComponentThatIsFreeFormIsCountedAndTold() throws {
        let text = """
            openapi: 3.1.0
            info: {title: T, version: '1'}
            components: {schemas: {Odd: {enum: [[a], {b: 1}]}, Open: {}, Any: {description: Anything.}, Text: {type: string}}}
            """
        let document = try DocumentLoader().load(bytes: Array(text.utf8), name: "doc.yaml")
        let result = Generator().generate(document: document)
        #expect(result.statistics.schemasFound == 4)
        #expect(result.statistics.schemasSkipped == 1)
        #expect(result.diagnostics.contains { $0.message == "the schema 'Odd' is free-form JSON" })
    }
}
