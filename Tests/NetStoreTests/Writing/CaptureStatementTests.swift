import Foundation
import NetCore
import Testing

@testable import NetStore

/// The columns that captures, bodies and messages are written to.
@Suite struct CaptureStatementTests {
    private let folder: TemporaryFolder
    private let connection: SQLiteConnection

    init() throws {
        folder = try TemporaryFolder()
        connection = try SQLiteConnection(withTablesAt: folder.file())
    }

    private func statement(messages: Int = 100, bytes: Int = 1000) throws -> CaptureStatement {
        try CaptureStatement(
            on: connection, names: NameTable(on: connection),
            bodies: BodyStatement(on: connection, maximumBytes: bytes), maximumMessages: messages)
    }

    private func body(_ text: String, size: Int64, isCut: Bool = false, type: String? = nil) -> CaptureContent.Body {
        CaptureContent.Body(bytes: Bytes(text.utf8), size: size, isCut: isCut, type: type)
    }

    private func capture(_ number: Int, _ content: CaptureContent = CaptureContent()) -> CaptureRow {
        CaptureRow(call: Events.id(1), number: number, content: content)
    }

    private var full: CaptureContent {
        CaptureContent(
            status: 203, requestHeaders: "a: b", responseHeaders: "c: d\ne: f", trailers: "g: h",
            request: body("request", size: 70, isCut: true, type: "text/a"),
            response: body("response", size: 8, type: "text/b"), pieces: "[[1,2]]")
    }

    private func insertCall(_ number: Int = 1, kind: Int64 = 1) throws {
        try connection.run(
            "INSERT INTO net_item (uid, kind, run, started_at) VALUES (?, ?, 1, 0)",
            [.blob(Events.id(number).bytes), .integer(kind)])
    }

