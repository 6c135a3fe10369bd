#if Server
import HTTPTypes
import NetCore
import NetSocketServer
import NetTesting
import Testing

@Suite struct ForwardedAddressTests {
    private let proxies = TrustedProxies(["10.0.0.0/8", "2001:db8:1::/48"])

    private func client(
        _ forwarded: String? = nil, xForwardedFor: String? = nil, peer: String? = "10.0.0.1",
        _ proxies: TrustedProxies? = nil
    ) -> String {
        var headers = HTTPFields()
        if let forwarded { headers["Forwarded"] = forwarded }
        if let xForwardedFor { headers["X-Forwarded-For"] = xForwardedFor }
        let address = peer.flatMap { PeerAddress($0) }
        return ForwardedAddress.client(peer: address, headers: headers, proxies: proxies ?? self.proxies).text
    }

    // MARK: Trust

    @Test func `Nobody is taken at the word of a peer that isn't trusted`() {
        #expect(client("for=192.0.2.1", xForwardedFor: "192.0.2.1", peer: "203.0.113.7") == "203.0.113.7")
        #expect(client("for=192.0.2.1", peer: "10.0.0.1", TrustedProxies.none) == "10.0.0.1")
        #expect(client("for=192.0.2.1", peer: nil) == "unix:")
        #expect(client("for=192.0.2.1", peer: nil, .loopback) == "192.0.2.1")
        #expect(client("for=192.0.2.1", peer: "::ffff:127.0.0.1", .loopback) == "192.0.2.1")
    }

