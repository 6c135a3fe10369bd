import NetCore
import NetSocketCore
import Testing

/// Commands, pushes and subscriptions as types.
struct SocketCommandTests {
    private struct Refresh: SocketCommand {
        static let event = "refresh"
        typealias Response = NoResponse
    }

    private struct Note: SocketPush {
        static let event = "note"
        var text: String?
    }

    private struct Plain: SocketSubscription {
        typealias Event = Int
        func payload(_ coding: JSONCoding) throws -> SocketPayload { SocketPayload(json: "{}") }
    }

    @Test func aCommandHasNoChannelByDefault() {
        #expect(Refresh().channel == nil)
    }

    @Test(arguments: ["{}", "null", "7", "[]", "\"x\""]) func anyPayloadIsNoResponse(json: String) throws {
        #expect(try SocketPayload(json: json).decoded(as: NoResponse.self) == NoResponse())
    }

    @Test func aPushWithoutAPayloadIsAnEmptyObject() throws {
        #expect(try WirePush(event: "note").decoded(as: Note.self).text == nil)
        let push = WirePush(event: "note", payload: SocketPayload(json: #"{"text":"a"}"#))
        #expect(try push.decoded(as: Note.self).text == "a")
        let wrong = WirePush(event: "note", payload: SocketPayload(json: "7"))
        let error = #expect(throws: NetError.self) { try wrong.decoded(as: Note.self) }
        #expect(error?.code == .decoding)
    }

    @Test func aSubscriptionDecodesItsEventsAndSaysNothingAtItsEnd() throws {
        #expect(try Plain().event(in: SocketPayload(json: "7"), .standard) == 7)
        #expect(throws: NetError.self) { try Plain().event(in: SocketPayload(json: "\"a\""), .standard) }
        #expect(try Plain().ending(.standard) == nil)
    }

    @Test func aGraphQLOperationIsWrittenWithWhatItHas() throws {
        let bare = try GraphQLSubscription("subscription { a }", as: Int.self).payload(.standard)
        #expect(try bare.decoded(as: JSONValue.self) == .object(["query": .string("subscription { a }")]))
        let operation = GraphQLSubscription(
            "q", variables: .object(["token": .string("PLANTED")]), operationName: "n", as: Int.self)
        #expect(
            try operation.payload(.standard).decoded(as: JSONValue.self)
                == .object([
                    "query": .string("q"), "variables": .object(["token": .string("PLANTED")]),
                    "operationName": .string("n"),
                ]))
        var text = ""
        dump(operation, to: &text)
        #expect(!text.contains("PLANTED"))
        #expect(text.contains("n"))
    }

    @Test func errorsTellWhetherACommandMayHaveArrived() {
        let sent = NetError(.timeout, phase: .waiting, message: "m")
        #expect(sent.mayHaveArrived)
        #expect(!sent.knowing(.unprocessed).mayHaveArrived)
        #expect(!NetError(.timeout, phase: .queued, message: "m").mayHaveArrived)
        #expect(NetError(.connectionLost, phase: .queued, message: "m").knowing(.unanswered).mayHaveArrived)
        #expect(SocketCommandError.failed(sent).description == "\(sent)")
        let rejected = SocketCommandError.rejected(SocketFailure("full", "later"))
        #expect(rejected.description == "the server refused the command: full: later")
    }
}
