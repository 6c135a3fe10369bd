import NetOpenAPI
import Testing

@Suite struct ClientEmitterTests {
    @Test func operationsAreMethodsByTheirFirstTag() throws {
        let code = try GeneratedCode(
            """
            paths:
              /pets: {get: {operationId: listPets, tags: [pet store, other], responses: {'404': {description: None}}}}
              /pets/{id}: {delete: {operationId: deletePet, deprecated: true, tags: [pet store]}}
              /ping: {get: {operationId: ping}}
            """)
        #expect(code.contains("public struct TClient: Sendable"))
        #expect(code.contains("public var petStore: PetStore { PetStore(client) }"))
        #expect(code.contains("public var listPets: DefaultCall<ListPetsRequest> { .init(client, .init()) }"))
        #expect(
            code.contains(
                "@available(*, deprecated) public var deletePet: Call<DeletePetRequest> { .init(client) }"))
        #expect(code.contains("\n    public var ping: DefaultCall<PingRequest>"))
    }

    @Test func securitySchemesMakeCredentials() throws {
        let code = try GeneratedCode(
            """
            components:
              securitySchemes:
                key: {type: apiKey, in: header, name: X-Key}
                item: {type: apiKey, in: query, name: api_key}
                crumb: {type: apiKey, in: cookie, name: sid}
                login: {type: http, scheme: basic}
                oauth: {type: oauth2, flows: {}}
                mutual: {type: mutualTLS}
            """)
        #expect(
            code.contains(
                "static func key(_ key: String) throws(NetError) -> Credential { try .apiKey(key, header: \"X-Key\") }")
        )
        #expect(code.contains("static let item = SecurityScheme(\"item\", .apiKey(name: \"api_key\", in: .query))"))
        #expect(code.contains("static func item(_ key: String) throws(NetError) -> Credential { try .apiKey(key) }"))
        #expect(code.contains("static let crumb = SecurityScheme(\"crumb\", .apiKey(name: \"sid\", in: .cookie))"))
        #expect(code.contains("static func login(user: String, password: String) throws(NetError) -> Credential"))
        #expect(
            code.contains("static func oauth(_ token: String) throws(NetError) -> Credential { try .bearer(token) }"))
        #expect(code.contains("static let mutual = SecurityScheme(\"mutual\", .mutualTLS)"))
        #expect(!code.contains("func mutual"))
    }

    @Test func variablesOfAServerAreParameters() throws {
        let code = try GeneratedCode(
            """
            servers:
              - {url: 'https://{region}.example.com/{base-path}', variables: {region: {default: eu}, base-path: {default: v1}}}
            """)
        #expect(code.contains("static let server1: BaseURL = \"https://eu.example.com/v1\""))
        #expect(
            code.contains(
                "static func server1(region: String = \"eu\", basePath: String = \"v1\") throws(NetError) -> BaseURL"))
        #expect(code.contains("try BaseURL(\"https://\\(region).example.com/\\(basePath)\")"))
    }

    @Test func webhooksAndCallbacksHaveTypes() throws {
        let body = "{content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}"
        let code = try GeneratedCode(
            """
            webhooks: {orderPaid: {post: {requestBody: \(body)}}}
            paths:
              /x: {post: {operationId: op, callbacks: {done: {'{$url}': {post: {requestBody: \(body)}}}}}}
            """)
        #expect(code.contains("public struct OrderPaidWebhook: SchemaObject"))
        #expect(code.contains("public struct OpDoneWebhook: SchemaObject"))
    }

    @Test func theClientHidesNoTypeOfNetCore() throws {
        let text = "openapi: 3.1.0\ninfo: {title: API, version: '1'}\npaths: {/x: {get: {operationId: op}}}\n"
        let document = try DocumentLoader().load(bytes: Array(text.utf8), name: "api.yaml")
        let code = Generator().generate(document: document).files.map(\.contents).joined()
        #expect(code.contains("public struct GeneratedAPIClient: Sendable"))
    }
}
