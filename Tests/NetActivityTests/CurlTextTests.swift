#if Tools
import Testing

@testable import net_activity

@Suite struct CurlTextTests {
    @Test(arguments: [
        (
            "curl -H 'Authorization: Bearer <redacted>' 'http://h/'",
            "curl -H 'Authorization: Bearer '\"$AUTHORIZATION\"'' 'http://h/'"
        ),
        ("curl 'http://h/?api_key=<redacted:3f9a21c4>&a=1'", "curl 'http://h/?api_key='\"$API_KEY\"'&a=1'"),
        ("--data-raw '{\"password\":\"<redacted>\"}'", "--data-raw '{\"password\":\"'\"$PASSWORD\"'\"}'"),
        ("curl 'http://h/reset/<redacted>'", "curl 'http://h/reset/'\"$SECRET\"''"),
    ]) func hiddenValuesAreVariables(command: String, expected: String) {
        #expect(CurlText.withVariables(command) == expected)
    }

    @Test func nothingSteersATerminal() throws {
        let text = CurlText.withoutControls("printf %s 'a\u{1b}[31mb\rc\td'")
        #expect(text == "printf %s 'a'$'\\U0000001b''[31mb'$'\\U0000000d''c\td'")
        let run = try Command.run("/bin/bash", ["-c", text])
        #expect(run.output == "a\u{1b}[31mb\rc\td")
    }
}
#endif
