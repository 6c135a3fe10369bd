#if Server
import NetSocketServer
import NetTesting
import Testing

@Suite struct PeerAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
        ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("2001:DB8:0:0:8:800:200C:417A", "2001:db8::8:800:200c:417a"),
        ("2001:db8::1:0:0:1", "2001:db8::1:0:0:1"), ("2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1"),
        ("1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("fe80::1%eth0", "fe80::1"),
        ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
        ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:C000:0201", "192.0.2.1"), ("::192.0.2.1", "::c000:201"),
        ("1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5:6:c000:201"),
    ]) func `An address has one text`(_ text: String, _ expected: String) {
        let address = PeerAddress(text)
        #expect(address?.description == expected)
        #expect(PeerAddress(expected) == address)
    }

    @Test(arguments: [
        "", ".", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.-4", "1.2.3.+4",
        "0x1.2.3.4", "1.2..4", "1.2.3.", "a.b.c.d", "1.2.3.4%eth0", "::ffff:1.2.3", ":", ":::", "1:::2", "::1::",
        "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "12345::", "g::",
        "1:2:3:4:5:6:7:",
        ":1:2:3:4:5:6:7", "1.2.3.4::", "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4", "[::1]", "%", "::1\u{0}", "１.2.3.4",
        "localhost", "1.2.3.4:80",
    ]) func `Other text is no address`(_ text: String) {
        #expect(PeerAddress(text) == nil)
    }

    @Test func `Every address can be read from its text`() {
        let random = SeededRandom(seed: 5).netRandom
        for _ in 0..<2000 {
            // Runs of zeros are the special case.
            let mask = random.next() & random.next()
            let address = PeerAddress(high: random.next() & mask, low: random.next() & mask.byteSwapped)
            #expect(PeerAddress(address.description) == address)
            let old = PeerAddress(ipv4: UInt32(truncatingIfNeeded: random.next()))
            #expect(PeerAddress(old.description) == old)
        }
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.1.2.3/8", "10.0.0.0", true),
        ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.6", false), ("192.0.2.7/32", "192.0.2.7", true),
        ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "::1", false), ("::/0", "2001:db8::1", true),
        ("::/0", "1.2.3.4", false), ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::", false),
        ("2001:db8::/64", "2001:db8::ffff:0:0:1", true), ("2001:db8::/64", "2001:db8:0:1::", false),
        ("2001:db8::/65", "2001:db8::8000:0:0:1", false), ("2001:db8::/127", "2001:db8::1", true),
        ("2001:db8::/127", "2001:db8::2", false), ("[::1]", "::1", true), ("::ffff:10.0.0.0/104", "10.9.9.9", true),
        ("10.0.0.0/8", "::ffff:10.1.1.1", true), ("192.168.1.128/25", "192.168.1.127", false),
        ("192.168.1.128/25", "192.168.1.200", true), ("0.0.0.0/1", "127.255.255.255", true),
        ("0.0.0.0/1", "128.0.0.0", false),
    ]) func `A range has the addresses with its prefix`(_ range: String, _ address: String, _ expected: Bool) throws {
        let range = try #require(AddressRange(range))
        let address = try #require(PeerAddress(address))
        #expect(range.contains(address) == expected)
    }

    @Test(arguments: [
        "", "/", "10.0.0.0/", "/8", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0.0/-1", "10.0.0.0/+8",
        "10.0.0.0/08888",
        "10.0.0.0/a", "10/8", "example.com", "::ffff:10.0.0.0/95", "[10.0.0.1", "10.0.0.0 /8",
    ]) func `Other text is no range`(_ text: String) {
        #expect(AddressRange(text) == nil)
    }
}
#endif
