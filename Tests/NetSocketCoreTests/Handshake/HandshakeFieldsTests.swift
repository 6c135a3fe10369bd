import HTTPTypes
import Testing

@testable import NetSocketCore

/// Lists of tokens in headers (RFC 9110 section 5.6).
struct HandshakeFieldsTests {
    @Test func aListHasItsElementsWithoutEmptyOnes() {
        #expect(HandshakeFields.list(nil) == [])
        for (value, elements) in [
            ("", []), (" ", []), (",", []), ("a", ["a"]), (" a\t", ["a"]), ("a,b", ["a", "b"]),
            (" ,a \t, ,b c,", ["a", "b c"]), ("ä , ö", ["ä", "ö"]), ("\ta", ["a"]), ("a\t,", ["a"]),
        ] as [(String, [String])] { #expect(HandshakeFields.list(value) == elements, "\(value)") }
    }

    @Test func aTokenIsFoundInAnyCase() {
        for (value, isFound) in [
            ("upgrade", true), ("UPGRADE", true), ("Upgrade", true), (" keep-alive , UPgrade\t", true),
            ("upgrades", false),
            ("upgrad", false), ("up grade", false), ("", false), ("xupgrade", false), ("upgrade;q=1", false),
        ] { #expect(HandshakeFields.list(value, has: "upgrade") == isFound, "\(value)") }
        #expect(!HandshakeFields.list(nil, has: "upgrade"))
        // The first and the last letter have a lowercase form, the characters next to them don't.
        #expect(HandshakeFields.list("AZ", has: "az"))
        #expect(HandshakeFields.list("@[", has: "@["))
        #expect(!HandshakeFields.list("@", has: "`"))
        #expect(!HandshakeFields.list("[", has: "{"))
        #expect(!HandshakeFields.list("a", has: "A"), "the token is in lower case")
    }

    @Test func aSubprotocolIsAToken() {
        for text in ["a", "chat.v2", "graphql-ws", "!#$%&'*+-.^_`|~09"] { #expect(HandshakeFields.isToken(text)) }
        for text in ["", " ", "a b", "a,b", "a/b", "ä", "a\r\n", "\"a\""] { #expect(!HandshakeFields.isToken(text)) }
    }

    @Test func headersSetByTheHandshakeAreReserved() throws {
        for name in [
            "Host", "Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Protocol",
            "Sec-WebSocket-Extensions", "Sec-WebSocket-Accept", "Content-Length", "Transfer-Encoding", "Trailer",
            "Expect",
        ] { #expect(HandshakeFields.owned.contains(try #require(HTTPField.Name(name)))) }
        #expect(HandshakeFields.owned.count == 12)
    }

    @Test func aKeyIsSixteenBytesInBase64() {
        for (key, isKey) in [
            ("dGhlIHNhbXBsZSBub25jZQ==", true), ("AAAAAAAAAAAAAAAAAAAAAA==", true), ("AAAAAAAAAAAAAAAAAAAAAAA=", false),
            ("AAAAAAAAAAAAAAAAAAAAAAAA", false), ("AAAAAAAAAAAAAAAAAAAA==", false), ("", false), ("==", false),
            ("AAAAAAAAAAAAAAAAAAAAAA==AAAA", false), ("AAAAAAAAAAAAAAAAAAAA!A==", false),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAA==", false),
        ] { #expect(AcceptKey.isKey(key) == isKey, "\(key)") }
        #expect(AcceptKey.accept(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }
}
