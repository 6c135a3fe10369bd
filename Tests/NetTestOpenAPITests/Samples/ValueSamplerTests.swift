#if Server
import NetCore
import NetOpenAPI
import Testing

@testable import NetTestOpenAPI

@Suite(.timeLimit(.minutes(1)))
struct ValueSamplerTests {
    @Test(arguments: [
        #"{"type": "string", "pattern": "^[A-Z]{3}-\\d{2,}$", "minLength": 8}"#,
        #"{"type": "string", "minLength": 300, "maxLength": 301}"#,
        #"{"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 5}"#,
        #"{"type": "number", "minimum": 0.5, "maximum": 0.6}"#,
        #"{"type": "integer", "multipleOf": 7, "minimum": 50, "maximum": 60}"#,
        #"{"type": "integer", "format": "uint8"}"#,
        #"{"type": "integer", "format": "int8", "minimum": 120}"#,
        #"{"type": "array", "minItems": 3, "uniqueItems": true, "items": {"enum": [1, 2, 3]}}"#,
        #"{"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": false, "minItems": 2}"#,
        #"{"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 2}"#,
        #"{"type": "object", "patternProperties": {"^k[0-9]$": {"type": "integer"}}, "additionalProperties": false, "minProperties": 1}"#,
        #"{"allOf": [{"type": "object", "required": ["a"], "properties": {"a": {"format": "uuid"}}}, {"required": ["b"]}]}"#,
        #"{"oneOf": [{"required": ["a"]}, {"required": ["b"]}], "type": "object", "properties": {"a": {}, "b": {}}}"#,
        #"{"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]}"#,
        ##"{"type": "object", "required": ["next"], "properties": {"next": {"anyOf": [{"$ref": "#/components/schemas/Value"}, {"type": "null"}]}}}"##,
        #"{"allOf": [{"type": "string", "pattern": "^id_[a-z]{4}$"}, {"type": "string"}]}"#,
        #"{"type": "string", "format": "ipv6"}"#,
        #"{"const": {"a": 1}}"#,
    ])
    func sampledValuesAreValidForTheirSchema(_ schema: String) throws {
        let validator = try TestDocuments.schema(schema)
        for seed in 0..<20 {
            let value = try #require(validator.sample(ofComponent: "Value", seed: UInt64(seed)), "seed \(seed)")
            #expect(validator.findings(in: value, component: "Value") == [])
        }
    }

    @Test func aValueOfABaseIsOneOfThoseThatItsDiscriminatorNames() throws {
        let document = try DocumentLoader().load(
            bytes: Array(
                """
                openapi: 3.0.3
                info: {title: T, version: '1'}
                paths: {}
                components:
                  schemas:
                    Area:
                      type: object
                      required: [kind]
                      properties: {kind: {type: string}}
                      discriminator: {propertyName: kind, mapping: {circle: '#/components/schemas/Circle', self: Area}}
                    Circle:
                      allOf:
                        - $ref: '#/components/schemas/Area'
                        - {type: object, required: [radius], properties: {radius: {type: integer}}}
                    Holder: {type: object, required: [area], properties: {area: {$ref: '#/components/schemas/Area'}}}
                """.utf8), name: "areas.yaml")
        let validator = try OpenAPIValidator(document)
        let areas = (0..<20).compactMap { validator.sample(ofComponent: "Holder", seed: $0)?["area"] }
        #expect(areas.count == 20)
        for area in areas where area["kind"] == "circle" { #expect(area["radius"]?.intValue != nil) }
        #expect(Set(areas.compactMap { $0["kind"]?.stringValue }) == ["circle", "self"])
    }

    @Test func theSameSeedMakesTheSameValue() throws {
        let validator = try TestDocuments.schema(
            #"{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"format": "uuid", "type": "string"}}}"#)
        let values = (0..<8).map { validator.sample(ofComponent: "Value", seed: $0) }
        #expect(values == (0..<8).map { validator.sample(ofComponent: "Value", seed: $0) })
        #expect(Set(values).count > 4)
    }

    @Test func aGoodExampleIsTakenAndABadOneIsNot() throws {
        let good = try TestDocuments.schema(#"{"type": "integer", "example": 12345}"#)
        #expect(good.sample(ofComponent: "Value") == .integer(12345))
        let bad = try TestDocuments.schema(#"{"type": "integer", "example": "x", "maximum": 9}"#)
        #expect(bad.sample(ofComponent: "Value")?.intValue.map { $0 <= 9 } == true)
    }

    @Test func aSchemaThatAcceptsNothingHasNoSample() throws {
        let validator = try TestDocuments.schema(#"{"type": "integer", "minimum": 5, "maximum": 4}"#)
        #expect(validator.sample(ofComponent: "Value") == nil)
    }
}
#endif
