#if Server
import NetCore
import NetSocket
import NetSocketServer
import NetTesting
import TestSupport
import Testing

@Suite struct PresenceTests {
    @Test func `A member is told who is here, and the others who has come and gone`() async throws {
        var router = SocketRouter<User>()
        router.channel("room:*") { join in
            let details = SocketPayload(json: #"{"color":"red"}"#)
            return ChannelRules(presence: join.principal.name, details: details)
        }
        try await ServerWorld.run(router) { world in
            try await world.client("ada").withConnection { ada in
                let pushes = ada.events()
                var heard = pushes.makeAsyncIterator()
                try await ada.join("room:1")
                let alone = try await heard.nextPush("presence_state")
                #expect(alone?.contains(#""ada":{"metas":[{"#) == true)
                #expect(alone?.contains(#""color":"red""#) == true)
                try await world.client("bob").withConnection { bob in
                    var bobs = bob.events().makeAsyncIterator()
                    try await bob.join("room:1")
                    let both = try await bobs.nextPush("presence_state")
                    #expect(both?.contains("ada") == true)
                    #expect(both?.contains("bob") == true)
                    let came = try await heard.nextPush("presence_diff")
                    #expect(came?.hasPrefix(#"{"joins":{"bob""#) == true)
                }
                let gone = try await heard.nextPush("presence_diff")
                #expect(gone?.hasPrefix(#"{"joins":{},"leaves":{"bob""#) == true)
            }
        }
    }
}

extension SocketSequence.Iterator where Element == SocketSessionEvent {
    /// Returns the payload of the next push with a name.
    mutating func nextPush(_ event: String) async throws -> String? {
        while let next = try await next() {
            if case .push(let push) = next, push.event == event { return push.payload?.json }
        }
        return nil
    }
}
#endif
