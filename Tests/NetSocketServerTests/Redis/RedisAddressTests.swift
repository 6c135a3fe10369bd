#if Redis
import NetCore
import Testing

@testable import NetSocketServer

struct RedisAddressTests {
    @Test func `An address has a host, a port, a database, and a user with a password`() throws {
        let full = try RedisAddress("redis://ann:ge%68eim@cache.test:7000/3")
        #expect(full.host == "cache.test")
        #expect(full.port == 7000)
        #expect(full.database == 3)
        #expect(!full.isSecure)
        #expect(full.user == "ann")
        #expect(full.password == "geheim")
        let short = try RedisAddress("redis://127.0.0.1")
        #expect(short.host == "127.0.0.1")
        #expect(short.port == 6379)
        #expect(short.database == 0)
        #expect(short.user == nil)
        #expect(short.password == nil)
        #expect(try RedisAddress("REDIS://h/").database == 0)
        #expect(try RedisAddress("rediss://h").isSecure)
    }

    @Test func `A password without a user is for the default user`() throws {
        let address = try RedisAddress("redis://:p%40%3A%2F%25@h")
        #expect(address.user == nil)
        #expect(address.password == "p@:/%")
        #expect(try RedisAddress("redis://:a:b@h").password == "a:b")
        #expect(try RedisAddress("redis://:a@b@h").password == "a@b")
        #expect(try RedisAddress("redis://:100%@h").password == "100%")
        #expect(try RedisAddress("redis://:@h").password == nil)
    }

    @Test func `An IPv6 address is in brackets, and is printed so`() throws {
        let address = try RedisAddress("redis://[::1]:7000/1")
        #expect(address.host == "::1")
        #expect(address.port == 7000)
        #expect(address.description == "redis://[::1]:7000/1")
    }

    @Test func `No description contains the user or the password`() throws {
        let address = try RedisAddress("rediss://ann:geheim@h")
        #expect(address.description == "rediss://h:6379/0")
        var text = "\(address) \(String(reflecting: address))"
        dump(address, to: &text)
        #expect(!text.contains("geheim"))
        #expect(!text.contains("ann"))
    }

    @Test(arguments: [
        ("", "begin"), ("http://h", "begin"), ("redis:/h", "begin"), ("redis://", "no host"), ("redis:///1", "no host"),
        ("redis://:6379", "no host"), ("redis://h:0", "port"), ("redis://h:65536", "port"), ("redis://h:x", "port"),
        ("redis://h:", "port"), ("redis://::1", "host"), ("redis://[::1", "host"), ("redis://a b", "host"),
        ("redis://h/x", "database"), ("redis://h/-1", "database"), ("redis://h/1/2", "database"),
        ("redis://h/99999999999", "database"), ("redis://h?db=1", "query"), ("redis://h#1", "fragment"),
        ("redis://ann@h", "colon"), ("redis://ann:@h", "without a password"), ("redis://:%ff@h", "UTF-8"),
        ("redis://:geheim/x@h", "host"), ("redis://:geheim?x@h", "query"), ("redis://geheim@h", "colon"),
    ])
    func `An invalid address says what is wrong, without the password`(text: String, part: String) {
        let error = #expect(throws: NetError.self) { try RedisAddress(text) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(part) == true)
        #expect(error?.message.contains("redis://[[user]:password@]host") == true)
        #expect(error?.message.contains("geheim") == false)
    }
}
#endif
