import Foundation
import NetCore
import Testing

@testable import NetStore

/// HAR files as real programs write them: one odd member never refuses a file.
@Suite(.timeLimit(.minutes(2))) struct HAROddFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func imported(
        _ text: String, _ name: String = "a.har", isStrict: Bool = false
    ) async throws -> (added: HARImport, items: [StoredItem], store: ActivityStore) {
        let path = folder.file(name)
        try Data(text.utf8).write(to: URL(filePath: path))
        let store = try ActivityStore(at: folder.file("\(name).sqlite"))
        let added = try await store.importHAR(at: path, isStrict: isStrict)
        return (added, try await store.items(), store)
    }

    private static func file(
        _ entries: [String], creator: String = "X", version: String = "1", pages: String = "[]"
    ) -> String {
        """
        {"log":{"version":"1.2","creator":{"name":"\(creator)","version":"\(version)"},"pages":\(pages),"entries":[
        \(entries.joined(separator: ",\n"))
        ]}}
        """
    }

    private static func entry(
        date: String = #""2026-03-01T10:00:00.123Z""#, request: String = #""method":"GET","url":"https://a.test/x""#,
        response: String = #"{"status":200,"headers":[],"content":{"size":2,"mimeType":"text/plain","text":"hi"}}"#,
        time: String = "50", timings: String = #"{"send":1,"wait":40,"receive":9}"#, rest: String = ""
    ) -> String {
        """
        {"startedDateTime":\(date),"time":\(time),"request":{\(request),"headers":[]},"response":\(response),\
        "timings":\(timings)\(rest)}
        """
    }

    // MARK: TLS

    @Test(arguments: ["Firefox", "mitmproxy", "Playwright", "WebInspector", "X"])
    func aHandshakeLongerThanTheConnectionIsBesideIt(_ creator: String) async throws {
        let timings = #"{"connect":15.1,"ssl":22.655,"send":0.5,"wait":62,"receive":0.8}"#
        let text = Self.file([Self.entry(time: "101.058", timings: timings)], creator: creator)
        let (_, items, store) = try await imported(text)
        let detail = try #require(try await store.item(id: items[0].id))
        let phases = try #require(detail.attempts.first?.phases)
        #expect(phases.connect == .microseconds(15_100))
        #expect(phases.secure == .microseconds(22_655))
        #expect(items[0].duration == .microseconds(101_058))
        try await store.close()
    }

    @Test(arguments: [("Firefox", 20_000, 50_000), ("mitmproxy", 20_000, 50_000), ("WebInspector", 12_000, 42_000)])
    func aShorterHandshakeIsWhereItsProgramWritesIt(
        _ creator: String, _ connect: Int, _ total: Int
    ) async throws {
        // All seven phases add up to `time`, so a handshake inside the connection was counted twice.
        let timings = #"{"connect":20,"ssl":8,"send":1,"wait":20,"receive":1}"#
        let (_, items, store) = try await imported(
            Self.file([Self.entry(time: "50", timings: timings)], creator: creator))
        let attempt = try #require(try await store.item(id: items[0].id)?.attempts.first)
        #expect(attempt.phases.connect == .microseconds(connect))
        #expect(attempt.phases.secure == .microseconds(8000))
        #expect(items[0].duration == .microseconds(total))
        try await store.close()
    }

    // MARK: Odd members

    @Test(arguments: ["-2", "1", "12029", #""abc""#, "1e99", "null", "[]"])
    func aStatusThatIsntOneIsNoResponse(_ status: String) async throws {
        let text = Self.file([Self.entry(), Self.entry(response: #"{"status":\#(status)}"#)])
        let (added, items, store) = try await imported(text)
        #expect(added.calls == 2)
        #expect(added.guesses == 1)
        #expect(items.contains { $0.outcome == .failed })
        #expect(added.remarks.first?.line == 3)
        #expect(added.remarks.first?.place.hasPrefix("log.entries[1].response") == true)
        try await store.close()
        await #expect(throws: StoreError.self) { try await imported(text, "b.har", isStrict: true) }
    }

    @Test(
        arguments: [
            (#""2026-03-01T15:30:00.123+0530""#, 1_772_359_200.123, 0),
            (#""2026-03-01T15:00:00+05""#, 1_772_359_200, 0),
            (#""2026-03-01T10:00Z""#, 1_772_359_200, 0), (#""2026-03-01T10:00:00""#, 1_772_359_200, 1),
            (#""2026-03-01 10:00:00,5""#, 1_772_359_200.5, 1), (#""yesterday""#, 1_772_359_100, 1),
            ("null", 1_772_359_100, 1), ("7", 1_772_359_100, 1),
        ] as [(String, Double, Int)])
    func datesAreReadInTheirForms(_ date: String, _ seconds: Double, _ guesses: Int) async throws {
        let first = Self.entry(date: #""2026-03-01T09:58:20Z""#)
        let (added, items, store) = try await imported(Self.file([first, Self.entry(date: date)]))
        #expect(added.calls == 2)
        #expect(added.guesses == guesses)
        #expect(items.contains { abs($0.startedAt.timeIntervalSince1970 - seconds) < 0.0005 })
        try await store.close()
    }

    @Test func anEntryWithoutADateHasThatOfItsPage() async throws {
        let pages = #"[{"id":"p","startedDateTime":"2026-03-01T10:00:00Z"}]"#
        let (added, items, store) = try await imported(
            Self.file([Self.entry(date: "null", rest: #","pageref":"p""#)], pages: pages))
        #expect(added.remarks.first?.reason.contains("that of the page") == true)
        #expect(items.first?.startedAt.timeIntervalSince1970 == 1_772_359_200)
        try await store.close()
    }

    @Test(arguments: [
        #"{}"#, "7", "null", #"{"request":{"method":"G T","url":"x"}}"#, #"{"request":{"method":"GET"}}"#,
    ])
    func anEntryWithoutARequestIsSkippedAndNamed(_ entry: String) async throws {
        let (added, items, store) = try await imported(Self.file([Self.entry(), entry, Self.entry(time: "51")]))
        #expect(items.count == 2)
        #expect(added.skippedEntries == 1)
        #expect(added.remarks.first?.kind == .skippedEntry)
        #expect(added.remarks.first?.place.hasPrefix("log.entries[1]") == true)
        try await store.close()
    }

    @Test func anEntryWithoutAResponseIsACallWithoutOne() async throws {
        let (added, items, store) = try await imported(Self.file([Self.entry(response: "null")]))
        #expect(added.calls == 1)
        #expect(items.first?.outcome == .failed)
        #expect(added.guesses == 1)
        try await store.close()
    }

    // MARK: Bodies

    @Test(
        arguments: [
            (#""size":5,"encoding":"base64","text":"REMOVED BY HAND""#, 0, 5, true, 1),
            (#""size":2,"encoding":"base64","text":"-_8""#, 2, 2, false, 0),
            (#""size":204755,"text":"<!DOCTYPE html>""#, 15, 204_755, true, 0),
            (#""size":5,"text":"hi""#, 2, 2, false, 0), (#""size":-1,"text":"hi""#, 2, 2, false, 0),
            (#""size":8,"mimeType":"text/plain;charset=utf-16","text":"abc""#, 3, 3, false, 0),
            (#""size":700,"text":"""#, 0, 700, true, 0), (#""size":700"#, 0, 700, true, 0),
            (#""size":4,"_isBinary":true,"encoding":"base64","text":"[\"00ff\",\"1020\"]""#, 4, 4, false, 0),
            (#""size":2,"text":["00","ff"]"#, 2, 2, false, 0), (#""size":2,"text":7"#, 0, 2, true, 1),
        ] as [(String, Int, Int64, Bool, Int)])
    func bodiesAreReadOrMarkedAsCut(
        _ content: String, _ kept: Int, _ size: Int64, _ isCut: Bool, _ skipped: Int
    ) async throws {
        let response = #"{"status":200,"headers":[],"content":{\#(content)}}"#
        let (added, items, store) = try await imported(Self.file([Self.entry(response: response)]))
        let detail = try await store.item(id: items[0].id)
        let body = try #require(detail?.exchanges.first?.response)
        #expect(body.bytes.count == kept)
        #expect(body.size == size)
        #expect(body.isCut == isCut)
        #expect(added.skippedParts == skipped)
        try await store.close()
    }

    @Test(
        arguments: [
            (#"{"mimeType":"a/b","text":"eyJhIjoxfQ","encoding":"base64"}"#, #"{"a":1}"#), (#""plain""#, "plain"),
            (#"{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"a b","value":"1"}]}"#, "a+b=1"),
        ])
    func requestBodiesAreThoseThatWereSent(_ data: String, _ body: String) async throws {
        let request = #""method":"POST","url":"https://a.test/x","postData":\#(data)"#
        let (_, items, store) = try await imported(Self.file([Self.entry(request: request)]))
        let detail = try await store.item(id: items[0].id)
        #expect(detail?.exchanges.first?.request?.bytes.elementsEqual(body.utf8) == true)
        try await store.close()
    }

    @Test func headersAreReadInTheirForms() async throws {
        let headers =
            #"[{"name":"A","value":["1","2"]},{"name":"B","value":7},{"name":"C","value":null},{"name":"no name","value":"x"},{"name":":path","value":"/"}]"#
        let response = #"{"status":200,"headers":\#(headers),"content":{"text":""}}"#
        let (added, items, store) = try await imported(Self.file([Self.entry(response: response)]))
        let fields = try await store.item(id: items[0].id)?.exchanges.first?.responseHeaders.map {
            "\($0.name)=\($0.value)"
        }
        #expect(fields == ["A=1", "A=2", "B=7", "C="])
        #expect(added.skippedParts == 1)
        try await store.close()
    }

    @Test func aResponseOfABrowsersCacheKeepsItsHeadersAndBody() async throws {
        let response = #"{"status":0,"headers":[{"name":"A","value":"1"}],"content":{"size":2,"text":"hi"}}"#
        let (_, items, store) = try await imported(Self.file([Self.entry(response: response)], creator: "Firefox"))
        #expect(items.first?.outcome == .completed)
        let exchange = try await store.item(id: items[0].id)?.exchanges.first
        #expect(exchange?.responseHeaders.count == 1)
        #expect(exchange?.response?.bytes.elementsEqual("hi".utf8) == true)
        try await store.close()
    }

    // MARK: Failures

    @Test(
        arguments: [
            ("net::ERR_NAME_NOT_RESOLVED", "dns"), ("net::ERR_CERT_DATE_INVALID", "tls"),
            ("net::ERR_CONNECTION_REFUSED", "connect"), ("net::ERR_CONNECTION_TIMED_OUT", "timeout"),
            ("net::ERR_BLOCKED_BY_CLIENT", "blocked"), ("net::ERR_INTERNET_DISCONNECTED", "offline"),
            ("net::ERR_CONNECTION_RESET", "connectionLost"), ("net::ERR_ABORTED", "cancelled"),
            ("NS_ERROR_UNKNOWN_HOST", "dns"), ("SEC_ERROR_UNKNOWN_ISSUER", "tls"), ("NS_BINDING_ABORTED", "cancelled"),
            ("NS_ERROR_CONNECTION_REFUSED", "connect"), ("NS_ERROR_NET_TIMEOUT", "timeout"),
            ("NS_ERROR_OFFLINE", "offline"), ("", "unrecorded"), ("timeout: no response", "timeout"),
            ("odd words", "connectionLost"),
        ])
    func theWordsOfBrowsersAreCodes(_ text: String, _ code: String) async throws {
        let response = #"{"status":0,"_error":"\#(text)"}"#
        let (_, items, store) = try await imported(Self.file([Self.entry(response: response)]))
        #expect(items.first?.failure?.code == code)
        #expect(items.first?.outcome == (code == "cancelled" ? .cancelled : .failed))
        try await store.close()
    }

    // MARK: WebSockets

    @Test func anErrorFrameIsTheEndAndOtherFramesAreSkipped() async throws {
        let messages =
            #"[{"type":"send","time":1,"opcode":1,"data":"hi"},{"type":"send","opcode":77,"data":""},"#
            + #"{"type":"up","data":""},{"type":"error","time":2,"opcode":-1,"data":"Invalid frame header"}]"#
        let entry = Self.entry(
            request: #""method":"GET","url":"wss://a.test/s""#, response: #"{"status":101,"headers":[]}"#,
            rest: #","_resourceType":"websocket","_webSocketMessages":\#(messages)"#)
        let (added, items, store) = try await imported(Self.file([entry]))
        #expect(added.messages == 1)
        #expect(added.skippedParts == 2)
        let socket = items.first { $0.kind == .socket }
        #expect(socket?.outcome == .failed)
        #expect(socket?.failure?.message == "Invalid frame header")
        try await store.close()
    }

    // MARK: Files

    private static let data: String = {
        let beside = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(
                path: "shared")
        let named = ProcessInfo.processInfo.environment["NET_DATA"].flatMap { $0.isEmpty ? nil : $0 }
        return "\(named ?? beside.path())/real-inputs/har"
    }()

    @Test func everyRealFileComesIn() async throws {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: Self.data).sorted() else {
            return print("skipped: all real HAR files, the shared data is absent (NET_DATA)")
        }
        for name in names where name.hasSuffix(".har") {
            let store = try ActivityStore(at: folder.file("\(name).sqlite"))
            let added = try await store.importHAR(at: "\(Self.data)/\(name)")
            #expect(added.skippedEntries == 0, "\(name): \(added.remarks)")
            #expect(added.calls >= added.entries, "\(name)")
            try await store.close()
        }
    }

    @Test func aFileThatMitmproxyCompressedComesIn() async throws {
        // Written with zlib's compress().
        let text =
            "eNpNjbsOwjAMRf/Fcx9JkBgyg/iBTiCGiFo0UpMUx0WgKv+O0wnJg+V7j88Gc3qC3eCNlH2KYEF3Bhp4EDpOVKPoAso9eA4Lpc9X"
            + "0r+27pQApQGMTB4z2NsGmR0xjifHOPidNsocW3VolR60sqrOVR7xnuoGCF8rZq6+gDylUZjLeZDKSrPsE/OSbd+7jqXWVyFhXlLM"
            + "WBkR8ipuo1Qp91J+nYhD+A=="
        try #require(Data(base64Encoded: text)).write(to: URL(filePath: folder.file("a.zhar")))
        let store = try ActivityStore(at: folder.file("z.sqlite"))
        #expect(try await store.importHAR(at: folder.file("a.zhar")).calls == 1)
        try await store.close()
    }
}