    @Test func eachValueOfACaptureHasItsColumn() throws {
        try insertCall()
        try statement().write(capture(4, full), isUnderWay: false)
        let columns = try connection.texts("SELECT name FROM pragma_table_info('net_capture')").compactMap { $0 }
        #expect(
            try connection.stored("net_capture", columns) == [
                [
                    "call": Events.id(1).hex, "number": "4", "status": "203", "request_fields": "a: b",
                    "request_body": "1", "request_size": "70", "request_is_cut": "1", "response_fields": "c: d\ne: f",
                    "response_body": "2", "response_size": "8", "response_is_cut": "0", "trailers": "g: h",
                    "pieces": "[[1,2]]",
                ]
            ])
        let exchange = try #require(try StoredExchange.all(of: Events.id(1), on: connection).first)
        let expected = StoredExchange(
            number: 4, status: 203, requestHeaders: [.init(name: "a", value: "b")],
            request: .init(bytes: Bytes("request".utf8), size: 70, isCut: true),
            responseHeaders: [.init(name: "c", value: "d"), .init(name: "e", value: "f")],
            response: .init(bytes: Bytes("response".utf8), size: 8, isCut: false),
            trailers: [.init(name: "g", value: "h")], pieces: [.init(delay: .microseconds(1), count: 2)])
        #expect(exchange == expected)
        let item = try #require(try StoredItem.find(id: 1, on: connection))
        #expect(item.requestType == "text/a")
        #expect(item.responseType == "text/b")
    }

    @Test func theTypesOfACallWhoseRowIsThereAreAddedToIt() throws {
        try insertCall()
        try insertCall(kind: 2)
        try insertCall(2)
        let statement = try statement()
        try statement.write(
            capture(1, CaptureContent(response: body("", size: 0, type: "text/b"))), isUnderWay: false)
        try statement.write(capture(2, CaptureContent(request: body("", size: 0, type: "text/a"))), isUnderWay: false)
        try statement.write(capture(3), isUnderWay: false)
        try statement.write(capture(4, CaptureContent(request: body("", size: 0, type: "x/x"))), isUnderWay: true)
        #expect(
            try StoredItem.all(" ORDER BY i.id", [], on: connection).map { [$0.requestType, $0.responseType] }
                == [["text/a", "text/b"], [nil, nil], [nil, nil]])
    }

    @Test func aCallWithoutAnEntryKeepsNothing() throws {
        try insertCall(kind: 2)
        let statement = try statement()
        try statement.write(capture(1, full), isUnderWay: false)
        #expect(try connection.integer("SELECT count(*) FROM net_capture") == 0)
        try statement.write(capture(1, full), isUnderWay: true)
        #expect(try connection.integer("SELECT count(*) FROM net_capture") == 1)
    }

    @Test func responsesOfACacheAreNumberedDownwards() throws {
        try insertCall()
        let statement = try statement()
        for number in [0, 3, 0, 1, 0] { try statement.write(capture(number), isUnderWay: false) }
        #expect(try StoredExchange.all(of: Events.id(1), on: connection).map(\.number) == [-2, -1, 0, 1, 3])
    }

    @Test func aBodyIsCutIfItWasOrIfItIsTooLong() throws {
        try insertCall()
        let statement = try statement(bytes: 4)
        let bodies = [
            body("1234", size: 4), body("12345", size: 5), body("123", size: 9, isCut: true), body("", size: 0),
            body("", size: 3, isCut: true),
        ]
        for (number, body) in bodies.enumerated() {
            try statement.write(capture(number + 1, CaptureContent(response: body)), isUnderWay: false)
        }
        let kept = try StoredExchange.all(of: Events.id(1), on: connection).map(\.response)
        #expect(kept.map { $0?.isCut } == [false, true, true, false, true])
        #expect(kept.map { $0?.bytes.count } == [4, 4, 3, 0, 0])
        #expect(kept.map { $0?.size } == [4, 5, 9, 0, 3])
        #expect(try connection.integer("SELECT count(*) FROM net_body") == 2, "the first two are one body")
        #expect(try connection.integer("SELECT max(uses) FROM net_body") == 2)
    }

    @Test func aDamagedBodyIsAnErrorAndAFieldWithoutColonIsLeftOut() throws {
        try insertCall()
        let text = String(repeating: "text ", count: 200)
        let content = CaptureContent(requestHeaders: "a: b\nnone\nc:", response: body(text, size: 1000, type: "text/x"))
        try statement().write(capture(1, content), isUnderWay: false)
        let exchange = try #require(try StoredExchange.all(of: Events.id(1), on: connection).first)
        #expect(exchange.requestHeaders == [.init(name: "a", value: "b"), .init(name: "c", value: "")])
        #expect(exchange.response?.bytes == Bytes(text.utf8))
        #expect(exchange.request == nil)
        try connection.execute("UPDATE net_body SET data = x'1f8b00'")
        let error = #expect(throws: StoreError.self) { try StoredExchange.all(of: Events.id(1), on: connection) }
        #expect(error?.code == .corrupt)
        #expect(error?.path == folder.file())
    }

    // MARK: Bodies

    @Test func onlyLongTextIsCompressed() throws {
        let statement = try BodyStatement(on: connection, maximumBytes: 100_000)
        let (short, long) = (String(repeating: "a", count: 511), String(repeating: "a", count: 512))
        for (number, (text, type)) in [
            (short, "text/plain"), (long, "text/plain"), (long, "image/png"), (long, nil),
            ("\u{0}" + long, nil), (long + "\u{0}", nil), (long, "application/problem+json"),
        ].enumerated() {
            let expected = [false, true, false, true, false, true, true][number]
            let kept = statement.compressed(Bytes(text.utf8), type: type)
            #expect((kept != nil) == expected, "\(number)")
            if let kept {
                #expect(kept.count < text.utf8.count)
                #expect(InflatedBody.whole(kept.withUnsafeBytes { Array($0) }) == Bytes(text.utf8))
            }
        }
        for type in ["xml", "javascript", "x-www-form-urlencoded", "graphql", "yaml", "csv"] {
            #expect(statement.compressed(Bytes(long.utf8), type: "application/\(type)") != nil, "\(type)")
        }
        var numbers = SeededNumbers(5)
        let noise = Bytes((0..<600).map { _ in UInt8.random(in: 1...255, using: &numbers) })
        #expect(statement.compressed(noise, type: "text/plain") == nil, "what doesn't get shorter stays")
        let noisy = CaptureContent.Body(bytes: noise, size: 600, isCut: false, type: "text/plain")
        #expect(try statement.keep(noisy) == 1)
        #expect(try statement.keep(CaptureContent.Body(bytes: Bytes(long.utf8), size: 1, isCut: false, type: nil)) == 2)
        #expect(try statement.keep(nil) == nil)
        #expect(try statement.keep(CaptureContent.Body(bytes: Bytes(), size: 1, isCut: false, type: nil)) == nil)
        #expect(try connection.texts("SELECT is_compressed || ' ' || size FROM net_body") == ["0 600", "1 512"])
        #expect(try connection.texts("SELECT length(hash) FROM net_body") == ["32", "32"])
    }

    @Test func aBodyGoesWithItsLastUse() throws {
        let statement = try BodyStatement(on: connection, maximumBytes: 3)
        let (first, same, other) = (body("abcd", size: 4), body("abc", size: 3), body("xyz", size: 3))
        #expect(try statement.keep(first) == 1)
        #expect(try statement.keep(same) == 1)
        #expect(try statement.keep(other) == 2)
        #expect(try connection.texts("SELECT uses FROM net_body ORDER BY id") == ["2", "1"])
        try statement.release(1)
        #expect(try connection.texts("SELECT uses FROM net_body ORDER BY id") == ["1", "1"])
        try statement.release(1)
        #expect(try connection.texts("SELECT id FROM net_body") == ["2"])
    }

    // MARK: Messages

    private func message(
        _ number: Int, isSent: Bool = true, kind: StoredMessage.Kind = .text, isCut: Bool = false,
        _ content: WebSocketMessage? = nil
    ) -> MessageRow {
        PendingMessage(
            Events.id(1), number: number, occurredAt: 77, isSent: isSent, kind: kind, size: 88, isCut: isCut
        ) { content }.row()
    }

    @Test func eachValueOfAMessageHasItsColumn() throws {
        let statement = try statement()
        try statement.write(message(1, isCut: true, .text("hello")), isUnderWay: true)
        try statement.write(message(2, isSent: false, kind: .binary, .binary(Bytes([1, 255]))), isUnderWay: true)
        try statement.write(message(3, kind: .ping), isUnderWay: true)
        let columns = try connection.texts("SELECT name FROM pragma_table_info('net_message')").compactMap { $0 }
        let socket = Events.id(1).hex
        #expect(
            try connection.stored("net_message", columns) == [
                [
                    "socket": socket, "number": "1", "at": "77", "is_sent": "1", "kind": "1", "size": "88",
                    "text": "hello", "is_cut": "1",
                ],
                [
                    "socket": socket, "number": "2", "at": "77", "is_sent": "0", "kind": "2", "size": "88",
                    "data": "01FF",
                ],
                ["socket": socket, "number": "3", "at": "77", "is_sent": "1", "kind": "3", "size": "88"],
            ])
        let date = StoredTime.date(77)
        func stored(_ number: Int, _ kind: StoredMessage.Kind, _ text: String?, _ bytes: Bytes?) -> StoredMessage {
            StoredMessage(
                number: number, date: date, isSent: number != 2, kind: kind, size: 88, text: text, bytes: bytes,
                isCut: number == 1)
        }
        let all = [
            stored(1, .text, "hello", nil), stored(2, .binary, nil, Bytes([1, 255])), stored(3, .ping, nil, nil),
        ]
        func read(after number: Int, limit: Int) throws -> [StoredMessage] {
            try StoredMessage.all(of: Events.id(1), after: number, limit: limit, on: connection)
        }
        #expect(try read(after: 0, limit: 9) == all)
        #expect(try read(after: 1, limit: 1) == [all[1]])
        #expect(try read(after: 0, limit: 0) == [])
        #expect(try read(after: 0, limit: -1) == [])
        try connection.execute("UPDATE net_message SET kind = 6 WHERE number = 3")
        #expect(throws: StoreError.self) { try read(after: 0, limit: 9) }
    }

    @Test func oldMessagesGoInStepsOf64() throws {
        let statement = try statement(messages: 64)
        for number in 1...127 { try statement.write(message(number), isUnderWay: true) }
        #expect(try connection.integer("SELECT count(*) FROM net_message") == 127, "64 is no more than is kept")
        try statement.write(message(128), isUnderWay: true)
        #expect(try connection.texts("SELECT min(number) || '-' || max(number) FROM net_message") == ["65-128"])
    }

    @Test func aMessageWithoutItsWebSocketIsLeftOut() throws {
        try insertCall(kind: 1)
        let statement = try statement()
        try statement.write(message(1), isUnderWay: false)
        #expect(try connection.integer("SELECT count(*) FROM net_message") == 0)
        try insertCall(kind: 2)
        try statement.write(message(1), isUnderWay: false)
        #expect(try connection.integer("SELECT count(*) FROM net_message") == 1)
    }
}
