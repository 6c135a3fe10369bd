import NetOpenAPI
import Testing

@Suite struct APIChangesTests {
    /// Returns the changes between two versions, both without their top-level fields.
    private func changes(_ old: String, _ new: String) throws -> [String] {
        func document(_ text: String) throws -> Document {
            let framed = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n" + text
            return try DocumentLoader().load(bytes: Array(framed.utf8), name: "doc.yaml")
        }
        return try APIChanges(from: document(old), to: document(new)).changes.map(\.description)
    }

    private func operation(_ members: String) -> String { "paths: {/x: {get: {operationId: op, \(members)}}}" }

    private func schema(
        _ text: String,
        place: String =
            "responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}"
    )
        -> String
    {
        operation(place) + "\ncomponents: {schemas: {A: \(text)}}"
    }

    private let sent = "requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}"

    @Test func equalDocumentsDoNotDiffer() throws {
        let text = schema("{type: object, properties: {a: {type: string}}}")
        #expect(try changes(text, text) == [])
    }

    @Test func operationsComeAndGo() throws {
        let two = "paths: {/x: {get: {operationId: a}}, /y: {get: {operationId: b}}}"
        let one = "paths: {/x: {get: {operationId: a}}}"
        #expect(try changes(two, one) == ["breaking: GET /y: the operation is gone"])
        #expect(try changes(one, two) == ["compatible: GET /y: the operation is new"])
        #expect(
            try changes(one, "paths: {/x: {get: {operationId: z}}}") == [
                "breaking: GET /x: the operation was called 'a' and is called 'z'"
            ])
    }

    @Test(
        arguments: [
            ("", "{name: q, in: query, schema: {type: string}}", "compatible: GET /x: the query parameter 'q' is new"),
            (
                "", "{name: q, in: query, required: true, schema: {type: string}}",
                "breaking: GET /x: the query parameter 'q' is new and required"
            ),
            ("{name: q, in: query, schema: {type: string}}", "", "breaking: GET /x: the query parameter 'q' is gone"),
            (
                "{name: q, in: query, schema: {type: string}}", "{name: q, in: query, schema: {type: integer}}",
                "breaking: GET /x: the query parameter 'q' was string and is int"
            ),
            (
                "{name: q, in: query, required: true, schema: {type: string}}",
                "{name: q, in: query, schema: {type: string}}",
                "compatible: GET /x: the query parameter 'q' is optional now"
            ),
        ])
    func parametersChange(_ old: String, _ new: String, _ expected: String) throws {
        #expect(try changes(operation("parameters: [\(old)]"), operation("parameters: [\(new)]")) == [expected])
    }

    @Test func anotherServerOfAnOperationBreaks() throws {
        let own = operation("servers: [{url: 'https://a.example.com'}]")
        #expect(
            try changes(own, operation("summary: s")) == [
                "breaking: GET /x: the operation was at https://a.example.com and is at the document's server"
            ])
        #expect(try changes(own, own) == [])
    }

    @Test func aNewRequiredMemberBreaksWhatIsSentAndNotWhatComesBack() throws {
        let old = "{type: object, properties: {a: {type: string}}}"
        let new = "{type: object, required: [b], properties: {a: {type: string}, b: {type: string}}}"
        #expect(try changes(schema(old), schema(new)) == ["compatible: A: 'b' is new"])
        #expect(
            try changes(schema(old, place: sent), schema(new, place: sent)) == [
                "breaking: A: 'b' is new and required"
            ])
    }

    @Test func makingAMemberOptionalBreaksResponsesButNotRequests() throws {
        let old = "{type: object, required: [a], properties: {a: {type: string}}}"
        let new = "{type: object, properties: {a: {type: string}}}"
        #expect(try changes(schema(old), schema(new)) == ["breaking: A: 'a' may be missing now"])
        #expect(
            try changes(schema(old, place: sent), schema(new, place: sent)) == [
                "compatible: A: 'a' is optional now"
            ])
    }

    @Test func valuesAndKindsComeAndGo() throws {
        #expect(
            try changes(schema("{type: string, enum: [a, b]}"), schema("{type: string, enum: [a, c]}")) == [
                "breaking: A: the value 'b' is gone", "compatible: A: the value 'c' is new",
            ])
        #expect(
            try changes(
                schema("{type: string, enum: [a, b]}"), schema("{type: object, properties: {a: {type: string}}}"))
                == ["breaking: A: the type is of another kind"])
    }

    @Test func anotherKindOfAnswerBreaks() throws {
        let old = operation("responses: {'200': {description: ok, content: {text/plain: {schema: {type: string}}}}}")
        let new = operation("responses: {'204': {description: none}}")
        #expect(
            try changes(old, new) == [
                "breaking: GET /x: the response ok is gone", "compatible: GET /x: the response no content is new",
            ])
    }
}
