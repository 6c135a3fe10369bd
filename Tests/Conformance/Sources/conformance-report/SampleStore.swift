import Foundation
import HTTPTypes
import NetCore

@testable import NetStore

/// A shop's morning: everything that a report can show, each at least once.
struct SampleStore {
    let path: String

    private static let api = "https://api.example.com"

    func write() async throws {
        let maker = try StoreMaker(path: path, seed: 1)
        var numbers = SeededNumbers(2)
        for number in 0..<160 { ordinary(number, maker, &numbers) }
        troubles(maker)
        cached(maker)
        lives(maker)
        try await maker.store.flush()
        if let item = try await maker.store.items(matching: .operation("createOrder"), limit: 1).first {
            _ = try await maker.store.pin(item.id)
            _ = try await maker.store.comment("the one from the ticket", on: item.id)
        }
        try await maker.close()
    }

    private func ordinary(_ number: Int, _ maker: StoreMaker, _ numbers: inout SeededNumbers) {
        let kinds: [(String, HTTPRequest.Method, String, Double)] = [
            ("getUser", .get, "/users/\(number)?fields=name,email&access_token=<redacted>", 12),
            ("listItems", .get, "/items?page=\(number % 9)&limit=50", 45), ("getPrice", .get, "/prices/\(number)", 6),
            ("search", .get, "/search?q=sea%20charts", 380), ("createOrder", .post, "/orders", 90),
        ]
        let (operation, method, path, typical) = numbers.one(of: kinds)
        let waiting = typical * Double.random(in: 0.5...2.5, using: &numbers)
        let isNew = numbers.once(in: 6)
        var call = StoreMaker.Call(at: Double(number) * 2.3, method: method, url: Self.api + path, operation: operation)
        call.attempts[0].phases = isNew ? [0.2, 3, 9, 17, waiting, 4] : [0.1, 0, 0, 0, waiting, 3]
        call.attempts[0].isReused = !isNew
        if operation == "createOrder" {
            call.requestBody =
                #"{"items":[{"id":\#(number),"count":2}],"note":"leave it at the harbour","total":12.50}"#
            call.attempts[0].status = 201
        }
        let names = ["Ada", "Grace", "Linus", "Barbara"]
        let name = numbers.one(of: names)
        call.responseBody = Bytes(
            #"{"id":\#(number),"name":"\#(name)","email":"<redacted>","balance":12345678901234567890,"tags":["a","b"],"address":{"street":"Quay 7","city":"Oban"},"active":true,"orders":[\#((0..<12).map { "{\"id\":\($0),\"total\":\($0 * 3).50}" }.joined(separator: ","))]}"#
                .utf8)
        maker.add(call)
    }

