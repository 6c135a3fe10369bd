#if Redis
import NetCore
import Testing

@testable import NetSocketServer

struct RedisErrorTests {
    @Test func `The first word in capitals is the kind`() {
        let error = RedisError("WRONGPASS invalid username-password pair")
        #expect(error.kind == "WRONGPASS")
        #expect(error.message == "invalid username-password pair")
        #expect(RedisError("ERR").kind == "ERR")
        #expect(RedisError("ERR").message.isEmpty)
        #expect(RedisError("").kind == "ERR")
        #expect(RedisError("user_script:1: oops") == RedisError("ERR user_script:1: oops"))
    }

    @Test func `The text is bounded, and has no control characters`() {
        let long = RedisError("OOM " + String(repeating: "x", count: 5000))
        #expect(long.kind == "OOM")
        #expect(long.message.count == 200)
        let word = RedisError(String(repeating: "A", count: 5000))
        #expect(word.kind == "ERR")
        #expect(word.message.count <= 200)
        #expect(RedisError("ERR a\u{1b}[2J\u{7f}b").message == "a [2J b")
    }

    @Test func `Arguments of an unknown command that a broker repeats aren't kept`() {
        let error = RedisError("ERR unknown command 'AUTH', with args beginning with: 'geheim' ")
        #expect(error.message == "unknown command 'AUTH'")
    }

    @Test func `An error says who refused what, and what to do`() throws {
        let address = try RedisAddress("redis://:geheim@h")
        let codes: [(String, NetError.Code, String)] = [
            ("OOM", .limited, "maxmemory"), ("READONLY", .connect, "primary"), ("MOVED", .unsupported, "cluster"),
            ("NOAUTH", .authentication, "password"), ("WRONGPASS", .authentication, "check"),
            ("NOPERM", .authentication, "permit"), ("LOADING", .connect, "later"), ("NOSCRIPT", .unknown, "script"),
            ("ERR", .unknown, "refused"),
        ]
        for (kind, code, word) in codes {
            let error = RedisError("\(kind) because").netError(from: address)
            #expect(error.code == code)
            #expect(error.phase == .receiving)
            #expect(error.message.contains("redis://h:6379/0"))
            #expect(error.message.contains(word))
            #expect(error.message.contains("(\(kind) because)"))
            #expect(!error.message.contains("geheim"))
            #expect((error.underlying as? RedisError)?.kind == kind)
        }
    }
}
#endif
