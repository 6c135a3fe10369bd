#if Server
import Foundation
import NetCore
import NetOpenAPI
import NetTesting

@testable import NetTestOpenAPI

/// Documents for tests.
enum TestDocuments {
    /// A shop with every kind of parameter and body.
    static func shop() throws -> Document { try DocumentLoader().load(bytes: Array(shopText.utf8), name: "shop.yaml") }

    /// Returns a validator for a document with one component, `Value`, with this schema.
    static func schema(_ text: String, version: String = "3.1.0") throws -> OpenAPIValidator {
        try components("\"Value\": \(text)", version: version)
    }

    /// Returns a validator for a document with these component schemas, in JSON.
    static func components(_ text: String, version: String = "3.1.0") throws -> OpenAPIValidator {
        let document = """
            {"openapi": "\(version)", "info": {"title": "t", "version": "1"}, "paths": {},
             "components": {"schemas": {\(text)}}}
            """
        return try OpenAPIValidator(DocumentLoader().load(bytes: Array(document.utf8), name: "test.json"))
    }

    /// Returns a validator for one operation, in YAML at an indentation of four.
    static func operation(_ path: String, _ method: String, _ text: String) throws -> OpenAPIValidator {
        let indented = text.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n")
        let document = """
            openapi: 3.1.0
            info: {title: t, version: '1'}
            paths:
              '\(path)':
                \(method):
                  responses: {'200': {description: ok}}
            \(indented)
            """
        return try OpenAPIValidator(DocumentLoader().load(bytes: Array(document.utf8), name: "test.yaml"))
    }

    static let shopText = """
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers:
          - url: https://{region}.example.com/api/v2/
            variables: {region: {default: eu}}
        paths:
          /orders:
            get:
              operationId: listOrders
              parameters:
                - {name: limit, in: query, required: true, schema: {type: integer, minimum: 1, maximum: 100}}
                - {name: state, in: query, schema: {type: array, items: {type: string, enum: [open, paid]}}}
                - {name: X-Shop, in: header, required: true, schema: {type: string, format: uuid}}
                - {name: session, in: cookie, schema: {type: integer}}
              responses:
                '200':
                  description: ok
                  headers:
                    X-Total: {required: true, schema: {type: integer, minimum: 0}}
                  content:
                    application/json:
                      schema: {type: array, minItems: 1, items: {$ref: '#/components/schemas/Order'}}
            post:
              operationId: addOrder
              requestBody:
                required: true
                content:
                  application/json: {schema: {$ref: '#/components/schemas/Order'}}
                  application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Order'}}
              responses:
                '201':
                  description: made
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/Order'}
                      example: {id: 7, customer: Ada, lines: [{sku: A-1, count: 2}]}
                default: {description: problem}
          /orders/{id}:
            get:
              operationId: getOrder
              parameters:
                - {name: id, in: path, required: true, schema: {type: integer, format: int32}}
              responses:
                '200':
                  description: ok
                  content:
                    text/plain: {schema: {type: string, minLength: 3}}
                    application/json: {schema: {$ref: '#/components/schemas/Order'}}
            delete:
              operationId: removeOrder
              parameters:
                - {name: id, in: path, required: true, schema: {type: integer}}
              responses: {'204': {description: gone}}
          /orders/latest:
            get: {operationId: latest, responses: {'200': {description: ok, content: {image/png: {}}}}}
          /events:
            get:
              operationId: events
              responses:
                '200':
                  description: ok
                  content: {text/event-stream: {schema: {$ref: '#/components/schemas/Line'}}}
        components:
          schemas:
            Order:
              type: object
              required: [id, customer, lines]
              properties:
                id: {type: integer, readOnly: true}
                customer: {type: string, minLength: 1}
                password: {type: string, minLength: 8, writeOnly: true}
                note: {type: string, nullable: true}
                lines: {type: array, minItems: 1, items: {$ref: '#/components/schemas/Line'}}
            Line:
              type: object
              additionalProperties: false
              required: [sku]
              properties:
                sku: {type: string, pattern: '^[A-Z]-[0-9]{1,4}$'}
                count: {type: integer, minimum: 1, default: 1}
        """
}

extension JSONValue {
    /// Returns the value of a JSON text.
    static func parsed(_ text: String) throws -> JSONValue {
        try JSONCoding.standard.decode(JSONValue.self, from: Bytes(text.utf8))
    }
}

extension OpenAPIValidator {
    /// Returns the keywords that a value violates, with their locations: `required at /a`.
    func broken(_ text: String, isRequest: Bool = false) throws -> [String] {
        (findings(in: try .parsed(text), component: "Value", isRequest: isRequest) ?? []).map { finding in
            let keyword = finding.schema.split(separator: "/").last.map(String.init) ?? ""
            return keyword + (finding.instance.isEmpty ? "" : " at \(finding.instance)")
        }
    }
}
#endif
