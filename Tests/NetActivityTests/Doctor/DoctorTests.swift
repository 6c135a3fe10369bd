#if Tools
import Foundation
import NetCore
import Testing

@testable import NetStore
@testable import net_activity

@Suite struct DoctorTests {
    private func findings(
        _ entries: [ReportEntry], runs: [StoredRun] = [], rule: String? = nil
    ) -> [Finding] {
        var doctor = Doctor()
        // Stores are read from the newest entry on.
        for entry in entries.reversed() { doctor.see(entry) }
        return doctor.findings(runs: runs, rule: rule)
    }

    private func calls(_ count: Int, _ change: (inout ExampleCall, Int) -> Void) -> [ReportEntry] {
        (0..<count).map { number in
            var call = ExampleCall(number: number, at: Double(number))
            change(&call, number)
            return call.entry
        }
    }

    /// Entries of every kind without problems.
    private var clean: [ReportEntry] {
        let lists = calls(40) { call, number in
            call.url = "https://api.example.com/items?page=\(number)"
            call.response = ["Content-Type": "application/json", "Content-Encoding": "gzip"]
        }
        let sockets = (100..<105).map { ExampleSocket(number: $0, at: Double($0)).entry }
        return lists + sockets
    }

    /// Returns entries with a single problem, for each rule.
    private static func sick(_ rule: String) -> [ReportEntry] {
        let make = { (count: Int, change: (inout ExampleCall, Int) -> Void) in
            (0..<count).map { number in
                var call = ExampleCall(number: number, at: Double(number))
                call.url = "https://api.example.com/items?page=\(number)"
                change(&call, number)
                return call.entry
            }
        }
        switch rule {
        case "failing":
            return make(20) { call, number in
                if number % 4 == 0 { (call.status, call.outcome) = (500, .rejected) }
            }
        case "timeouts":
            return make(20) { call, number in
                guard number % 10 == 0 else { return }
                (call.status, call.outcome, call.error) = (nil, .failed, ("timeout", "connecting"))
            }
        case "tls-failures":
            return make(20) { call, number in
                if number == 7 { (call.status, call.outcome, call.error) = (nil, .failed, ("tls", "securing")) }
            }
        case "vain-retries":
            return make(40) { call, number in
                guard number < 3 else { return }
                (call.status, call.outcome, call.earlier) = (503, .rejected, [ExampleCall.retried(1)])
            }
        case "retry-storms":
            return make(30) { call, number in
                call.at = Double(number) / 10
                if number < 25 { call.earlier = [ExampleCall.retried(1)] }
            }
        case "flapping-sockets":
            return (0..<4).map {
                ExampleSocket(number: $0, at: Double($0) * 10, took: .seconds(5), code: 1006, outcome: .failed).entry
            }
        case "secrets-in-urls":
            return make(2) { call, _ in call.url = "https://api.example.com/items?page=1&token=<redacted>" }
        case "slow-names":
            return make(20) { call, number in
                guard number < 4 else { return }
                call.isReused = false
                call.phases = TransferPhases(lookup: .milliseconds(240), waiting: .milliseconds(10))
            }
        case "connections-not-reused":
            return make(20) { call, number in
                call.isReused = number % 3 == 0
                call.phases = TransferPhases(connect: .milliseconds(20), secure: .milliseconds(30))
            }
        case "http1-queues":
            return make(20) { call, number in
                (call.version, call.phases) = ("1.1", TransferPhases(queued: .milliseconds(number < 6 ? 80 : 0)))
                call.took = .milliseconds(number < 6 ? 90 : 10)
            }
        case "slow-server":
            return make(5) { call, _ in
                (call.took, call.phases) = (.seconds(2), TransferPhases(waiting: .milliseconds(1900)))
                call.at *= 10
            }
        case "slow-download":
            return make(5) { call, _ in
                (call.took, call.phases) = (.seconds(2), TransferPhases(download: .milliseconds(1900)))
                call.at *= 10
            }
        case "slow-upload":
            return make(5) { call, _ in
                (call.took, call.method, call.sent) = (.seconds(2), "PUT", 4_000_000)
                call.phases = TransferPhases(sending: .milliseconds(1900), waiting: .milliseconds(50))
                call.at *= 10
            }
        case "redirects": return make(5) { call, _ in call.earlier = [ExampleCall.redirected(1)] }
        case "same-at-once":
            return make(4) { call, number in
                (call.url, call.at, call.took) = (
                    "https://api.example.com/me", Double(number) / 100, .milliseconds(500)
                )
            }
        case "one-after-another":
            return make(8) { call, number in (call.at, call.took) = (Double(number) * 0.1, .milliseconds(99)) }
        case "could-be-cached":
            return make(6) { call, _ in
                call.url = "https://api.example.com/config"
                call.response = ["ETag": "\"1\"", "Content-Encoding": "gzip"]
            }
        case "uncompressed":
            return make(6) { call, _ in
                (call.bytes, call.response) = (20_000, ["Content-Type": "application/json"])
            }
        case "oversized":
            return make(1) { call, _ in
                (call.bytes, call.response) = (3 << 20, ["Content-Encoding": "gzip"])
            }
        default: return []
        }
    }

