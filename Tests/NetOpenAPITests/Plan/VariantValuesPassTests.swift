import NetOpenAPI
import NetOpenAPIRuntime
import Testing

@Suite struct VariantValuesPassTests {
    @Test func theKindsOfAUnionShareTheValuesThatEachFixes() throws {
        let code = try GeneratedCode(
            schemas: """
                Problem:
                  anyOf:
                    - {title: Missing, properties: {issue: {type: string, enum: [MISSING]}, count: {type: integer}}}
                    - {title: Too long, properties: {issue: {type: string, enum: [TOO_LONG]}}}
                    - {title: Too short, properties: {issue: {const: TOO_SHORT}}}
                    - {title: Missing too, properties: {issue: {type: string, enum: [MISSING]}, at: {type: string}}}
                """)
        #expect(code.text.ranges(of: ": OpenEnum").count == 1)
        #expect(code.contains("case missing, tooLong, tooShort\n"))
        #expect(code.text.ranges(of: "public var issue: Problem.Issue?").count == 4)
        #expect(code.contains("fixed: [\"issue\": [\"TOO_LONG\"]]"))
    }

    @Test func unionsInUnionsEachHaveTheirOwn() throws {
        let code = try GeneratedCode(
            schemas: """
                Outer:
                  oneOf:
                    - title: First
                      properties: {object: {enum: [thing]}, inner: {$ref: '#/components/schemas/Inner'}}
                    - {title: Second, properties: {object: {enum: [thing]}}}
                Inner:
                  oneOf:
                    - {title: Left, properties: {object: {enum: [thing]}}}
                    - {title: Right, properties: {object: {enum: [thing]}, b: {type: integer}}}
                """)
        #expect(code.text.ranges(of: ": OpenEnum").count == 2)
        #expect(code.text.ranges(of: "var object: Outer.Object?").count == 2)
        #expect(code.text.ranges(of: "var object: Inner.Object?").count == 2)
    }

    @Test func oneThatSeveralKindsInheritStays() throws {
        let code = try GeneratedCode(
            schemas: """
                Either:
                  properties: {object: {enum: [thing]}, of: {type: string}}
                  oneOf: [{required: [of]}, {title: A, properties: {a: {type: string}}}, {title: B, properties: {b: {type: string}}}]
                """)
        #expect(code.text.ranges(of: ": OpenEnum").count == 1)
        #expect(code.contains("var object: Either.Object?"))
        #expect(!code.contains("var object: \n"))
    }

    @Test func multivaluedOrSharedEnumsKeepTheirOwnTypes() throws {
        let code = try GeneratedCode(
            schemas: """
                Kind: {type: string, enum: [kind]}
                Base: {type: object, properties: {version: {type: string, enum: [one]}}}
                Either:
                  oneOf:
                    - {title: A, properties: {state: {type: string, enum: [near, far]}, kind: {$ref: '#/components/schemas/Kind'}}}
                    - {title: B, properties: {state: {type: string, enum: [big]}, kind: {$ref: '#/components/schemas/Kind'}}}
                    - {title: C, allOf: [{$ref: '#/components/schemas/Base'}], properties: {c: {type: integer}}}
                    - {title: D, properties: {version: {type: string, enum: [two]}}}
                """)
        for cases in ["case kind\n", "case one\n", "case near, far\n", "case big\n", "case two\n"] {
            #expect(code.contains(cases), "\(cases)")
        }
    }
}
