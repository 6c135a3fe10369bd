#if Server
import NetCore
import Testing

@testable import NetTestOpenAPI

@Suite(.timeLimit(.minutes(1)))
struct SchemaCheckTests {
    /// A schema, values it accepts, and values it rejects with the keyword that gives the reason.
    struct Row: Sendable, CustomStringConvertible {
        var schema: String
        var good: [String]
        var bad: [(String, String)]
        var description: String { schema }
    }

    static let rows: [Row] = [
        Row(schema: #"{"type": "integer"}"#, good: ["1", "1.0", "-7"], bad: [("1.5", "type"), (#""1""#, "type")]),
        Row(schema: #"{"type": ["string", "null"]}"#, good: ["null", #""a""#], bad: [("1", "type")]),
        Row(
            schema: #"{"enum": [1, "a", null, {"b": 2.0}]}"#, good: ["1.0", "null", #"{"b": 2}"#], bad: [("2", "enum")]),
        Row(schema: #"{"const": [1, {"a": 0}]}"#, good: [#"[1, {"a": 0.0}]"#], bad: [("[1]", "const")]),
        Row(
            schema: #"{"minimum": 1, "exclusiveMaximum": 3}"#, good: ["1", "2.9", #""x""#],
            bad: [("0.9", "minimum"), ("3", "exclusiveMaximum")]),
        Row(schema: #"{"minimum": 1, "exclusiveMinimum": true}"#, good: ["1.1"], bad: [("1", "exclusiveMinimum")]),
        Row(schema: #"{"multipleOf": 0.01}"#, good: ["19.99", "4.35"], bad: [("0.001", "multipleOf")]),
        Row(
            schema: #"{"minLength": 2, "maxLength": 3}"#, good: [#""👩‍👩""#, "7"],
            bad: [(#""a""#, "minLength"), (#""abcd""#, "maxLength")]),
        Row(schema: #"{"pattern": "^a+$"}"#, good: [#""aaa""#], bad: [(#""aab""#, "pattern")]),
        Row(
            schema: #"{"format": "date-time"}"#, good: [#""2026-01-31T12:00:00.5+01:00""#, "1"],
            bad: [(#""2026-01-31""#, "format"), (#""2026-13-31T12:00:00Z""#, "format")]),
        Row(schema: #"{"format": "int32"}"#, good: ["2147483647"], bad: [("2147483648", "format")]),
        Row(schema: #"{"format": "int8"}"#, good: ["-128"], bad: [("128", "format")]),
        Row(schema: #"{"format": "uint8"}"#, good: ["0", "255"], bad: [("256", "format"), ("-1", "format")]),
        Row(
            schema: #"{"format": "uint64"}"#, good: ["9223372036854775808"],
            bad: [("-1", "format"), ("18446744073709551616", "format")]),
        Row(schema: #"{"type": "integer"}"#, good: ["18446744073709551616", "-1e3"], bad: [("0.5", "type")]),
        Row(schema: #"{"format": "int64"}"#, good: ["9223372036854775807"], bad: [("9223372036854775808", "format")]),
        Row(
            schema: #"{"format": "ipv6"}"#, good: [#""::1""#, #""2001:db8::1""#, #""::ffff:1.2.3.4""#, #""::""#],
            bad: [(#""1::2::3""#, "format"), (#""12345::""#, "format"), (#""1:2:3""#, "format")]),
        Row(
            schema: #"{"items": {"type": "string"}, "prefixItems": [{"type": "integer"}]}"#,
            good: [#"[1, "a"]"#, "[]"],
            bad: [(#"["a"]"#, "type at /0"), ("[1, 2]", "type at /1")]),
        Row(
            schema: #"{"uniqueItems": true, "maxItems": 2}"#, good: ["[1, 2]"],
            bad: [("[1, 1.0]", "uniqueItems"), ("[1, 2, 3]", "maxItems")]),
        Row(
            schema: #"{"contains": {"type": "integer"}, "maxContains": 1}"#, good: [#"[1, "a"]"#],
            bad: [("[]", "contains"), ("[1, 2]", "maxContains")]),
        Row(
            schema: #"{"required": ["a"], "properties": {"a": {"type": "integer"}}, "additionalProperties": false}"#,
            good: [#"{"a": 1}"#, "7"],
            bad: [
                ("{}", "required"), (#"{"a": 1, "b": 2}"#, "additionalProperties at /b"), (#"{"a": ""}"#, "type at /a"),
            ]),
        Row(
            schema: #"{"patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": {"type": "string"}}"#,
            good: [#"{"x-a": 1, "b": "c"}"#], bad: [(#"{"x-a": "1"}"#, "type at /x-a"), (#"{"b": 1}"#, "type at /b")]),
        Row(
            schema: #"{"propertyNames": {"maxLength": 2}, "minProperties": 1, "maxProperties": 2}"#,
            good: [#"{"ab": 1}"#],
            bad: [(#"{"abc": 1}"#, "propertyNames at /abc"), ("{}", "minProperties")]),
        Row(
            schema: #"{"dependentRequired": {"a": ["b"]}}"#, good: [#"{"a": 1, "b": 2}"#, "{}"],
            bad: [(#"{"a": 1}"#, "dependentRequired")]),
        Row(
            schema: #"{"allOf": [{"minimum": 1}, {"maximum": 3}]}"#, good: ["2"],
            bad: [("4", "maximum"), ("0", "minimum")]),
        Row(
            schema: #"{"anyOf": [{"type": "string"}, {"minimum": 5, "type": "integer"}]}"#, good: ["5", #""a""#],
            bad: [("4", "minimum"), ("true", "anyOf")]),
        Row(
            schema: #"{"oneOf": [{"multipleOf": 2}, {"multipleOf": 3}]}"#, good: ["2", "9"],
            bad: [("6", "oneOf"), ("5", "oneOf")]),
        Row(schema: #"{"not": {"type": "string"}}"#, good: ["1"], bad: [(#""a""#, "not")]),
        Row(
            schema: #"{"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}"#,
            good: [#"{"a": 1, "b": 1}"#, #"{"c": 1}"#], bad: [(#"{"a": 1}"#, "required"), ("{}", "required")]),
        Row(
            schema: #"{"allOf": [{"properties": {"a": {}}}], "properties": {"b": {}}, "unevaluatedProperties": false}"#,
            good: [#"{"a": 1, "b": 2}"#], bad: [(#"{"c": 1}"#, "unevaluatedProperties at /c")]),
        Row(schema: #"{"prefixItems": [{}], "unevaluatedItems": false}"#, good: ["[1]"], bad: [("[1, 2]", "2 at /1")]),
        Row(schema: "false", good: [], bad: [("1", "Value")]),
        Row(schema: "true", good: ["1", "null"], bad: []),
    ]

    @Test(arguments: rows)
    func aSchemaAcceptsAndRefuses(_ row: Row) throws {
        let validator = try TestDocuments.schema(row.schema)
        for value in row.good { #expect(try validator.broken(value) == [], "\(value)") }
        for (value, keyword) in row.bad {
            let broken = try validator.broken(value)
            if keyword == "2 at /1" { #expect(broken.count == 1) } else { #expect(broken == [keyword], "\(value)") }
        }
    }

    @Test func nullableAcceptsNullEvenBesideAReference() throws {
        let validator = try TestDocuments.components(
            ##""Value": {"properties": {"a": {"$ref": "#/components/schemas/T", "nullable": true}}}, "T": {"type": "string"}"##,
            version: "3.0.3")
        #expect(try validator.broken(#"{"a": null}"#) == [])
        #expect(try validator.broken(#"{"a": 1}"#) == ["type at /a"])
    }

    @Test func keywordsBesideAReferenceCountSince31() throws {
        let schemas = ##""Value": {"$ref": "#/components/schemas/T", "maxLength": 1}, "T": {"type": "string"}"##
        #expect(try TestDocuments.components(schemas, version: "3.0.3").broken(#""ab""#) == [])
        #expect(try TestDocuments.components(schemas, version: "3.1.0").broken(#""ab""#) == ["maxLength"])
    }

    @Test func readOnlyAndWriteOnlyPropertiesAreRequiredOneWayOnly() throws {
        let validator = try TestDocuments.schema(
            #"{"required": ["id", "word"], "properties": {"id": {"readOnly": true}, "word": {"writeOnly": true}}}"#)
        #expect(try validator.broken(#"{"word": 1}"#, isRequest: true) == [])
        #expect(try validator.broken(#"{"id": 1}"#, isRequest: true) == ["required"])
        #expect(try validator.broken(#"{"id": 1}"#) == [])
        #expect(try validator.broken(#"{"word": 1}"#) == ["required"])
    }

    @Test func theDiscriminatorChoosesTheKindThatIsChecked() throws {
        let validator = try TestDocuments.components(
            """
            "Value": {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
                "discriminator": {"propertyName": "kind", "mapping": {"meow": "#/components/schemas/Cat", "d": "Dog"}}},
            "Cat": {"required": ["lives"], "properties": {"lives": {"type": "integer"}}},
            "Dog": {"properties": {"lives": {"type": "string"}}}
            """)
        #expect(try validator.broken(#"{"kind": "meow", "lives": 9}"#) == [])
        #expect(try validator.broken(#"{"kind": "meow"}"#) == ["required"])
        #expect(try validator.broken(#"{"kind": "Dog", "lives": 9}"#) == ["type at /lives"])
        #expect(try validator.broken(#"{"kind": "d", "lives": "x"}"#) == [])
    }

    @Test func aBaseIsNotCheckedAsThoseThatExtendIt() throws {
        let validator = try TestDocuments.components(
            """
            "Value": {"required": ["kind"], "discriminator": {"propertyName": "kind", "mapping": {"cat": "Cat"}}},
            "Cat": {"allOf": [{"$ref": "#/components/schemas/Value"}, {"required": ["lives"]}]}
            """)
        #expect(try validator.broken(#"{"kind": "cat"}"#) == [])
        #expect(try validator.broken("{}") == ["required"])
        #expect(validator.findings(in: ["kind": "cat"], component: "Cat")?.count == 1)
    }

    @Test func recursiveSchemasAndCirclesOfReferencesEnd() throws {
        let validator = try TestDocuments.components(
            """
            "Value": {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Value"}}},
            "A": {"$ref": "#/components/schemas/B"}, "B": {"allOf": [{"$ref": "#/components/schemas/A"}]}
            """)
        #expect(try validator.broken(#"{"next": {"next": {"next": 1}}}"#) == ["type at /next/next/next"])
        #expect(validator.findings(in: .integer(1), component: "A") == [])
    }

    @Test(arguments: ["anyOf", "oneOf", "allOf"])
    func schemasWithinSchemasCostNoMoreThanTheirPairs(_ keyword: String) throws {
        // Each level refers to the next one twice: 2^60 paths.
        let levels = (0..<60).map { level in
            let next = "{\"$ref\": \"#/components/schemas/L\(level + 1)\"}"
            return "\"L\(level)\": {\"\(keyword)\": [\(next), \(next)]}"
        }
        let validator = try TestDocuments.components(
            levels.joined(separator: ",")
                + ##", "L60": {"type": "string"}, "Value": {"$ref": "#/components/schemas/L0"}"##)
        #expect(try validator.broken("1") == [keyword == "allOf" ? "type" : keyword])
        // If two kinds are equal, both match.
        #expect(try validator.broken(#""a""#) == (keyword == "oneOf" ? ["oneOf"] : []))
    }

    @Test func secretsAreNotShown() throws {
        let validator = try TestDocuments.schema(
            #"{"properties": {"password": {"enum": ["a"]}, "keys": {"properties": {"token": {"type": "integer"}}}, "name": {"enum": ["a"]}}}"#
        )
        let value = try JSONValue.parsed(#"{"password": "PLANTED", "keys": {"token": "PLANTED"}, "name": "visible"}"#)
        let shown = "\(validator.findings(in: value, component: "Value") ?? [])"
        #expect(!shown.contains("PLANTED"))
        #expect(shown.contains("visible"))
        #expect(shown.contains("/password"))
        #expect(shown.contains("/keys/token"))
    }

    @Test func aReferenceToNothingIsToldAndAcceptsAll() throws {
        let validator = try TestDocuments.schema(##"{"$ref": "#/components/schemas/None"}"##)
        #expect(validator.problems.count == 1)
        #expect(try validator.broken("1") == [])
    }
}
#endif
