import NetSocketCore
import Testing

struct GraphQLSubscriptionTests {
    private struct Count: Codable, Sendable { var count: Int }

    private let operation = GraphQLSubscription("subscription { count }", as: Count.self)

    private func event(_ json: String) throws -> Count? {
        try operation.event(in: SocketPayload(json: json), .standard)
    }

    @Test func anErrorWithoutDataHasItsCodeAndItsMessage() throws {
        let json = #"{"errors":[{"message":"not for you","extensions":{"code":"FORBIDDEN"}},{"message":"nor this"}]}"#
        let failure = #expect(throws: SocketFailure.self) { try event(json) }
        #expect(failure == SocketFailure("FORBIDDEN", "not for you", details: SocketPayload(json: json)))
    }

    @Test(arguments: [
        #"{"data":null,"errors":[{"message":"no"}]}"#, #"{"errors":[{"message":"no","extensions":{"code":null}}]}"#,
    ])
    func anErrorWithoutACodeHasTheCodeError(json: String) throws {
        let failure = #expect(throws: SocketFailure.self) { try event(json) }
        #expect(failure?.code == "error")
        #expect(failure?.message == "no")
    }

    @Test func anErrorBesideDataIsAnEvent() throws {
        #expect(try event(#"{"data":{"count":7},"errors":[{"message":"half"}]}"#)?.count == 7)
    }

    @Test(arguments: ["{}", #"{"data":null}"#, #"{"data":null,"errors":[]}"#])
    func aResultWithNeitherIsNoEvent(json: String) throws {
        #expect(try event(json) == nil)
    }
}
