import NetOpenAPI
@_spi(Generated) import NetOpenAPIRuntime
import Testing

@Suite struct OperationEmitterTests {
    @Test func everyPlaceAndStyleIsSent() throws {
        let code = try GeneratedCode(
            operation: """
                parameters:
                  - {name: id, in: path, required: true, style: matrix, schema: {type: array, items: {type: integer}}}
                  - {name: tags, in: query, style: pipeDelimited, schema: {type: array, items: {type: string}}}
                  - {name: filter, in: query, style: deepObject, schema: {type: object, properties: {a: {type: string}}}}
                  - {name: raw, in: query, allowReserved: true, schema: {type: string}}
                  - {name: json, in: query, content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}
                  - {name: X-Trace, in: header, required: true, schema: {type: string, format: uuid}}
                  - {name: session, in: cookie, schema: {type: string}}
                  - {name: limit, in: query, schema: {type: integer, default: 20}}
                """, path: "/files/{id}.json")
        #expect(
            code.contains(
                "path.append(parameter: \"id\", self.id, style: .matrix)\n        path.append(literal: \".json\")"))
        #expect(code.contains("QueryItem.parameter(\"tags\", self.tags, style: .pipeDelimited, explode: false)"))
        #expect(code.contains("QueryItem.parameter(\"filter\", self.filter, style: .deepObject)"))
        #expect(code.contains("QueryItem.parameter(\"raw\", self.raw, allowsReserved: true)"))
        #expect(code.contains("QueryItem.jsonParameter(\"json\", self.json)"))
        #expect(code.contains("fields.append(\"X-Trace\", self.xTrace)"))
        #expect(code.contains("fields.appendCookie(\"session\", self.session)"))
        #expect(code.contains("limit: Int? = 20"))
        #expect(code.warnings == [])
    }

    @Test func aPathsParametersAreInheritedAndReplaced() throws {
        let code = try GeneratedCode(
            """
            paths:
              /x/{id}:
                parameters:
                  - {name: id, in: path, required: true, schema: {type: string}}
                  - {name: q, in: query, schema: {type: string}}
                get:
                  parameters: [{name: q, in: query, required: true, schema: {type: boolean}}]
            """)
        #expect(code.contains("struct GetXByIDRequest: APIRequest"))
        #expect(code.contains("public init(id: String, q: Bool)"))
    }

    @Test func namesOfARequestsOwnMembersAreAvoided() throws {
        let code = try GeneratedCode(
            operation: """
                parameters:
                  - {name: path, in: query, schema: {type: string}}
                  - {name: body, in: query, schema: {type: string}}
                  - {name: id, in: query, schema: {type: string}}
                  - {name: id, in: header, schema: {type: string}}
                """)
        #expect(code.contains("var pathParameter: String?"))
        #expect(code.contains("var bodyParameter: String?"))
        #expect(code.contains("var id: String?"))
        #expect(code.contains("var idParameter: String?"))
    }

    @Test func severalSuccessesAndFailuresAreEnumerations() throws {
        let code = try GeneratedCode(
            operation: """
                responses:
                  '200': {description: Fine, content: {application/json: {schema: {type: string}}}}
                  '202': {description: Later}
                  '404': {description: None, content: {application/json: {schema: {type: integer}}}}
                  4XX: {description: Bad, content: {text/plain: {schema: {type: string}}}}
                  default: {description: Else}
                """)
        #expect(code.contains("case ok(String)"))
        #expect(code.contains("case accepted\n"))
        #expect(code.contains("case notFound(Int)"))
        #expect(code.contains("case clientError(statusCode: Int, String)"))
        #expect(code.contains("case `default`(statusCode: Int)"))
        #expect(code.contains("case 400...499: ResponseSerializer<String>.string.map"))
        let output = code.text.split(separator: "enum Failure")[0]
        #expect(output.contains("default: nil"))
        #expect(code.contains("{ Output.serializer }"))
        #expect(code.contains("{ Failure.serializer }"))
    }

    @Test func oneFailureTypeStandsForItself() throws {
        let code = try GeneratedCode(
            operation: """
                responses:
                  '204': {description: Done}
                  '401': {description: No, content: {application/problem+json: {schema: {type: object, properties: {title: {type: string}}}}}}
                """)
        #expect(code.contains("typealias Response = Void"))
        #expect(code.contains("ResponseSerializer<Failure>? { .json(coding: .standard).on(401) }"))
    }

    @Test func mediaTypesChooseTheResponse() throws {
        func response(_ content: String) throws -> String {
            try GeneratedCode(operation: "responses: {'200': {description: '', content: \(content)}}").text
        }
        #expect(try response("{image/png: {}}").contains("typealias Response = Data"))
        #expect(try response("{text/html: {schema: {type: string}}}").contains("typealias Response = String"))
        #expect(try response("{text/event-stream: {}}").contains("ServerSentEvents<ServerSentEvent>"))
        #expect(
            try response("{text/event-stream: {schema: {type: object, properties: {a: {type: string}}}}}")
                .contains(".serverSentEvents(of: "))
        #expect(
            try response("{application/xml: {}, application/vnd.a+json: {schema: {type: string}}}")
                .contains("[.accept: \"application/vnd.a+json\"]"))
    }

    @Test func bodiesAreSentAsDeclared() throws {
        func body(_ content: String, _ required: Bool = true) throws -> String {
            try GeneratedCode(
                "paths: {/x: {post: {operationId: op, requestBody: {required: \(required), content: \(content)}}}}"
            ).text
        }
        #expect(
            try body("{application/json: {schema: {type: string}}}").contains("{ .json(payload, coding: .standard) }"))
        #expect(
            try body("{application/json: {schema: {type: string}}}", false).contains(
                "payload.map { .json($0, coding: .standard) } ?? .none"))
        #expect(
            try body("{application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string}}}}}")
                .contains(".form(payload)"))
        #expect(try body("{text/plain: {schema: {type: string}}}").contains(".text(payload)"))
        let file = try body(
            "{multipart/form-data: {schema: {type: object, required: [f], properties: {f: {type: string, format: binary}, n: {type: integer}}}}}"
        )
        #expect(file.contains("public init(f: FormFile, n: Int? = nil)"))
        let raw = try body("{image/png: {}}")
        #expect(raw.contains("public var payload: RequestBody\n"))
        #expect(raw.contains(".contentType: \"image/png\""))
    }

    @Test func aPartIsWrittenAsItsEncodingSays() throws {
        let code = try GeneratedCode(
            """
            paths:
              /x:
                post:
                  operationId: op
                  requestBody:
                    content:
                      multipart/form-data:
                        schema:
                          type: object
                          properties: {a: {type: object}, c: {type: string}, d: {type: object}}
                        encoding:
                          a: {contentType: application/x-www-form-urlencoded}
                          c: {contentType: text/csv}
                          d: {contentType: application/xml}
            """)
        #expect(code.contains("form.append(\"a\", self.a, contentType: \"application/x-www-form-urlencoded\")"))
        #expect(code.contains("form.append(\"c\", self.c, contentType: \"text/csv\")"))
        #expect(code.contains("form.append(\"d\", self.d)\n"))
        #expect(code.warnings == ["an object cannot be written as application/xml; the part is sent as JSON"])
    }

    @Test func aPartMayHaveSeveralTypes() throws {
        let code = try GeneratedCode(
            """
            paths:
              /x:
                post:
                  operationId: op
                  requestBody:
                    content:
                      multipart/form-data:
                        schema:
                          type: object
                          properties:
                            photo: {type: string, format: binary}
                            photos: {type: array, items: {type: string, format: binary}}
                            any: {type: string, format: binary}
                            paper: {type: string, contentMediaType: application/pdf}
                            file: {type: string, contentMediaType: application/octet-stream}
                            text: {type: string}
                            other: {type: string}
                            data: {type: object, properties: {a: {type: string}}}
                        encoding:
                          photo: {contentType: 'image/png, image/jpeg'}
                          photos: {contentType: 'image/png;a="b,c",image/*'}
                          text: {contentType: 'text/csv, text/plain'}
                          other: {contentType: 'text/csv, text/tab-separated-values'}
                          data: {contentType: 'application/xml, application/vnd.a+json'}
            """)
        #expect(code.contains("form.append(\"photo\", self.photo, contentTypes: [\"image/png\", \"image/jpeg\"])"))
        #expect(code.contains("self.photos, contentTypes: [\"image/png;a=\\\"b,c\\\"\", \"image/*\"])"))
        #expect(code.contains("form.append(\"any\", self.any)\n"))
        #expect(code.contains("form.append(\"file\", self.file)\n"))
        #expect(code.contains("form.append(\"paper\", self.paper, contentTypes: [\"application/pdf\"])"))
        #expect(code.contains("form.append(\"text\", self.text)\n"))
        #expect(code.contains("form.append(\"other\", self.other, contentType: \"text/csv\")"))
        #expect(code.contains("form.append(\"data\", self.data, contentType: \"application/vnd.a+json\")"))
        #expect(code.warnings == [])
    }

    @Test func aCharsetIsKeptOrTold() throws {
        func code(_ body: String, _ response: String) throws -> GeneratedCode {
            try GeneratedCode(
                """
                paths:
                  /x:
                    post:
                      operationId: op
                      requestBody: {required: true, content: {'\(body)': {schema: {type: string}}}}
                      responses: {'200': {description: ok, content: {'\(response)': {schema: {type: string}}}}}
                """)
        }
        let known = try code("text/plain; charset=latin1", "text/html;charset=\"ISO-8859-1\"")
        #expect(known.contains(".text(payload, contentType: \"text/plain; charset=latin1\")"))
        #expect(known.contains("{ .string(fallback: .latin1) }"))
        #expect(known.warnings == [])
        #expect(try code("text/plain", "text/plain; charset=UTF-8").contains("{ .string }"))
        let unknown = try code("text/plain; charset=shift_jis", "text/plain; charset=shift_jis")
        #expect(unknown.contains("var payload: RequestBody\n"))
        #expect(unknown.contains("typealias Response = Data"))
        #expect(unknown.contains(".contentType: \"text/plain; charset=shift_jis\""))
        #expect(unknown.warnings.count == 2)
        #expect(unknown.warnings.allSatisfy { $0.contains("'shift_jis' is not known") })
        let json = try code("application/json; charset=koi8-r", "application/json; charset=koi8-r")
        #expect(json.contains("{ .json(payload, coding: .standard) }"))
        #expect(json.warnings.count == 1)
        #expect(
            try code("application/json; charset=latin1", "*/*").contains(
                "contentType: \"application/json; charset=latin1\""))
    }

    @Test func repeatedOperationIDsAreRepaired() throws {
        let code = try GeneratedCode("paths: {/a: {get: {operationId: x}}, /b: {get: {operationId: x}}}")
        #expect(code.contains("struct XRequest:"))
        #expect(code.contains("struct X2Request:"))
        #expect(code.warnings.contains { $0.contains("'x' is taken") })
    }

    @Test func commentsAndNamesCannotBreakTheCode() throws {
        let code = try GeneratedCode(
            """
            paths:
              /x:
                get:
                  operationId: 'a"b\\c'
                  summary: "ends */ here\\nnext \\u2028 line"
                  deprecated: true
                  tags: ["quote \\" and \\\\(x)"]
            """)
        #expect(code.contains(".operation(\"a\\\"b\\\\c\""))
        #expect(code.contains("tags: [\"quote \\\" and \\\\(x)\"]"))
        #expect(code.contains("@available(*, deprecated"))
        #expect(code.contains("/// ends */ here\n/// next\n///  line\n"))
    }

    @Test func securityKeepsItsAlternatives() throws {
        let code = try GeneratedCode(operation: "security: [{key: []}, {oauth: [read, write]}]")
        #expect(code.contains("security: [[\"key\": []], [\"oauth\": [\"read\", \"write\"]]]"))
        #expect(code.contains("Security: `key`, or `oauth` (read, write)."))
    }

    @Test func accessAndPrefixAreTheCallers() throws {
        let code = try GeneratedCode(
            "paths: {/x: {get: {operationId: op}}}\ncomponents: {schemas: {A: {type: object, properties: {b: {type: string}}}}}",
            .init(accessLevel: .internal, typePrefix: "My", chunkCount: 1))
        #expect(code.contains("internal struct MyOpRequest: APIRequest"))
        #expect(code.contains("internal struct MyA:"))
        #expect(!code.contains("\npublic import"))
    }

    @Test func failuresInCommonAreOneType() throws {
        let responses = """
            {'200': {description: ''}, '401': {$ref: '#/components/responses/No'}, '404': {description: None}}
            """
        let code = try GeneratedCode(
            """
            paths:
              /a: {get: {operationId: a, responses: \(responses)}}
              /b: {get: {operationId: b, responses: \(responses)}}
            components:
              responses:
                No: {description: No, content: {application/json: {schema: {type: object, properties: {why: {type: string}}}}}}
            """)
        #expect(code.contains("public enum Failure401_404: Hashable, Sendable"))
        #expect(code.text.split(separator: "typealias Failure = Failure401_404").count == 3)
        #expect(code.text.split(separator: "public struct NoResponse:").count == 2)
        #expect(code.contains("case unauthorized(NoResponse)"))
    }

    @Test(arguments: [
        (
            "application/jsonl", "JSONLines<OpRequest.ResponseItem>",
            ".jsonLines(of: OpRequest.ResponseItem.self, coding: .standard)"
        ),
        ("application/json-seq", "JSONLines<OpRequest.ResponseItem>", "framing: .recordSeparators)"),
    ])
    func sequencesOfJSONAreTyped(_ media: String, _ type: String, _ serializer: String) throws {
        let code = try GeneratedCode(
            operation:
                "responses: {'200': {description: '', content: {\(media): {itemSchema: {type: object, properties: {a: {type: string}}}}}}}"
        )
        #expect(code.contains("typealias Response = \(type)"))
        #expect(code.contains(serializer))
    }

    @Test func aFilterTakesWhatItNames() throws {
        let document = """
            paths:
              /pets: {get: {operationId: listPets, tags: [pets]}, post: {operationId: addPet, tags: [pets]}}
              /shops: {get: {operationId: listShops, tags: [shops], responses: {'200': {description: '', content: {application/json: {schema: {$ref: '#/components/schemas/Shop'}}}}}}}
            components: {schemas: {Shop: {type: object, properties: {a: {type: string}}}, Other: {type: object, properties: {a: {type: string}}}}}
            """
        func names(_ filter: DocumentFilter) throws -> [String] {
            let text = try GeneratedCode(document, .init(chunkCount: 1, filter: filter)).text
            let all = ["ListPetsRequest:", "AddPetRequest:", "ListShopsRequest:", "struct Shop:", "struct Other:"]
            return all.filter { text.contains($0) }
        }
        #expect(try names(.init()).count == 5)
        #expect(
            try names(.init(operations: ["addPet", "GET /shops"])) == [
                "AddPetRequest:", "ListShopsRequest:", "struct Shop:",
            ])
        #expect(try names(.init(paths: ["/p*"])) == ["ListPetsRequest:", "AddPetRequest:"])
        #expect(try names(.init(tags: ["pets"], excludedOperations: ["add*"])) == ["ListPetsRequest:"])
        #expect(try names(.init(schemas: ["Other"])) == ["struct Other:"])
        #expect(try names(.init(excludedPaths: ["/shops"], excludedTags: ["pets"])) == [])
    }

    @Test func fieldsOfResponsesHaveTypes() throws {
        let code = try GeneratedCode(
            operation: """
                responses:
                  '200':
                    description: ok
                    headers:
                      X-Rate-Limit: {description: Calls left., schema: {type: integer}}
                      X-Until: {schema: {type: string, format: date-time}}
                      Content-Type: {schema: {type: string}}
                  '429': {description: slow, headers: {Retry-After: {schema: {type: integer}}, x-rate-limit: {schema: {type: integer}}}}
                """)
        #expect(code.contains("public struct Headers: Sendable"))
        #expect(code.contains("/// Calls left.\n        public var xRateLimit: Int? { head.value(\"X-Rate-Limit\") }"))
        #expect(code.contains("public var xUntil: Date? { head.value(\"X-Until\") }"))
        #expect(code.contains("public var retryAfter: Int? { head.value(\"Retry-After\") }"))
        #expect(!code.contains("\"Content-Type\""))
        #expect(!code.contains("\"x-rate-limit\""))
    }

    @Test func fieldsThatSeveralOperationsHaveAreDeclaredOnce() throws {
        let get = "{get: {responses: {'200': {description: ok, headers: {ETag: {schema: {type: string}}}}}}}"
        let code = try GeneratedCode("paths:\n  /a: \(get)\n  /b: \(get)")
        #expect(code.text.split(separator: "struct ETagHeaders").count == 2)
        #expect(code.text.split(separator: "public typealias Headers = ETagHeaders").count == 3)
    }
}
