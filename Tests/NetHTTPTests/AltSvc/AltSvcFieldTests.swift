import NetTesting
import Testing

@testable import NetCore
@testable import NetHTTP

@Suite struct AltSvcFieldTests {
    /// Returns `PROTOCOL HOST PORT AGE PERSISTS`, one for each member.
    private func read(_ text: String) -> [String] {
        AltSvcField(text).members.map {
            "\($0.protocolName) \($0.host) \($0.port) \($0.maximumAge) \($0.isPersistent ? 1 : 0)"
        }
    }

    @Test(
        "Fields are read as RFC 7838 section 3 says",
        arguments: [
            (#"h2=":8000""#, ["h2  8000 86400 0"]),
            (#"h2="alt.example.com:443", h2=":443""#, ["h2 alt.example.com 443 86400 0", "h2  443 86400 0"]),
            (#"h3-25=":443"; ma=3600, h2=":443"; ma=3600"#, ["h3-25  443 3600 0", "h2  443 3600 0"]),
            (#"h2=":443"; ma=2592000; persist=1"#, ["h2  443 2592000 1"]),
            (#"h2=":443";ma="60";MA=7;persist=2;x=",;y""#, ["h2  443 60 0"]),
            (#"http%2f1.1="ALT.example:80" ;  ma=0"#, ["http/1.1 alt.example 80 0 0"]),
            (#"w%3Dx%3Ay%23z="[2001:DB8::1]:443""#, ["w=x:y#z [2001:db8::1] 443 86400 0"]),
            (#",, h2=":1" ,, h3="\:2",\#t"#, ["h2  1 86400 0", "h3  2 86400 0"]),
            (#"h2=":65535"; ma=99999999999999999999"#, ["h2  65535 \(Int64.max) 0"]),
        ]) func headers(text: String, members: [String])
    {
        #expect(read(text) == members)
    }

    @Test(
        "A malformed member is passed over",
        arguments: [
            "h2", "h2=", "h2=:443", "h2=\"443\"", "h2=\"\"", "h2=\":\"", "h2=\":0\"", "h2=\":65536\"", "h2=\":+1\"",
            "h2=\":99999999999999999999\"", "h2=\"a b:1\"", "h2=\"a/b:1\"", "h2=\"u@a:1\"", "h2=\"a,b:1\"",
            "h2=\"ä.example:1\"", "h2=\"::1:1\"", "h2=\"[::1:1\"", "h2=\"[fe80::1%25eth0]:1\"", "h2=\"[]:1\"",
            "=\":1\"",
            "h%2=\":1\"", "h%zz=\":1\"", "h%ff=\":1\"", "h2 =\":1\"", "h2= \":1\"", "h2=\":1\" x", "h2=\":1\"; ma",
            "h2=\":1\"; ma=", "h2=\":1\"; ma=-1", "h2=\":1\"; ma=1.5", "h2=\":1\"; ma=\"\"", "h2=\":1\"; x=\"a,b",
            "\"h2\"=\":1\"",
        ]) func malformed(member: String)
    {
        #expect(read(member).isEmpty)
        #expect(read("h3=\":7\", " + member).first == "h3  7 86400 0")
        // Within an unterminated quoted string, a comma isn't a separator.
        if member.filter({ $0 == "\"" }).count.isMultiple(of: 2) {
            #expect(read(member + ", h3=\":7\"") == ["h3  7 86400 0"])
        }
    }

    @Test func clearTakesAllBack() {
        for text in ["clear", " clear ", "h2=\":1\", clear", "clear,h2=\":1\""] {
            #expect(AltSvcField(text).isClear, "\(text)")
            #expect(AltSvcField(text).members.isEmpty, "\(text)")
        }
        for text in ["Clear", "clear=\":1\"", "clear x", "\"clear\"", "clear; ma=1", ""] {
            #expect(!AltSvcField(text).isClear, "\(text)")
        }
    }

    @Test func moreThanAFewMembersOrBytesAreNotRead() {
        let many = (1...100).map { "h2=\":\($0)\"" }.joined(separator: ",")
        #expect(read(many).count == AltSvcField.maximumMembers)
        #expect(read(many).first == "h2  1 86400 0")
        let tail = String(repeating: " ", count: AltSvcField.maximumBytes - 7)
        #expect(read("h2=\":1\"" + tail).count == 1)
        #expect(read("h2=\":1\" " + tail).isEmpty)
    }

    @Test func aFieldThatIsCutAnywhereBreaksNothing() {
        let text = #"h3="[2001:db8::1]:443"; ma=60; persist=1; x="\"", http%2F1.1="a.example:80", clear=":1""#
        for start in text.indices {
            for end in text.indices where end >= start { _ = AltSvcField(String(text[start..<end])) }
        }
    }

    @Test func noFieldBreaksTheReader() {
        let random = SeededRandom(seed: 5)
        let words = [
            "h2", "h3", "=", "\"", ":443", "[::1]", "a.example", ";", " ", ",", "ma", "persist", "1", "%", "%2F", "\\",
            "clear", "é", "\0", "-",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int(random.next() % 14)).map { _ in words[Int(random.next() % UInt64(words.count))] }
                .joined()
            let field = AltSvcField(text)
            for member in field.members {
                #expect((1...65_535).contains(member.port), "\(text)")
                #expect(member.maximumAge >= 0, "\(text)")
                #expect(member.host.isEmpty || AlternativeService.isHost(member.host), "\(text)")
            }
        }
    }
}