    private func lossyRun(dropped: Int) -> StoredRun {
        StoredRun(
            id: 1, process: "app", processID: 7, version: nil,
            startedAt: Date(timeIntervalSince1970: ExampleCall.start),
            endedAt: nil, state: .cutOff,
            statistics: WriterStatistics(
                written: 9,
                dropped: WriterStatistics.Dropped(
                    calls: dropped, sockets: 0, jobs: 0, logs: 0, captures: 0, messages: 0), failed: 0))
    }

    @Test func nothingIsWrongWithACleanStore() {
        let found = findings(clean, runs: [lossyRun(dropped: 0)])
        #expect(found.isEmpty, "\(found.map { ($0.rule, $0.text) })")
        #expect(findings([]).isEmpty)
    }

    @Test(arguments: Doctor.rules.map { $0.name }.filter { $0 != "lost-events" })
    func eachRuleFindsWhatItIsMeantForAndNoOtherDoes(rule: String) throws {
        let entries = Self.sick(rule)
        let found = findings(entries)
        #expect(found.map(\.rule) == [rule], "\(found.map { ($0.rule, $0.text) })")
        let finding = try #require(found.first)
        #expect(!finding.title.isEmpty)
        #expect(!finding.text.isEmpty)
        #expect(finding.count > 0)
        #expect(!finding.examples.isEmpty)
        #expect(finding.advice.hasSuffix("."), "\(finding.advice)")
        // The filter lists at least the calls with the problem.
        let filter = try ActivityFilter(finding.filter)
        let now = Date(timeIntervalSince1970: ExampleCall.start + 86_400)
        let listed = entries.filter { filter.matches($0.item, content: $0.content, now: now) }
        let ids = Set(listed.map(\.item.uid))
        #expect(listed.count >= finding.count, "\(finding.filter)")
        #expect(ids.isSuperset(of: finding.examples), "\(finding.filter)")
        #expect(findings(entries, rule: rule).map(\.rule) == [rule])
        #expect(findings(clean, rule: rule).isEmpty)
    }

    @Test func eventsLostByTheStoreAreReported() throws {
        let found = findings(clean, runs: [lossyRun(dropped: 12)])
        try #require(found.map(\.rule) == ["lost-events"])
        #expect(found[0].text.contains("12 were dropped"))
        #expect(found[0].filter == "~run 1")
    }

    @Test func theWorstComesFirstAndOneRuleHasThreeAtMost() throws {
        let failing = (0..<5).flatMap { host in
            calls(4) { call, number in
                call.number += host * 10
                call.at = Double(host * 100 + number)
                (call.url, call.status, call.outcome) = ("https://h\(host).example.com/", 500, .rejected)
            }
        }
        let found = findings(Self.sick("could-be-cached") + failing)
        try #require(found.map(\.rule) == ["failing", "failing", "failing", "could-be-cached"])
        #expect(found[2].text.hasSuffix("2 more like this: net-activity doctor --rule failing."))
        #expect(findings(failing, rule: "failing").count == 5)
    }

