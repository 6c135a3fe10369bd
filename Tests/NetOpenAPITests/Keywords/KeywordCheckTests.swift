import Foundation
import Testing

@testable import NetOpenAPI

/// Every keyword of the specification is used, reported, or only for people.
struct KeywordCheckTests {
    private static let folder = SharedData.packageFolder.appending(path: "Fixtures/openapi/keywords")

    /// The document contains all keywords of OpenAPI 3.0, 3.1 and 3.2; the file beside it contains the expected
    /// reports.
    @Test func aDocumentWithEveryKeywordIsReportedAsTheFileSays() throws {
        let text = try String(contentsOf: Self.folder.appending(path: "every-keyword.yaml"), encoding: .utf8)
        let document = try DocumentLoader().load(bytes: Array(text.utf8), name: "every-keyword.yaml")
        let result = Generator().generate(document: document)
        let reported = result.diagnostics.map(\.description).sorted()
        let expected = try String(contentsOf: Self.folder.appending(path: "every-keyword.txt"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
        for line in Set(reported).symmetricDifference(expected).sorted() {
            Issue.record("\(expected.contains(line) ? "missing" : "new"): \(line)")
        }
    }

    /// The keywords of the fixed fields in the specification, by object.
    private static let specified: [(SpecificationObject, String)] = [
        (.openAPI, "openapi $self info jsonSchemaDialect servers paths webhooks components security tags externalDocs"),
        (.info, "title summary description termsOfService contact license version"),
        (.server, "url description name variables"),
        (.serverVariable, "enum default description"),
        (
            .components,
            "schemas responses parameters examples requestBodies headers securitySchemes links callbacks pathItems mediaTypes"
        ),
        (
            .pathItem,
            "$ref summary description get put post delete options head patch trace query additionalOperations servers parameters"
        ),
        (
            .operation,
            "tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers"
        ),
        (
            .parameter,
            "name in description required deprecated allowEmptyValue example examples style explode allowReserved schema content"
        ),
        (.header, "description required deprecated example examples style explode schema content"),
        (.requestBody, "description content required"),
        (.mediaType, "schema itemSchema example examples encoding prefixEncoding itemEncoding"),
        (.encoding, "contentType headers style explode allowReserved encoding prefixEncoding itemEncoding"),
        (.response, "summary description headers content links"),
        (.link, "operationRef operationId parameters requestBody description server"),
        (.tag, "name summary description externalDocs parent kind"),
        (
            .securityScheme,
            "type description name in scheme bearerFormat flows openIdConnectUrl oauth2MetadataUrl deprecated"
        ),
        (.flows, "implicit password clientCredentials authorizationCode deviceAuthorization"),
        (.flow, "authorizationUrl deviceAuthorizationUrl tokenUrl refreshUrl scopes"),
        (.discriminator, "propertyName mapping defaultMapping"),
        (
            .schema,
            """
            $id $schema $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs allOf anyOf oneOf if then else not \
            dependentSchemas prefixItems items contains properties patternProperties additionalProperties propertyNames \
            unevaluatedItems unevaluatedProperties type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum \
            maxLength minLength pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties \
            required dependentRequired title description default deprecated readOnly writeOnly examples format contentEncoding \
            contentMediaType contentSchema nullable discriminator xml externalDocs example
            """
        ),
    ]

    @Test(arguments: specified) func everyKeywordIsKnown(_ object: SpecificationObject, _ keywords: String) {
        for keyword in keywords.split(separator: " ") {
            #expect(object.use(of: String(keyword)) != nil, "\(object.words): \(keyword)")
        }
    }

    @Test func manyPlacesAreSummedUp() throws {
        let schemas = (0..<30).map { "S\($0): {type: string, wrong: 1, minLength: 1}" }.joined(separator: "\n")
        let code = try GeneratedCode(schemas: schemas)
        let warnings = code.warnings.filter { $0.contains("'wrong'") }
        #expect(warnings.count == KeywordCheck.limit)
        #expect(warnings.last == "'wrong' isn't a keyword of a schema; it is ignored (and in 10 more places)")
        let notes = code.diagnostics.filter { $0.severity == .note }.map(\.message)
        #expect(
            notes.contains(
                "'minLength' is not checked by generated code, here and in 29 more places; NetTestOpenAPI checks it"))
    }

    @Test func aFilterAlsoChoosesWhatIsReported() throws {
        let yaml = """
            openapi: 3.1.0
            info: {title: T, version: '1'}
            paths:
              /a: {get: {operationId: a, wrongA: 1, responses: {'200': {$ref: '#/components/responses/R'}}}}
              /b: {get: {operationId: b, wrongB: 1}}
            components:
              responses: {R: {description: r, wrongR: 1}}
              schemas: {S: {wrongS: 1}}
            """
        func wrong(_ filter: DocumentFilter) throws -> [String] {
            let code = try GeneratedCode(yaml, GeneratorConfiguration(filter: filter))
            return ["A", "B", "R", "S"].filter { name in code.warnings.contains { $0.contains("'wrong\(name)'") } }
        }
        #expect(try wrong(DocumentFilter()) == ["A", "B", "R", "S"])
        #expect(try wrong(DocumentFilter(paths: ["/a"])) == ["A", "R"])
        #expect(try wrong(DocumentFilter(operations: ["b"])) == ["B"])
        #expect(try wrong(DocumentFilter(schemas: ["S"])) == ["S"])
    }
}
