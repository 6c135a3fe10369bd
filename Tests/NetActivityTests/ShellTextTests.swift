#if Tools
import Testing

@testable import net_activity

@Suite struct ShellTextTests {
    @Test(arguments: [
        (
            "curl -H 'Authorization: Bearer <redacted>' 'http://h/'",
            "curl -H 'Authorization: Bearer '\"$AUTHORIZATION\"'' 'http://h/'"
        ),
        ("curl 'http://h/?api_key=<redacted:3f9a21c4>&a=1'", "curl 'http://h/?api_key='\"$API_KEY\"'&a=1'"),
        ("--data-raw '{\"password\":\"<redacted>\"}'", "--data-raw '{\"password\":\"'\"$PASSWORD\"'\"}'"),
        ("curl 'http://h/reset/<redacted>'", "curl 'http://h/reset/'\"$SECRET\"''"),
        ("--data-raw 'pin=%3Credacted%3A3f9a21c4%3E&a=%3Cb'", "--data-raw 'pin='\"$PIN\"'&a=%3Cb'"),
        // Text that only resembles a mark stays unchanged, as does everything before the end of the next mark.
        ("-H 'A: <redacted' -H 'B: <redacted:1>' 'http://h/'", "-H 'A: <redacted' -H 'B: <redacted:1>' 'http://h/'"),
    ]) func hiddenValuesAreVariables(command: String, expected: String) {
        #expect(ShellText(command).text == expected)
    }

    @Test func nothingSteersATerminal() throws {
        let text = ShellText("printf %s 'a\u{1b}[31mb\rc\td\u{202e}é'").text
        #expect(text == "printf %s 'a'$'\\x1b''[31mb'$'\\x0d''c\td'$'\\xe2\\x80\\xae''é'")
        let run = try Command.run("/bin/bash", ["-c", text])
        #expect(run.output == "a\u{1b}[31mb\rc\td\u{202e}é")
    }
}
#endif
