import Testing

@testable import NetOpenAPI

@Suite struct PathPatternTests {
    @Test func namesMayStandAnywhereInASegment() {
        let template = PathPattern("/files/{id}.{ext}/v{n}")
        #expect(
            template.pieces == [
                .literal("/files/"), .name("id"), .literal("."), .name("ext"), .literal("/v"), .name("n"),
            ])
        #expect(PathPattern("/a{b").pieces == [.literal("/a{b")])
        #expect(PathPattern("/{+path*}").pieces == [.literal("/"), .name("path")])
    }

    @Test func aQueryInAPathIsSentAndAFragmentIsNot() {
        let template = PathPattern("/a?x=1&flag#here")
        #expect(template.pieces == [.literal("/a")])
        #expect(template.query.map(\.name) == ["x", "flag"])
        #expect(template.query.map(\.value) == ["1", nil])
        #expect(template.hasFragment)
    }

    @Test func aMissingIdentifierIsMadeOfMethodAndPath() {
        #expect(PathPattern("/pets/{id}/toys").identifier(method: "GET") == "get pets by id toys")
        #expect(PathPattern("/").identifier(method: "GET") == "get root")
    }
}

@Suite struct MediaTypeTests {
    @Test func jsonIsPreferredInItsPlainestForm() {
        let types = ["text/plain", "application/vnd.a+json", "application/json; v=1", "application/json", "image/png"]
        let ranked = types.map(ContentType.init).sorted { $0.responseRank < $1.responseRank }.map(\.text)
        #expect(
            ranked == [
                "application/json", "application/json; v=1", "application/vnd.a+json", "text/plain", "image/png",
            ])
    }
}

@Suite struct StronglyConnectedTests {
    @Test func nodesThatReachThemselvesAreCyclic() {
        let edges = [[1], [2], [1, 3], [], [4]]
        let groups = StronglyConnected.groups(of: edges)
        #expect(edges.indices.map { groups.isCyclic($0, edges) } == [false, true, true, false, true])
        #expect(groups.group(of: 1) == groups.group(of: 2))
        #expect(groups.group(of: 0) != groups.group(of: 1))
    }

    @Test func aLongChainNeedsNoStack() {
        let count = 200_000
        let edges = (0..<count).map { $0 + 1 < count ? [$0 + 1] : [] }
        let groups = StronglyConnected.groups(of: edges)
        #expect(!groups.isCyclic(0, edges))
    }
}

@Suite struct SchemaPlannerTests {
    private func plan(_ yaml: String) throws -> (model: APIModel, log: DiagnosticLog) {
        let text = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\n" + yaml
        let document = try DocumentLoader().load(bytes: Array(text.utf8), name: "doc.yaml")
        let log = DiagnosticLog()
        return (
            APIModelPlanner.plan(
                document, configuration: GeneratorConfiguration(), resolver: ReferenceResolver(document: document),
                log: log), log
        )
    }

    @Test func aParentWithADiscriminatorAndItsChildrenEndsSomewhere() throws {
        let (model, _) = try plan(
            """
            components:
              schemas:
                Pet:
                  type: object
                  required: [kind]
                  properties: {kind: {type: string}}
                  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
                  discriminator: {propertyName: kind}
                Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {lives: {type: integer}}}]}
                Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {tricks: {type: integer}}}]}
            """)
        guard case .union(let union) = model.types[0].kind, case .object(let cat) = model.types[1].kind else {
            Issue.record("the parent is no union, or the child no object")
            return
        }
        #expect(union.variants.map(\.type) == [.named(TypeID(index: 1)), .named(TypeID(index: 2))])
        #expect(cat.properties.map(\.name) == ["kind", "lives"])
    }

    @Test func baseMembersAreGivenToEveryVariant() throws {
        let (model, _) = try plan(
            """
            components:
              schemas:
                A:
                  type: object
                  properties: {id: {type: integer}}
                  oneOf:
                    - {title: Left, type: object, properties: {l: {type: string}}}
                    - {title: Right, type: object, properties: {r: {type: string}}}
            """)
        guard case .union(let union) = model.types[0].kind, case .named(let id) = union.variants[0].type,
            case .object(let left) = model[id].kind
        else {
            Issue.record("the schema is no union of objects")
            return
        }
        #expect(union.variants.map(\.rawName) == ["Left", "Right"])
        #expect(left.properties.map(\.name) == ["id", "l"])
    }

    @Test func keywordsOfTheWrongKindAreIgnoredWithAPlace() throws {
        let (model, log) = try plan(
            """
            components:
              schemas:
                A: {type: object, required: yes, properties: {x: {type: string, deprecated: maybe, description: [1]}}}
            """)
        guard case .object(let object) = model.types[0].kind else {
            Issue.record("the schema is no object")
            return
        }
        #expect(object.properties.count == 1)
        #expect(log.entries.count == 2)
        #expect(log.entries.allSatisfy { $0.severity == .warning && $0.position?.line == 6 })
    }

    @Test func schemasNestedWithoutEndAreCutWithAWarning() throws {
        let depth = 200
        let schema =
            String(repeating: "{type: array, items: ", count: depth) + "{}" + String(repeating: "}", count: depth)
        let (model, log) = try plan("components: {schemas: {Deep: \(schema)}}")
        #expect(model.types.count == 1)
        #expect(log.entries.contains { $0.message.contains("nest more than") })
    }
}
