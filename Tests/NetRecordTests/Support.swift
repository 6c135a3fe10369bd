import Foundation
import HTTPTypes
import NetCore
import NetRecord

/// A folder that is removed with the test.
final class TemporaryFolder: Sendable {
    let path = NSTemporaryDirectory() + "net-record-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
        return file(name)
    }

    func text(_ name: String) throws -> String {
        try String(contentsOf: URL(filePath: file(name)), encoding: .utf8)
    }
}

extension CapturedExchange {
    /// Returns a JSON call.
    static func sample(url: String = "https://api.test/users?page=2", answer: String = #"{"id":7,"name":"Ada"}"#)
        -> Self
    {
        CapturedExchange(
            recordedAt: Date(timeIntervalSince1970: 1_767_225_600), duration: .microseconds(12_345),
            request: .init(
                method: .post, url: url, headers: [.contentType: "application/json", .accept: "*/*"],
                body: CapturedBody(Bytes(#"{"q":"a\nb"}"#.utf8))),
            outcome: .response(
                .init(
                    status: .ok, version: "2", headers: [.contentType: "application/json"],
                    body: CapturedBody(Bytes(answer.utf8)))))
    }

    static func get(_ url: String, body: CapturedBody, type: String) -> Self {
        CapturedExchange(
            recordedAt: Date(timeIntervalSince1970: 1_767_225_600), duration: .milliseconds(5),
            request: .init(method: .get, url: url),
            outcome: .response(.init(status: .ok, version: "1.1", headers: [.contentType: type], body: body)))
    }

    static let failed = CapturedExchange(
        recordedAt: Date(timeIntervalSince1970: 1_767_225_600), duration: .seconds(1),
        request: .init(method: .delete, url: "http://gone.test/"),
        outcome: .failure(.init(code: "dns", message: "no such host")))
}

/// Returns the error of a read; nil if it succeeds.
func readFailure(_ path: String) -> RecordFileError? {
    do throws(RecordFileError) {
        _ = try Cassette.read(from: path)
        return nil
    } catch {
        return error
    }
}
