import Foundation
import HTTPTypes
import NetCore
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct CurlTests {
    /// Returns the arguments that a shell passes to `curl`: here to a shell function that prints each argument followed
    /// by a NUL.
    private func arguments(of command: String) async throws -> [String] {
        let output = try await Tool.run(["sh", "-c", "curl() { printf '%s\\0' \"$@\"; }\n" + command])
        return output.split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The options that prevent curl's default headers.
    private let unset = ["-H", "User-Agent:", "-H", "Accept:"]

    private func request(
        _ method: HTTPRequest.Method = .get, path: String = "/a?b=c", headers: HTTPFields = [:],
        body: RequestBody.Content = .none, authority: String = "h"
    ) -> PreparedRequest {
        PreparedRequest(
            head: HTTPRequest(method: method, scheme: "http", authority: authority, path: path, headerFields: headers),
            body: body)
    }

    @Test func theShellReadsBackWhatWasWritten() async throws {
        var texts =
            Samples.hostile.filter { !$0.contains("\0") } + ["'; echo evil; '", "'\u{301}; echo evil; '", "a\nb"]
        let random = SeededRandom(seed: 10)
        for _ in 0..<20 { texts.append(Samples.text(random, length: 20).filter { $0 != "\0" }) }
        for text in texts where !text.isEmpty && !text.unicodeScalars.contains("\0") {
            let made = request(.post, headers: [.contentType: "x'y"], body: .bytes(Bytes(text.utf8)))
            let expected =
                ["-X", "POST", "-H", "Content-Type: x'y"] + unset + ["--data-raw", text, "http://h/a?b=c"]
            #expect(try await arguments(of: made.curl(.compact)) == expected)
        }
    }

    @Test func bothLayoutsAreTheSameCommand() async throws {
        let made = request(.put, headers: [.accept: "a", .userAgent: ""], body: .bytes(Bytes("x".utf8)))
        #expect(made.curl(.multiline).contains(" \\\n  "))
        #expect(try await arguments(of: made.curl()) == arguments(of: made.curl(.compact)))
        #expect(try await arguments(of: made.curl()).contains("User-Agent;"))
    }

    @Test func methodsAndBodiesTakeTheirOptions() async throws {
        #expect(try await arguments(of: request().curl()) == unset + ["http://h/a?b=c"])
        #expect(try await arguments(of: request(.head).curl()) == ["-I"] + unset + ["http://h/a?b=c"])
        let nothing = ["-H", "Content-Type:", "--data-raw", "", "http://h/a?b=c"]
        for method in [HTTPRequest.Method.post, .put, .patch] {
            #expect(
                try await arguments(of: request(method).curl()) == ["-X", method.rawValue] + unset + nothing)
        }
        #expect(try await arguments(of: request(.delete).curl()) == ["-X", "DELETE"] + unset + ["http://h/a?b=c"])
        #expect(
            try await arguments(of: request(body: .bytes(Bytes())).curl()) == ["-X", "GET"] + unset + nothing)
        for path in ["/a/../b", "/./b", "/a/%2e%2E", "/..?q"] {
            #expect(request(path: path).curl().contains("--path-as-is"), "\(path)")
        }
        for path in ["/a//b", "/a?x=/../", "/a../.b/..."] {
            #expect(!request(path: path).curl().contains("--path-as-is"), "\(path)")
        }
        let framed = request(.post, headers: [.contentLength: "3", .transferEncoding: "chunked"])
        #expect(!framed.curl().contains("3"))
        #expect(!framed.curl().contains("chunked"))
        let binary = request(.post, headers: [.contentType: "x"], body: .bytes([0xff, 0]))
        #expect(try await arguments(of: binary.curl()).contains("@body.bin"))
        #expect(request(path: "/{a}").curl().contains("--globoff"))
    }

    @Test func aCommandThatIsCutStaysOneForAShellAndSaysWhatIsMissing() async throws {
        for style in [PreparedRequest.CurlStyle.compact, .multiline] {
            let text = String(repeating: "é'\n", count: 1000)
            let made = request(.post, headers: [.contentType: "x"], body: .bytes(Bytes(text.utf8)))
            let command = made.curl(style, maximumBytes: 102)
            let read = try await arguments(of: command)
            #expect(read.last == "http://h/a?b=c")
            let place = try #require(read.firstIndex(of: "--data-raw"))
            // Never within a character; the rest of the budget is for the body.
            #expect(text.hasPrefix(read[place + 1]))
            #expect((70...73).contains(read[place + 1].utf8.count))
            #expect(command.contains("# cut: "))
            #expect(command.contains("of 4000 bytes of the body"))
            #expect(made.curl(style, maximumBytes: 100_000) == made.curl(style))
            let long = request(path: "/" + String(repeating: "p", count: 500), headers: [.accept: "a", .from: "b"])
            let cut = long.curl(style, maximumBytes: 100)
            #expect(try await arguments(of: cut).last?.utf8.count == 100)
            #expect(cut.contains("of the URL"))
            #expect(cut.contains("2 fields"))
        }
    }

    @Test func secretsAreHidden() {
        let made = request(path: "/a?token=SECRET", headers: [.authorization: "SECRET", .cookie: "SECRET"])
        #expect(!made.curl().contains("SECRET"))
        #expect(!made.description.contains("SECRET"))
        #expect(made.curl(redaction: .disabled).contains("SECRET"))
    }

    @Test func realCurlSendsTheSameRequest() async throws {
        // One connection to Python's own HTTP server; the command runs as printed.
        let program = """
            import http.server, json, subprocess, sys, threading
            seen = []
            class Handler(http.server.BaseHTTPRequestHandler):
                def answer(self):
                    body = self.rfile.read(int(self.headers.get('Content-Length', 0)))
                    seen.append([self.command, self.path, self.headers.get('Content-Type', ''),
                                 self.headers.get('X-Note', ''), body.hex()])
                    self.send_response(200); self.send_header('Content-Length', '0'); self.end_headers()
                do_GET = do_POST = do_PUT = do_HEAD = do_PURGE = answer
                def log_message(self, *args): pass
            server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            for command in json.load(sys.stdin):
                command = command.replace('PORT', str(server.server_port))
                subprocess.run(['sh', '-c', command], check=True, timeout=20, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
            json.dump(seen, sys.stdout)
            """
        let note = HTTPField.Name("X-Note")
        let purge = try #require(HTTPRequest.Method("PURGE"))
        let text = "it's \"ü\"\n@x $HOME `id`"
        let requests = [
            request(path: "/a%2Fb?q='x'&{y}=[1]", headers: [note: "it's"], authority: "127.0.0.1:PORT"),
            request(.head, path: "/h", authority: "127.0.0.1:PORT"),
            request(purge, path: "/p", authority: "127.0.0.1:PORT"),
            request(
                .post, path: "/t", headers: [.contentType: "text/plain"], body: .bytes(Bytes(text.utf8)),
                authority: "127.0.0.1:PORT"),
            request(.put, path: "/n", body: .bytes(Bytes("a=b".utf8)), authority: "127.0.0.1:PORT"),
        ]
        let seen = try await Tool.python(program, requests.map { $0.curl() }, as: [[String]].self)
        let hex = Array(text.utf8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(
            seen == [
                ["GET", "/a%2Fb?q='x'&{y}=[1]", "", "it's", ""], ["HEAD", "/h", "", "", ""],
                ["PURGE", "/p", "", "", ""],
                ["POST", "/t", "text/plain", "", hex], ["PUT", "/n", "", "", "613d62"],
            ])
    }

    @Test(
        arguments: [
            (
                #"{"next":"https://h/x?access_token=SECRET&page=2"}"#,
                #"{"next":"https://h/x?access_token=<redacted>&page=2"}"#
            ),
            (#"{"a":["https:\/\/u:SECRET@h\/x"]}"#, #"{"a":["https://<redacted>@h/x"]}"#),
            (
                #"{"payload":"{\"token\":\"SECRET\",\"id\":7}"}"#,
                #"{"payload":"{\"token\":\"<redacted>\",\"id\":7}"}"#
            ),
            (#"{"a":"mail bob@h.test or see https://h/x, {braces} and 1/2"}"#, nil),
            (#"{"a":"/me/@x","b":"a/b"}"#, nil),
            (
                #"{"newPassword":"SECRET","code_verifier":"SECRET"}"#,
                #"{"newPassword":"<redacted>","code_verifier":"<redacted>"}"#
            ),
        ] as [(String, String?)])
    func secretsWithinTextsOfJSONAreHidden(body: String, shown: String?) {
        let made = request(.post, headers: [.contentType: "application/json"], body: .bytes(Bytes(body.utf8)))
        #expect(made.curl(.compact).contains("--data-raw '\(shown ?? body)'"))
    }

    @Test(
        arguments: [
            ("payload=%7B%22token%22%3A%22SECRET%22%7D&a=b", #"payload={"token":"<redacted>"}&a=b"#),
            ("to=https%3A%2F%2Fh%2F%3Ftoken%3DSECRET", "to=https://h/?token=<redacted>"),
            ("client_assertion=SECRET&code_verifier=SECRET", "client_assertion=<redacted>&code_verifier=<redacted>"),
            ("a=x+y%20z&b=%2F", nil),
        ] as [(String, String?)])
    func secretsWithinValuesOfFormsAreHidden(body: String, shown: String?) throws {
        let type = "application/x-www-form-urlencoded"
        let command = request(.post, headers: [.contentType: type], body: .bytes(Bytes(body.utf8))).curl(.compact)
        let rest = try #require(command.components(separatedBy: "--data-raw '").last)
        let written = try #require(rest.components(separatedBy: "'").first)
        #expect(shown == nil ? written == body : PercentEncoding.decode(written) == shown)
    }
}
