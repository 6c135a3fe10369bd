import HTTPTypes
import NetCore
import Testing

@testable import NetHTTP

/// The meaning of a response for a download.
@Suite struct DownloadAnswerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let status: Int
        var headers: HTTPFields = [:]
        var question = DownloadAnswer.Question()
        let answer: DownloadAnswer
        var testDescription: String { name }
    }

    private static let tag = DownloadValidators(eTag: "\"a\"", lastModified: nil, date: nil)
    private static let weak = DownloadValidators(eTag: "W/\"a\"", lastModified: nil, date: nil)
    private static let time = DownloadValidators(
        eTag: nil, lastModified: "Thu, 01 Jan 2026 00:00:00 GMT", date: "Thu, 01 Jan 2026 00:00:01 GMT")

    private static func rest(
        _ range: Range<Int64> = 100 ..< .max, length: Int64? = 1000, _ validators: DownloadValidators = tag
    ) -> DownloadAnswer.Question {
        DownloadAnswer.Question(range: range, length: length, validators: validators)
    }

    private static func part(
        _ range: String, _ tag: String? = "\"a\"", _ more: HTTPFields = [:]
    ) -> HTTPFields {
        var headers = more
        headers[.contentRange] = range
        headers[.eTag] = tag
        return headers
    }

    static let whole: [Case] = [
        Case(
            name: "the whole file", status: 200, headers: [.contentLength: "1000"],
            answer: .whole(length: 1000, coding: nil)),
        Case(name: "no length", status: 200, answer: .whole(length: nil, coding: nil)),
        Case(
            name: "changed by a proxy", status: 203, headers: [.contentLength: "9"],
            answer: .whole(length: 9, coding: nil)),
        Case(
            name: "the range is ignored", status: 200, headers: [.contentLength: "1000"], question: rest(),
            answer: .whole(length: 1000, coding: nil)),
        Case(
            name: "gzip in spite of identity", status: 200, headers: [.contentEncoding: "gzip", .contentLength: "50"],
            answer: .whole(length: 50, coding: FileCoding("gzip"))),
        Case(
            name: "identity as a coding", status: 200, headers: [.contentEncoding: "identity", .contentLength: "50"],
            answer: .whole(length: 50, coding: nil)),
        Case(
            name: "an unknown coding", status: 200, headers: [.contentEncoding: "rot13"],
            answer: .unusable("its content coding isn't supported here")),
        Case(
            name: "a length that is no number", status: 200, headers: [.contentLength: "+7"],
            answer: .whole(length: nil, coding: nil)),
    ]

    static let parts: [Case] = [
        Case(
            name: "the rest", status: 206, headers: part("bytes 100-999/1000"), question: rest(),
            answer: .part(100..<1000, length: 1000)),
        Case(
            name: "less than the rest", status: 206, headers: part("bytes 100-199/1000"), question: rest(),
            answer: .part(100..<200, length: 1000)),
        Case(
            name: "an unknown total", status: 206, headers: part("bytes 100-999/*"), question: rest(),
            answer: .part(100..<1000, length: 1000)),
        Case(
            name: "one range of several", status: 206, headers: part("bytes 100-199/1000"), question: rest(100..<200),
            answer: .part(100..<200, length: 1000)),
        Case(
            name: "a length of its own", status: 206,
            headers: part("bytes 100-199/1000", "\"a\"", [.contentLength: "100"]), question: rest(100..<200),
            answer: .part(100..<200, length: 1000)),
        Case(
            name: "a total that is new", status: 206, headers: part("bytes 100-999/1000"),
            question: rest(length: nil), answer: .part(100..<1000, length: 1000)),
        Case(
            name: "Last-Modified may be missing", status: 206, headers: part("bytes 100-999/1000", nil),
            question: rest(time), answer: .part(100..<1000, length: 1000)),
        Case(
            name: "a weak tag that is the same", status: 206, headers: part("bytes 100-999/1000", "W/\"a\""),
            question: rest(weak), answer: .part(100..<1000, length: 1000)),
        Case(
            name: "a mirror with a tag of its own", status: 206, headers: part("bytes 100-999/1000", "\"other\""),
            question: .init(range: 100 ..< .max, length: 1000, validators: tag, comparesValidators: false),
            answer: .part(100..<1000, length: 1000)),
        Case(
            name: "the same coding", status: 206,
            headers: part("bytes 100-999/1000", "\"a\"", [.contentEncoding: "x-gzip"]),
            question: .init(range: 100 ..< .max, length: 1000, validators: tag, coding: "gzip"),
            answer: .part(100..<1000, length: 1000)),
        Case(
            name: "the whole file as a part", status: 206, headers: part("bytes 0-999/1000"),
            answer: .whole(length: 1000, coding: nil)),
    ]

    private static func rest(_ validators: DownloadValidators) -> DownloadAnswer.Question {
        rest(100 ..< .max, length: 1000, validators)
    }

    static let others: [Case] = [
        Case(
            name: "another tag", status: 206, headers: part("bytes 100-999/1000", "\"b\""), question: rest(),
            answer: .startOver(.changed)),
        Case(
            name: "a tag that became weak", status: 206, headers: part("bytes 100-999/1000", "W/\"a\""),
            question: rest(), answer: .startOver(.changed)),
        Case(
            name: "no tag any more", status: 206, headers: part("bytes 100-999/1000", nil), question: rest(),
            answer: .startOver(.changed)),
        Case(
            name: "another time", status: 206,
            headers: part("bytes 100-999/1000", nil, [.lastModified: "Thu, 01 Jan 2026 00:00:09 GMT"]),
            question: rest(time), answer: .startOver(.changed)),
        Case(
            name: "another total", status: 206, headers: part("bytes 100-1000/1001"), question: rest(),
            answer: .startOver(.changed)),
        Case(
            name: "another start", status: 206, headers: part("bytes 99-999/1000"), question: rest(),
            answer: .startOver(.otherPart)),
        Case(
            name: "more than was asked for", status: 206, headers: part("bytes 100-299/1000"),
            question: rest(100..<200),
            answer: .startOver(.otherPart)),
        Case(
            name: "beyond the known end", status: 206, headers: part("bytes 100-1099/*"), question: rest(),
            answer: .startOver(.otherPart)),
        Case(
            name: "a length that contradicts the range", status: 206,
            headers: part("bytes 100-999/1000", "\"a\"", [.contentLength: "1000"]), question: rest(),
            answer: .startOver(.otherPart)),
        Case(
            name: "no Content-Range", status: 206, headers: [.eTag: "\"a\""], question: rest(),
            answer: .startOver(.otherPart)),
        Case(
            name: "several parts", status: 206, headers: [.contentType: "multipart/byteranges; boundary=x"],
            question: rest(), answer: .startOver(.severalParts)),
        Case(
            name: "another coding", status: 206, headers: part("bytes 100-999/1000"),
            question: .init(range: 100 ..< .max, length: 1000, validators: tag, coding: "gzip"),
            answer: .startOver(.coded)),
        Case(
            name: "a part of a coded body", status: 206,
            headers: part("bytes 100-999/1000", "\"a\"", [.contentEncoding: "gzip"]), question: rest(),
            answer: .startOver(.coded)),
        Case(
            name: "a part nobody asked for", status: 206, headers: part("bytes 0-99/1000"),
            answer: .unusable("it is a part, although no range was requested")),
        Case(
            name: "the end of an unknown length", status: 416, headers: [.contentRange: "bytes */100"],
            question: rest(length: nil), answer: .complete(length: 100)),
        Case(
            name: "the end of a longer file", status: 416, headers: [.contentRange: "bytes */101"],
            question: rest(length: nil), answer: .startOver(.notSatisfiable)),
        Case(
            name: "the end of another file", status: 416, headers: part("bytes */100", "\"b\""),
            question: rest(length: nil), answer: .startOver(.notSatisfiable)),
        Case(
            name: "an end that isn't the known one", status: 416, headers: [.contentRange: "bytes */100"],
            question: rest(), answer: .startOver(.notSatisfiable)),
        Case(
            name: "no range there", status: 416, question: rest(), answer: .startOver(.notSatisfiable)),
        Case(name: "416 without a range", status: 416, answer: .rejected),
        Case(name: "304 unasked", status: 304, answer: .rejected),
        Case(name: "304", status: 304, question: .init(isConditional: true), answer: .unchanged),
        Case(name: "not found", status: 404, question: rest(), answer: .expired),
        Case(name: "gone", status: 410, answer: .expired),
        Case(name: "unauthorized", status: 401, answer: .expired),
        Case(name: "forbidden", status: 403, answer: .expired),
        Case(name: "too many", status: 429, answer: .later),
        Case(name: "unavailable", status: 503, answer: .later),
        Case(name: "no content", status: 204, answer: .rejected),
        Case(name: "a redirect that isn't followed", status: 302, answer: .rejected),
        Case(name: "not implemented", status: 501, answer: .rejected),
    ]

    @Test(arguments: whole + parts + others) func aResponseIsJudgedByWhatWasAskedFor(_ one: Case) {
        let head = ResponseHead(status: .init(code: one.status), headers: one.headers)
        #expect(DownloadAnswer.judge(head, to: one.question) == one.answer)
    }

    @Test func onlyAStrongValidatorIsACondition() {
        #expect(Self.tag.condition == "\"a\"")
        #expect(Self.weak.condition == nil)
        #expect(Self.time.condition == "Thu, 01 Jan 2026 00:00:00 GMT")
        var sameSecond = Self.time
        sameSecond.date = sameSecond.lastModified
        #expect(sameSecond.condition == nil)
        var noDate = Self.time
        noDate.date = nil
        #expect(noDate.condition == nil)
        var weakWithTime = Self.time
        weakWithTime.eTag = "W/\"a\""
        #expect(weakWithTime.condition == "Thu, 01 Jan 2026 00:00:00 GMT")
        #expect(DownloadValidators(eTag: "a", lastModified: nil, date: nil).condition == nil)
        #expect(DownloadValidators(eTag: "\"", lastModified: nil, date: nil).condition == nil)
    }
}
