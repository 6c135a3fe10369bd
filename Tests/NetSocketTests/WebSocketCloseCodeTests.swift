import NetCore
import Testing

/// RFC 6455 section 7.4: the codes that are allowed in a close frame.
struct WebSocketCloseCodeTests {
    @Test func codesThatMayBeSentAreThoseOfTheRegistryAndOfApplications() {
        let valid: [UInt16] = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 4999]
        for code in valid { #expect(WebSocketCloseCode(rawValue: code).isValidOnWire, "\(code)") }
        let invalid: [UInt16] = [0, 999, 1004, 1005, 1006, 1015, 1016, 1999, 2000, 2999, 5000, 65_535]
        for code in invalid { #expect(!WebSocketCloseCode(rawValue: code).isValidOnWire, "\(code)") }
    }
}