    @Test func `Without a header, the proxy is the client`() {
        #expect(client() == "10.0.0.1")
        #expect(client("") == "10.0.0.1")
        #expect(client(xForwardedFor: "") == "10.0.0.1")
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"),
        ("198.51.100.9, 192.0.2.1", "192.0.2.1"),
        ("198.51.100.9, 192.0.2.1, 10.0.0.2", "192.0.2.1"),
        ("198.51.100.9,192.0.2.1 ,\t10.0.0.3,10.0.0.2", "192.0.2.1"),
        ("garbage, 192.0.2.1", "192.0.2.1"),
        ("10.9.9.9, 10.0.0.2", "10.9.9.9"),
        ("192.0.2.1:4711", "192.0.2.1"), ("2001:db8::5", "2001:db8::5"), ("[2001:db8::5]:443", "2001:db8::5"),
        ("[2001:db8::5]", "2001:db8::5"), ("192.0.2.1, 2001:db8:1::7", "192.0.2.1"),
        ("unknown, 10.0.0.2", "10.0.0.2"), ("192.0.2.1, unknown", "10.0.0.1"),
        ("garbage", "10.0.0.1"), ("192.0.2.1, garbage", "10.0.0.1"), ("192.0.2.1,", "10.0.0.1"),
        ("192.0.2.1, _hidden", "10.0.0.1"), ("192.0.2.1:x", "10.0.0.1"), ("192.0.2.256", "10.0.0.1"),
        ("\"192.0.2.1\"", "10.0.0.1"),
    ]) func `X-Forwarded-For is walked from the right`(_ header: String, _ expected: String) {
        #expect(client(xForwardedFor: header) == expected)
    }

    @Test(arguments: [
        ("for=192.0.2.43", "192.0.2.43"),
        ("For=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
        ("for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60"),
        ("for=192.0.2.43, for=198.51.100.17", "198.51.100.17"),
        ("for=192.0.2.43, for=10.0.0.2", "192.0.2.43"),
        ("for=192.0.2.43,for=\"10.0.0.2:80\";by=_x", "192.0.2.43"),
        ("proto=https; for=192.0.2.43 ; host=\"a;b,c\"", "192.0.2.43"),
        ("FOR=\"192.0.2.43:_port\"", "192.0.2.43"),
        ("for=_SEVKISEK", "_SEVKISEK"), ("for=\"_gazonk:80\"", "_gazonk"), ("for=_a.b-c", "_a.b-c"),
        ("for=unknown", "10.0.0.1"), ("for=\"unknown:80\"", "10.0.0.1"), ("for=192.0.2.43, for=Unknown", "10.0.0.1"),
        ("for=192.0.2.43, proto=https", "10.0.0.1"), ("for=unknown, for=10.0.0.2", "10.0.0.2"),
        ("for=\"192.0.2.4\\3\"", "192.0.2.43"), (", for=192.0.2.43,,", "192.0.2.43"),
        ("for=\"[::ffff:192.0.2.43]\"", "192.0.2.43"),
        // Malformed.
        ("for=", "10.0.0.1"), ("for", "10.0.0.1"), ("for=192.0.2.43;for=192.0.2.44", "10.0.0.1"),
        ("for=[2001:db8::1]", "10.0.0.1"), ("for=\"2001:db8::1\"", "10.0.0.1"), ("for=\"[2001:db8::1\"", "10.0.0.1"),
        ("for=\"[192.0.2.1]\"", "10.0.0.1"), ("for=\"[2001:db8::1]80\"", "10.0.0.1"),
        ("for=\"192.0.2.1:\"", "10.0.0.1"),
        ("for=\"192.0.2.1:123456\"", "10.0.0.1"), ("for=192.0.2.1:80", "10.0.0.1"), ("for=\"_\"", "10.0.0.1"),
        ("for=\"_a b\"", "10.0.0.1"), ("for=192.0.2.43 for=1.2.3.4", "10.0.0.1"), ("for = 192.0.2.43", "10.0.0.1"),
        ("for=\"192.0.2.43", "10.0.0.1"), ("for=192.0.2.43;", "10.0.0.1"), ("for=example.com", "10.0.0.1"),
        ("for=\"\", for=192.0.2.43, x", "10.0.0.1"), ("for=\", for=192.0.2.43", "10.0.0.1"),
    ]) func `Forwarded is read with all of its syntax`(_ header: String, _ expected: String) {
        #expect(client(header) == expected)
    }

    @Test func `Several fields are one list`() {
        var headers = HTTPFields()
        headers.append(HTTPField(name: "Forwarded", value: "for=198.51.100.9"))
        headers.append(HTTPField(name: "Forwarded", value: "for=192.0.2.1"))
        headers.append(HTTPField(name: "Forwarded", value: "for=10.0.0.2"))
        let client = ForwardedAddress.client(peer: PeerAddress("10.0.0.1"), headers: headers, proxies: proxies)
        #expect(client.text == "192.0.2.1")
    }

    /// A proxy writes one of the headers; the other one then comes from the client, who could write anything into it.
    @Test func `A client can't add the header that its proxy doesn't write`() {
        #expect(client("for=198.51.100.9", xForwardedFor: "192.0.2.1") == "10.0.0.1")
        #expect(client("for=192.0.2.1", xForwardedFor: "198.51.100.9, 192.0.2.1") == "192.0.2.1")
        #expect(client("nonsense", xForwardedFor: "192.0.2.1") == "10.0.0.1")
        var proxies = proxies
        proxies.header = .xForwardedFor
        #expect(client("for=198.51.100.9", xForwardedFor: "192.0.2.1", proxies) == "192.0.2.1")
        #expect(client("for=198.51.100.9", proxies) == "10.0.0.1")
        proxies.header = .forwarded
        #expect(client("for=198.51.100.9", xForwardedFor: "192.0.2.1", proxies) == "198.51.100.9")
    }

    @Test func `Damage at any place makes no trap, and no client that isn't named`() {
        let header = "for=192.0.2.43;proto=\"a\\\"b\", for=\"[2001:db8:cafe::17]:4711\";by=_x , for=10.0.0.2"
        let bytes = Array(header.utf8)
        for offset in 0...bytes.count {
            for byte in [
                UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "["), 0x80, UInt8(ascii: "\\"),
            ] {
                for damaged in [
                    bytes[..<offset] + [byte] + bytes[offset...],
                    bytes[..<offset] + [byte] + bytes[offset...].dropFirst(),
                    bytes[..<offset] + bytes[offset...].dropFirst(), bytes[..<offset],
                ] {
                    let text = String(decoding: damaged, as: UTF8.self)
                    for result in [client(text), client(xForwardedFor: text)] {
                        #expect(PeerAddress(result) != nil || result.hasPrefix("_"))
                    }
                }
            }
        }
    }

    // MARK: Keys

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("::1", "::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
    ]) func `IPv6 addresses count by their network`(_ address: String, _ key: String) {
        #expect(ForwardedAddress(PeerAddress(address)).limitKey == key)
    }

    @Test func `Hidden clients count by their name, and peers without an address don't`() {
        #expect(ForwardedAddress(hidden: "_x").limitKey == "_x")
        #expect(ForwardedAddress(nil).limitKey == nil)
    }
}

@Suite struct TrustedProxiesTests {
    @Test func `Entries that are no addresses match nothing and are told`() {
        let proxies: TrustedProxies = ["10.0.0.0/8", "example.com", "10.0.0.0/99", "unix:"]
        #expect(throws: NetError.self) { try proxies.validate() }
        let error = #expect(throws: NetError.self) { try proxies.validate() }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("\"example.com\", \"10.0.0.0/99\"") == true)
        #expect(throws: Never.self) { try TrustedProxies.privateNetworks.validate() }
        #expect(throws: Never.self) { try TrustedProxies.loopback.validate() }
        #expect(proxies.contains(PeerAddress("10.1.1.1")))
        #expect(!proxies.contains(PeerAddress("11.1.1.1")))
        #expect(proxies.contains(nil))
        #expect(!TrustedProxies.none.contains(nil))
        #expect(proxies.header == .any)
    }

    @Test(arguments: [
        "127.0.0.1", "::1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1", "169.254.1.1",
        "fd00::1", "fe80::1",
    ]) func `Private networks are private`(_ address: String) {
        #expect(TrustedProxies.privateNetworks.contains(PeerAddress(address)))
    }

    @Test(arguments: ["172.32.0.1", "192.169.0.1", "100.128.0.1", "11.0.0.0", "2001:db8::1", "fec0::1", "203.0.113.1"])
    func `Others aren't`(_ address: String) {
        #expect(!TrustedProxies.privateNetworks.contains(PeerAddress(address)))
    }
}
#endif
