import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetStore

struct RedactionTests {
    @Test func noSecretReachesTheFile() async throws {
        let folder = try TemporaryFolder()
        let store = try ActivityStore(at: folder.file())
        let secret = "pl4nted-s3cret"
        var head = HTTPRequest(
            method: .post, scheme: "https", authority: "user:\(secret)@api.example.com",
            path: "/v1/items?key=\(secret)&page=2&access_token=\(secret)")
        head.headerFields[.authorization] = "Bearer \(secret)"
        head.headerFields[.cookie] = "session=\(secret)"
        let request = PreparedRequest(
            head: head, body: .bytes(Bytes(Array(secret.utf8))),
            options: RequestOptions(metadata: RequestMetadata(operationID: "addItem")))
        let context = CallContext(for: request, environment: CallContext.Environment(listeners: [store]))
        var headers = HTTPFields()
        headers[.setCookie] = "session=\(secret)"
        let response = NetError.FailedResponse(
            head: ResponseHead(status: .unauthorized, headers: headers), body: Bytes(Array(secret.utf8)))
        let error = context.error(
            .unacceptableStatus, phase: .validating, message: "401 is not accepted",
            underlying: CommandError(text: secret), response: response)
        context.record(.started(requestBytes: request.bodyLength))
        context.record(.attemptEnded(.init(number: 1, status: 401, error: error)))
        context.record(.retrying(attempt: 2, after: .seconds(1), reason: error.message))
        context.record(.ended(.failed(error)))
        try await store.flush()
        let open = try folder.allBytes()
        let item = try #require(try await store.items().first)
        try await store.close()
        #expect(item.host == "api.example.com")
        #expect(item.url?.contains("key=<redacted>&page=2") == true)
        #expect(item.status == 401)
        #expect(item.failure?.message == "401 is not accepted")
        for bytes in [open, try folder.allBytes()] {
            #expect(bytes.range(of: Data("addItem".utf8)) != nil, "the call is there")
            #expect(bytes.range(of: Data(secret.utf8)) == nil, "the secret is not")
        }
    }
}
