#if Server
import HTTPTypes
import NetCore
import NetTesting
import Testing

@testable import NetTestOpenAPI

@Suite(.timeLimit(.minutes(1)))
struct RequestValidationTests {
    private func findings(
        _ method: HTTPRequest.Method, _ target: String, _ headers: HTTPFields = [:], _ body: String = ""
    ) throws -> [String] {
        let validator = try OpenAPIValidator(TestDocuments.shop())
        let request = StubRequest(method: method, target: target, headers: headers, body: Bytes(body.utf8))
        return validator.findings(in: request).map { "\($0.kind.rawValue) \($0.part)\($0.instance)" }
    }

    private static let shop = "0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1"
    private static let good: HTTPFields = ["X-Shop": shop]
    private static let json: HTTPFields = [.contentType: "application/json; charset=utf-8"]

    @Test func aGoodRequestHasNoFinding() throws {
        var headers = Self.good
        headers.append(HTTPField(name: .cookie, value: "a=b; session=7"))
        #expect(try findings(.get, "/api/v2/orders?limit=20&state=open&state=paid&extra=1", headers) == [])
    }

    @Test func pathAndMethodMustBeDeclaredBelowTheServersPath() throws {
        #expect(try findings(.get, "/orders?limit=1", Self.good) == ["path path"])
        #expect(try findings(.get, "/api/v2/others") == ["path path"])
        #expect(try findings(.put, "/api/v2/orders") == ["method method"])
    }

    @Test func theMostLiteralPathIsMeant() throws {
        let validator = try OpenAPIValidator(TestDocuments.shop())
        let request = StubRequest(method: .get, target: "/api/v2/orders/latest")
        #expect(validator.operation(for: request) == "GET /orders/latest")
    }

    @Test func parametersAreComparedWithTheirSchemas() throws {
        #expect(try findings(.get, "/api/v2/orders", Self.good) == ["parameter query limit"])
        #expect(try findings(.get, "/api/v2/orders?limit=101", Self.good) == ["parameter query limit"])
        #expect(try findings(.get, "/api/v2/orders?limit=x", Self.good) == ["parameter query limit"])
        #expect(try findings(.get, "/api/v2/orders?limit=1&state=lost", Self.good) == ["parameter query state/0"])
        #expect(try findings(.get, "/api/v2/orders?limit=1") == ["parameter header X-Shop"])
        #expect(try findings(.get, "/api/v2/orders?limit=1", ["X-Shop": "7"]) == ["parameter header X-Shop"])
        #expect(try findings(.get, "/api/v2/orders/x") == ["parameter path id"])
        #expect(try findings(.get, "/api/v2/orders/2147483648") == ["parameter path id"])
        var headers = Self.good
        headers.append(HTTPField(name: .cookie, value: "session=x"))
        #expect(try findings(.get, "/api/v2/orders?limit=1", headers) == ["parameter cookie session"])
    }

    @Test func aSecretParameterIsNotShown() throws {
        let validator = try TestDocuments.operation(
            "/a", "get", "parameters: [{name: api_key, in: query, schema: {type: integer}}]")
        let found = validator.findings(in: StubRequest(method: .get, target: "/a?api_key=PLANTED"))
        #expect(found.count == 1)
        #expect(!"\(found)".contains("PLANTED"))
    }

