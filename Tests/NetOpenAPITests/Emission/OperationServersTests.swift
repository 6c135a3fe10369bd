import Foundation
import NetOpenAPI
import Testing

/// The servers of paths and operations in generated code.
@Suite struct OperationServersTests {
    private let root = "servers: [{url: 'https://api.example.com/v1'}]"

    @Test func theFirstServerOfAnOperationIsItsDefault() throws {
        let code = try GeneratedCode(
            """
            \(root)
            paths:
              /files:
                post:
                  operationId: upload
                  servers: [{url: 'https://files.example.com', description: Files.}, {url: 'https://eu.example.com'}]
              /others: {get: {operationId: list}}
            """)
        #expect(
            code.contains(
                "/// Files.\n        public static let server1: OperationServer = \"https://files.example.com\""))
        #expect(code.contains("public static let server2: OperationServer = \"https://eu.example.com\""))
        #expect(code.contains("public init(server: OperationServer? = Servers.server1)"))
        #expect(code.contains(".operation(\"upload\", server: server)"))
        #expect(code.contains(".operation(\"list\")"))
        #expect(code.text.components(separatedBy: "enum Servers").count == 2)
        let notes = code.diagnostics.filter { $0.severity == .note && $0.message.contains("https://files.example.com") }
        #expect(notes.map(\.pointer) == ["/paths/~1files/post/servers"])
        #expect(code.warnings == [])
    }

    @Test func anOperationComesBeforeItsPathAndAPathBeforeTheDocument() throws {
        let code = try GeneratedCode(
            """
            \(root)
            paths:
              /a:
                servers: [{url: 'https://path.example.com'}]
                get: {operationId: a}
                put: {operationId: b, servers: [{url: 'https://own.example.com'}]}
                post: {operationId: c, servers: []}
                delete: {operationId: d, servers: [{url: 'https://api.example.com/v1'}]}
            """)
        func part(_ name: String) -> Substring { code.text.split(separator: "struct \(name)Request: APIRequest")[1] }
        func server(_ name: String) -> Substring? {
            part(name).split(separator: "struct ")[0].split(separator: "OperationServer = \"").dropFirst().first?
                .prefix { $0 != "\"" }
        }
        #expect(server("A") == "https://path.example.com")
        #expect(server("B") == "https://own.example.com")
        #expect(server("C") == "https://path.example.com")
        #expect(server("D") == nil)
    }

    @Test func variablesOfAnOperationsServerAreParameters() throws {
        let code = try GeneratedCode(
            operation: """
                servers:
                  - url: 'https://{region}.{zone}.example.com/{in}'
                    variables:
                      region: {default: eu, enum: [eu, us], description: Where.}
                      zone: {default: z1}
                      in: {default: '1', enum: ['1', '2']}
                """)
        #expect(code.contains("OperationServer = \"https://eu.z1.example.com/1\""))
        #expect(
            code.contains(
                "static func server1(region: Region = .eu, zone: String = \"z1\", `in`: In = .value1) -> OperationServer {"
            ))
        #expect(
            code.contains("OperationServer(\"https://\\(region.rawValue).\\(zone).example.com/\\(`in`.rawValue)\")"))
        #expect(code.contains("nonisolated public enum Region: String, CaseIterable, Sendable {"))
        #expect(code.contains("case us = \"us\""))
        #expect(code.contains("case value2 = \"2\""))
        #expect(code.contains("/// - Parameter region: Where."))
    }

    @Test func theDocumentsServersHaveTheSameTypes() throws {
        let code = try GeneratedCode(
            "servers: [{url: 'https://{region}.example.com', variables: {region: {default: us, enum: [eu, us]}}}]")
        #expect(code.contains("static func server1(region: Region = .us) throws(NetError) -> BaseURL"))
    }

    @Test func relativeServersStayRelativeUnlessTheDocumentSaysWhereItIs() throws {
        let paths = """
            paths:
              /a: {get: {operationId: a, servers: [{url: /v2}]}}
              /b: {get: {operationId: b, servers: [{url: ../v3/./x}]}}
              /c: {get: {operationId: c, servers: [{url: '//other.example.com/v4'}]}}
            """
        let here = try GeneratedCode("\(root)\n\(paths)")
        for url in ["/v2", "../v3/./x", "//other.example.com/v4"] {
            #expect(here.contains("OperationServer = \"\(url)\""))
        }
        let known = try GeneratedCode(
            """
            openapi: 3.2.0
            $self: https://docs.example.com/api/v1/openapi.yaml
            info: {title: T, version: '1'}
            servers: [{url: .}]
            \(paths)
            """)
        #expect(known.contains("server1: BaseURL = \"https://docs.example.com/api/v1/\""))
        for url in ["docs.example.com/v2", "docs.example.com/api/v3/x", "other.example.com/v4"] {
            #expect(known.contains("OperationServer = \"https://\(url)\""), "\(url)")
        }
    }

    @Test func aDocumentWithoutServersIsAtTheRootOfItsHost() throws {
        let code = try GeneratedCode(operation: "servers: [{url: /}]")
        #expect(!code.contains("OperationServer"))
    }

    @Test func aServerThatCannotBeUsedIsToldAndLeftOut() throws {
        let code = try GeneratedCode(
            operation: """
                servers:
                  - {url: 'ftp://files.example.com'}
                  - {url: 'https://{nobody}.example.com'}
                  - {description: nowhere}
                  - {url: 'https://{r}.example.com', variables: {r: {default: x, enum: [a]}}}
                """)
        #expect(
            code.warnings == [
                "'ftp://files.example.com' isn't an http or https URL; the server is omitted",
                "'{nobody}' of the server's URL has no default in 'variables'; it is omitted",
                "a server needs a 'url'; it is omitted", "the default 'x' isn't one of the values in 'enum'",
            ])
        #expect(code.contains("OperationServer = \"https://x.example.com\""))
        let none = try GeneratedCode(operation: "servers: [{url: 'wss://x.example.com'}]")
        #expect(!none.contains("OperationServer"))
        #expect(none.warnings.last == "none of these servers can be used; requests go to the client's base URL")
    }

    @Test func namesOfTheDocumentGiveWay() throws {
        let code = try GeneratedCode(
            """
            paths:
              /x:
                post:
                  operationId: op
                  servers: [{url: 'https://x.example.com', name: main server}]
                  parameters: [{name: server, in: query, schema: {type: string}}]
                  requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Servers'}}}}
                  responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/OperationServer'}}}}}
            components:
              schemas:
                Servers: {type: object, properties: {a: {type: string}}}
                OperationServer: {type: object, properties: {a: {type: string}}}
            """)
        #expect(code.contains("var serverParameter: String?"))
        #expect(code.contains("var server: OperationServer?"))
        #expect(code.contains("struct ServersModel:"))
        #expect(code.contains("struct OperationServerModel:"))
        #expect(code.contains("Servers.mainServer"))
    }
}