    private func troubles(_ maker: StoreMaker) {
        let busy = StoreMaker.Attempt(status: 503, phases: [0, 2, 8, 15, 120, 2], retry: (200, "status 503"))
        var call = StoreMaker.Call(at: 61, url: Self.api + "/reports/7", operation: "getReport", tags: ["slow lane"])
        call.attempts = [
            busy,
            .init(status: 503, start: 350, phases: [0, 0, 0, 0, 300, 2], isReused: true, retry: (400, "status 503")),
            .init(start: 1052, phases: [0, 0, 0, 0, 900, 40], isReused: true),
        ]
        call.captured = [1, 2, 3]
        call.responseBody = Bytes(#"{"report":"done"}"#.utf8)
        let retried = maker.add(call)
        maker.log("asking for report 7", at: 61.001, owner: retried, detail: #"{"user":"42","tries":1}"#)
        maker.log("report 7 is late", at: 61.6, level: 4, owner: retried)

        var moved = StoreMaker.Call(at: 75, url: Self.api + "/old/harbours", operation: "listHarbours")
        moved.attempts = [
            .init(status: 301, phases: [0, 0, 0, 0, 12, 1], isReused: true),
            .init(status: 401, start: 14, phases: [0, 1, 6, 12, 20, 1], url: "https://cdn.example.org/harbours"),
            .init(
                status: 200, start: 56, phases: [0, 0, 0, 0, 25, 3], isReused: true,
                url: "https://cdn.example.org/harbours"),
        ]
        moved.responseBody = Bytes("id,name\n1,Oban\n2,Tobermory\n".utf8)
        moved.responseHeaders = "content-type: text/csv; charset=utf-8"
        maker.add(moved)

        let timeout = NetError(.timeout, phase: .waiting, message: "the server sent nothing for 5 s")
        for number in 0..<7 {
            var slow = StoreMaker.Call(
                at: 120 + Double(number), url: Self.api + "/slow/\(number)", operation: "getSlow")
            slow.attempts = [.init(status: nil, phases: [0, 0, 0, 0, 5000, 0], isReused: true, error: timeout)]
            slow.outcome = .failed(timeout)
            maker.add(slow)
        }
        for number in 0..<5 {
            var missing = StoreMaker.Call(
                at: 140 + Double(number), url: Self.api + "/users/none\(number)", operation: "getUser")
            missing.attempts[0].status = 404
            missing.responseBody = Bytes(#"{"error":"not found"}"#.utf8)
            maker.add(missing)
        }
        var cancelled = StoreMaker.Call(at: 150, url: Self.api + "/stream", operation: "follow")
        cancelled.outcome = .cancelled
        maker.add(cancelled)
        var picture = StoreMaker.Call(at: 151, url: "https://cdn.example.org/logo.png", operation: "getLogo")
        picture.responseBody = Bytes(
            [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + (0..<600).map { UInt8($0 % 251) })
        picture.responseHeaders = "content-type: image/png"
        maker.add(picture)
        var form = StoreMaker.Call(at: 152, method: .post, url: Self.api + "/login", operation: "login")
        form.requestHeaders = "content-type: application/x-www-form-urlencoded"
        form.requestBody = "user=ada&password=%3Credacted%3E&next=%2Fhome"
        form.responseBody = Bytes(#"{"token":"<redacted>"}"#.utf8)
        maker.add(form)
        var bare = StoreMaker.Call(at: 153, url: Self.api + "/bare")
        bare.requestHeaders = nil
        maker.add(bare)
        var large = StoreMaker.Call(at: 154, url: Self.api + "/large", operation: "getLarge")
        large.responseBody = Bytes(("[" + (0..<3000).map { "{\"n\":\($0)}" }.joined(separator: ",") + "]").utf8)
        large.isCut = true
        maker.add(large)
    }

    private func cached(_ maker: StoreMaker) {
        for (number, decision) in [
            ActivityEvent.CacheDecision(.hit, .fresh), .init(.miss, .notStored), .init(.update, .notModified),
        ].enumerated() {
            var call = StoreMaker.Call(at: 160 + Double(number), url: Self.api + "/prices/all", operation: "listPrices")
            call.cache = decision
            if number == 0 { call.attempts = [] }
            call.responseBody = Bytes("{}".utf8)
            maker.add(call)
        }
    }

    private func lives(_ maker: StoreMaker) {
        maker.socket(
            at: 170, "wss://live.example.com/prices",
            (0..<30).map { ($0.isMultiple(of: 3), #"{"type":"price","number":\#($0),"value":\#($0 * 7)}"#) },
            code: .normalClosure)
        maker.socket(
            at: 180, "wss://live.example.com/chat", [(true, "hello"), (false, "hello yourself")], code: .abnormalClosure
        )
        let job = maker.id(at: 190)
        let url = "https://cdn.example.org/charts.zip"
        for (sequence, state) in [JobActivity.State.running, .completed].enumerated() {
            var activity = JobActivity(
                job: job, sequence: sequence + 1, date: StoreMaker.start.addingTimeInterval(190 + Double(sequence) * 4),
                kind: .download, title: "charts", url: url, state: state)
            activity.bytes = sequence == 0 ? 0 : 4_000_000
            activity.totalBytes = 4_000_000
            activity.attempts = 1
            let call = sequence == 0 ? maker.id(at: 190.1) : nil
            activity.call = call
            maker.store.record(activity)
            if let call { maker.add(StoreMaker.Call(at: 190.1, url: url, operation: "download"), id: call) }
        }
        maker.log("the shop is open", at: 0.5)
        maker.log("a price is missing", at: 100, level: 5, detail: #"{"item":"7","source":"harbour"}"#)
    }
}