    @Test func bodiesAreComparedWithTheirSchemas() throws {
        let body = #"{"customer": "Ada", "lines": [{"sku": "A-1"}]}"#
        #expect(try findings(.post, "/api/v2/orders", Self.json, body) == [])
        #expect(try findings(.post, "/api/v2/orders") == ["requestBody body"])
        #expect(try findings(.post, "/api/v2/orders", Self.json, "{") == ["requestBody body"])
        #expect(try findings(.post, "/api/v2/orders", [.contentType: "text/csv"], body) == ["requestType body"])
        #expect(try findings(.post, "/api/v2/orders", [:], body) == ["requestType body"])
        let broken = #"{"customer": "", "lines": [{"sku": "A-1", "price": 1}]}"#
        #expect(
            try findings(.post, "/api/v2/orders", Self.json, broken)
                == ["requestBody body/customer", "requestBody body/lines/0/price"])
    }

    @Test func formsAreReadWithTheTypesOfTheirSchemas() throws {
        let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        #expect(try findings(.post, "/api/v2/orders", form, "customer=Ada&lines[0][sku]=A-1&lines[0][count]=2") == [])
        #expect(
            try findings(.post, "/api/v2/orders", form, "customer=Ada&lines[0][sku]=A-1&lines[0][count]=0")
                == ["requestBody body/lines/0/count"])
    }

    @Test func multipartFormsAreReadPartByPart() throws {
        let validator = try TestDocuments.operation(
            "/up", "post",
            """
            requestBody:
              content:
                multipart/form-data:
                  schema:
                    type: object
                    required: [file, count]
                    properties:
                      file: {type: string, format: binary}
                      count: {type: integer}
                      tags: {type: array, items: {type: string, maxLength: 3}}
                      meta: {type: object, required: [a]}
            """)
        func broken(_ parts: [(String, String)]) -> [String] {
            let body =
                parts.map { "--b\r\nContent-Disposition: form-data; \($0.0)\r\n\r\n\($0.1)\r\n" }.joined() + "--b--\r\n"
            let request = StubRequest(
                method: .post, target: "/up", headers: [.contentType: "multipart/form-data; boundary=b"],
                body: Bytes(body.utf8))
            return validator.findings(in: request).map { "\($0.message) \($0.instance)" }
        }
        let file = ("name=file; filename=a.bin", "\u{1}")
        #expect(broken([file, ("name=count", "7"), ("name=tags", "a"), ("name=meta", #"{"a": 1}"#)]) == [])
        #expect(broken([file]) == ["'count' is missing "])
        #expect(broken([file, ("name=count", "x")]) == ["\"x\" is not of type integer /count"])
        #expect(broken([file, ("name=count", "1"), ("name=tags", "a"), ("name=tags", "long")]).count == 1)
        let form = "name=meta\r\nContent-Type: application/x-www-form-urlencoded"
        #expect(broken([file, ("name=count", "1"), (form, "a=1")]) == [])
        #expect(broken([file, ("name=count", "1"), (form, "b=1")]) == ["'a' is missing /meta"])
        #expect(broken([file, ("name=count", "7"), ("filename=x", "7")]) == ["part 3 of the form has no name "])
    }

    @Test func partsHaveTheMediaTypesOfTheirEncodings() throws {
        let validator = try TestDocuments.operation(
            "/up", "post",
            """
            requestBody:
              content:
                multipart/form-data:
                  schema: {type: object, properties: {photo: {type: string, format: binary}, note: {type: string}, rest: {}}}
                  encoding:
                    photo: {contentType: 'image/png, image/svg+xml; charset=utf-8'}
                    note: {contentType: text/*}
            """)
        func found(_ name: String, _ type: String?) -> [String] {
            let line = type.map { "Content-Type: \($0)\r\n" } ?? ""
            let body = "--b\r\nContent-Disposition: form-data; name=\(name)\r\n\(line)\r\nx\r\n--b--\r\n"
            let request = StubRequest(
                method: .post, target: "/up", headers: [.contentType: "multipart/form-data; boundary=b"],
                body: Bytes(body.utf8))
            return validator.findings(in: request).map(\.message)
        }
        #expect(found("photo", "image/png") == [])
        #expect(found("photo", "image/svg+xml; charset=utf-8") == [])
        #expect(
            found("photo", "image/gif")
                == ["the part 'photo' is image/gif; its encoding declares image/png, image/svg+xml; charset=utf-8"])
        #expect(found("note", nil) == [])
        #expect(found("note", "text/markdown") == [])
        #expect(found("note", "application/json").count == 1)
        #expect(found("rest", "image/gif") == [])
    }

    /// Style, explode, schema, location; a valid text and an invalid one.
    @Test(arguments: [
        ("/p/{v}", "path", "simple", false, "{type: array, items: {type: integer}}", "/p/1,2", "/p/1,x"),
        ("/p/{v}", "path", "label", true, "{type: array, items: {type: integer}}", "/p/.1.2", "/p/1.2"),
        ("/p/{v}", "path", "matrix", true, "{type: array, items: {type: integer}}", "/p/;v=1;v=2", "/p/;v=1;v=x"),
        ("/p/{v}", "path", "matrix", false, "{type: integer}", "/p/;v=5", "/p/;v=x"),
        ("/p/{v}", "path", "simple", true, "{type: object, properties: {a: {type: integer}}}", "/p/a=1,b=x", "/p/a=x"),
        ("/q", "query", "form", false, "{type: array, items: {type: integer}}", "/q?v=1,2", "/q?v=1,x"),
        ("/q", "query", "form", true, "{type: object, properties: {a: {type: integer}}}", "/q?a=1", "/q?a=x"),
        ("/q", "query", "form", false, "{type: object, properties: {a: {type: integer}}}", "/q?v=a,1", "/q?v=a,x"),
        ("/q", "query", "spaceDelimited", false, "{type: array, items: {type: integer}}", "/q?v=1%202", "/q?v=1%20x"),
        ("/q", "query", "pipeDelimited", false, "{type: array, items: {type: integer}}", "/q?v=1|2", "/q?v=1%7Cx"),
        (
            "/q", "query", "deepObject", true, "{type: object, properties: {a: {type: integer}}}", "/q?v[a]=1",
            "/q?v%5Ba%5D=x"
        ),
        ("/q", "query", "form", true, "{type: boolean}", "/q?v=true", "/q?v=yes"),
        (
            "/q", "query", "form", true, "{oneOf: [{type: integer}, {type: string, enum: [all]}]}", "/q?v=all",
            "/q?v=none"
        ),
    ])
    func parametersOfEveryStyleAreRead(
        _ path: String, _ place: String, _ style: String, _ explode: Bool, _ schema: String, _ good: String,
        _ bad: String
    ) throws {
        let validator = try TestDocuments.operation(
            path, "get",
            """
            parameters:
              - {name: v, in: \(place), required: true, style: \(style), explode: \(explode), schema: \(schema)}
            """)
        #expect(validator.findings(in: StubRequest(method: .get, target: good)) == [], "\(good)")
        #expect(validator.findings(in: StubRequest(method: .get, target: bad)).count == 1, "\(bad)")
    }

    @Test func severalParametersInOneSegmentAndEscapedSlashesAreRead() throws {
        let validator = try TestDocuments.operation(
            "/files/{name}.{kind}(rev={rev})", "get",
            """
            parameters:
              - {name: name, in: path, required: true, schema: {const: a/b.c}}
              - {name: kind, in: path, required: true, schema: {const: txt}}
              - {name: rev, in: path, required: true, schema: {type: integer}}
            """)
        #expect(validator.findings(in: StubRequest(method: .get, target: "/files/a%2Fb.c.txt(rev=7)")) == [])
        #expect(
            validator.findings(in: StubRequest(method: .get, target: "/files/a/b.c.txt(rev=7)")).map(\.kind) == [.path])
    }
}
#endif