    @Test(
        arguments: [
            (["Connection": "close"], "the server closes each connection"),
            ([:], "nothing in the calls says why"),
        ] as [([String: String], String)])
    func whyConnectionsArentReusedIsSaid(headers: [String: String], why: String) throws {
        let entries = calls(12) { call, number in
            (call.isReused, call.response, call.url) = (false, headers, "https://api.example.com/items?page=\(number)")
            if !headers.isEmpty { call.response["Content-Encoding"] = "gzip" }
        }
        #expect(try #require(findings(entries).first).text.contains(why))
    }

    @Test func runsPausesAndCrowdsAreReasonsForNewConnections() throws {
        func why(_ change: (inout ExampleCall, Int) -> Void) throws -> String {
            let entries = calls(12) { call, number in
                (call.isReused, call.version) = (false, "1.1")
                call.url = "https://api.example.com/items?page=\(number)"
                change(&call, number)
            }
            return try #require(findings(entries, rule: "connections-not-reused").first).text
        }
        #expect(try why { call, number in call.run = Int64(number) }.contains("the program was started anew"))
        #expect(try why { call, number in call.at = Double(number) * 60 }.contains("pass between them"))
        #expect(try why { call, number in call.at = Double(number) / 1000 }.contains("at the same time"))
        let failed = try why { call, _ in (call.status, call.outcome, call.error) = (nil, .failed, ("dns", "resolving"))
        }
        #expect(failed.contains("most of them failed"))
    }

    @Test(
        arguments: [
            (["Cache-Control": "no-store"], nil, "forbids caching it"),
            (["Cache-Control": "max-age=60", "ETag": "\"1\""], nil, "Cache-Control: max-age=60, ETag"),
            (["Content-Type": "application/json"], nil, "doesn't say whether it may be cached"),
            ([:], nil, "weren't captured"),
            (["ETag": "\"1\""], "varyMismatch", "The client's cache didn't use it: varyMismatch"),
        ] as [([String: String], String?, String)])
    func whyAResponseIsFetchedAgainIsSaid(headers: [String: String], reason: String?, why: String) throws {
        let entries = calls(6) { call, _ in
            (call.url, call.response) = ("https://api.example.com/config", headers)
            call.cache = reason.map { ("miss", $0) }
        }
        let found = findings(entries, rule: "could-be-cached")
        #expect(try #require(found.first).text.contains(why), "\(found)")
    }

    @Test(arguments: ["queued", "resolving", "connecting", "securing", "sending", "waiting", "receiving"])
    func timeOutsHaveAdviceByTheirPhase(phase: String) throws {
        let entries = calls(2) { call, _ in
            (call.status, call.outcome, call.error) = (nil, .failed, ("timeout", phase))
        }
        let finding = try #require(findings(entries).first)
        #expect(finding.rule == "timeouts")
        #expect(finding.title != "Calls to api.example.com time out ")
        #expect(!finding.advice.contains("net-activity show"))
    }

    @Test func callsOfADownloadAreItsOwnBusiness() {
        let job = ExampleCall.id(999)
        let ranges = calls(8) { call, number in
            (call.owner, call.status, call.took, call.at) = (job, 206, .seconds(1), Double(number) / 100)
            (call.url, call.bytes) = ("https://files.example.com/big.json", 5 << 20)
        }
        #expect(findings(ranges).isEmpty)
    }

    @Test func endpointsLeaveIDsOut() {
        func name(_ path: String) -> String {
            ExaminedCall(ExampleCall(url: "https://api.example.com\(path)").entry).endpoint.name
        }
        #expect(
            name("/users/17/orders/3f2a91c0-11d2-4b7e-9c1a-0f4f9d1e2a77?x=1") == "GET api.example.com/users/*/orders/*")
        #expect(name("/v2/reset/<redacted>") == "GET api.example.com/v2/reset/*")
        #expect(name("/") == "GET api.example.com/")
    }

    @Test func thePageOfTheDoctorListsEachRule() throws {
        let page = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../docs/doctor.md"), encoding: .utf8)
        for rule in Doctor.rules { #expect(page.contains("| `\(rule.name)` |"), "\(rule.name)") }
    }
}
#endif
