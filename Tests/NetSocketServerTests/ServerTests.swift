#if Server
import NetSocketServer
import Testing

@Suite struct PresenceMemberTests {
    @Test func `A member has no details unless they are given`() {
        #expect(PresenceMember(key: "ada", connection: "1", node: "a").details == nil)
    }
}
#endif
