#if Tools && Server
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@testable import NetStore

/// `net-activity diff` of calls made by a client.
@Suite(.timeLimit(.minutes(2))) struct DiffCommandTests {
    @Test func `two calls are compared with their requests`() async throws {
        let item = ChangingAnswer(StubResponse.text(#"{"price": 12}"#).header(.contentType, "application/json"))
        try await ReplayBench.run([item.stub(.post, "/items")]) { bench in
            let first = try await bench.record(
                Request("items", method: .post, headers: [.accept: "*/*"], body: .text("a")))
            let same = try await bench.record(
                Request("items", method: .post, headers: [.accept: "*/*"], body: .text("a")))
            item.change(to: StubResponse.text(#"{"price": 13}"#).header(.contentType, "application/json"))
            let second = try await bench.record(
                Request("items", method: .post, headers: [.accept: "text/html"], body: .text("b")))
            let equal = try await bench.run("diff", [first, same])
            #expect(equal.exitCode == 1, "\(equal.output)")
            #expect(equal.output.contains("The calls are the same."), "\(equal.output)")
            let diff = try await bench.run("diff", [first, second])
            #expect(diff.exitCode == 0, "\(diff.errors)")
            for line in [
                "The calls differ: request headers, request body, body.", "accept: */* → text/html",
                #"line 1: "a" → "b""#, "$.price: 12 → 13",
            ] { #expect(diff.output.contains(line), "\(line) in \(diff.output)") }
            let json = try await bench.run("diff", [first, second, "--json"])
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
            #expect(object["first"] as? String == first)
            #expect(object["second"] as? String == second)
            #expect(try await bench.run("diff", [first, "ffffffff"]).exitCode == 1)
            #expect(try await bench.run("diff", [first]).exitCode == 2)
        }
    }

    @Test func `two runs are compared by endpoint`() async throws {
        let status = ChangingAnswer(.text("fine"))
        try await ReplayBench.run([status.stub(.get, "/items/{id}"), Stub(.get, "/other", .text("x"))]) { bench in
            let requests = (0..<12).map { Request<Bytes>("items/\($0)") }
            try await bench.record(requests)
            status.change(to: .text("broken", status: .internalServerError))
            try await bench.record(requests + [Request<Bytes>("other")])
            let diff = try await bench.run("diff", ["--runs", "1", "2"])
            #expect(diff.exitCode == 0, "\(diff.output)\(diff.errors)")
            let lines = diff.output.split(separator: "\n").map(String.init)
            #expect(
                lines[0].hasPrefix("Compared 12 calls of run 1 with 13 calls of run 2, 2 endpoints: 2 differences."))
            #expect(lines[2].contains("✗ broke"))
            #expect(lines[2].contains("/items/*"))
            #expect(lines[2].contains("100 %"))
            #expect(lines[3].contains("! new") || lines[3].contains("· new"), "\(diff.output)")
            let command = try #require(lines.first { $0.contains("net-activity list") && $0.contains("items") })
            let filter = try #require(command.split(separator: "'").dropFirst().first.map(String.init))
            #expect(try await bench.run("list", [filter, "--json"]).lines.count == 12, "\(command)")
            let json = try await bench.run("diff", ["--runs", "1", "2", "--json"])
            try #require(json.lines.count == 2, "\(json.output)")
            #expect(json.lines[0].contains(#""change":"broke""#), "\(json.output)")
            let none = try await bench.run("diff", ["~m GET", "--runs", "1", "1"])
            #expect(none.exitCode == 1)
            #expect(none.output.hasPrefix("Compared 12 calls of run 1"))
            #expect(try await bench.run("diff", ["--runs", "1"]).exitCode == 2)
            let files = try await Command.offPool(
                ["diff", "~u items", "--files", bench.file, bench.file, "--limit", "5"])
            #expect(files.exitCode == 1, "\(files.output)\(files.errors)")
            let missing = try await Command.offPool(["diff", "--files", bench.file, bench.folder.file("missing")])
            #expect(missing.exitCode == 3, "\(missing.errors)")
            #expect(missing.errors.contains("no such file"), "\(missing.errors)")
        }
    }
}
#endif
