import HTTPTypes
import NetCore
import Testing

@Suite struct RequestOptionsTests {
    @Test func theDefaultsAskForNothingSpecial() {
        let options = RequestOptions()
        #expect(options.apiVersion == nil)
        #expect(options.absoluteURL == nil)
        #expect(options.baseURL == nil)
        #expect(options.timeouts == nil)
        #expect(options.idempotencyKey == nil)
        #expect(options.retry == nil)
        #expect(options.metadata == .none)
        #expect(options.middleware.isEmpty)
        #expect(options.redaction == nil)
        #expect(options.maximumResponseBytes == 67_108_864)
        #expect(options.decodesContent)
        #expect(!options.sendsCredentialsToOtherOrigins)
        #expect((100..<600).filter { options.validation.isAcceptable($0) } == Array(200..<300))
        #expect(
            Timeouts() == Timeouts(connect: .seconds(10), firstByte: .seconds(30), stall: .seconds(30), total: nil))
    }

    @Test func theNameToShowIsNotTheNameToGroupBy() {
        let both = RequestMetadata(name: "Get a user", operationID: "getUser", tags: ["users"])
        #expect(both.displayName == "Get a user")
        #expect(both.operationName == "getUser")
        #expect(both.tags == ["users"])
        let named = RequestMetadata(name: "Get a user")
        #expect(named.displayName == "Get a user")
        #expect(named.operationName == "Get a user")
        let identified = RequestMetadata(operationID: "getUser")
        #expect(identified.displayName == "getUser")
        #expect(identified.operationName == "getUser")
        #expect(RequestMetadata.none.displayName == nil)
        #expect(RequestMetadata.none.operationName == nil)
    }
}
