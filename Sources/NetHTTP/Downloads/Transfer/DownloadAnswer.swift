internal import HTTPTypes
internal import NetCore

/// The meaning of a response for a download: a pure function of its head and of the request.
///
/// | status | requested bytes | meaning |
/// |---|---|---|
/// | 200, 203 | any | ``whole(length:coding:)``: the server doesn't support ranges, or the file has changed |
/// | 206 at the requested offset, of the same file | a range | ``part(_:length:)`` |
/// | 206 of another file, offset or form | a range | ``startOver(_:)`` |
/// | 206 from the first to the last byte | all | ``whole(length:coding:)`` |
/// | 304 | all, if changed | ``unchanged`` |
/// | 401, 403, 404, 410 | any | ``expired`` |
/// | 408, 425, 429, 500, 502, 503, 504 | any | ``later`` |
/// | 416 with the existing length | the rest | ``complete(length:)`` |
/// | 416 | a range | ``startOver(_:)`` |
/// | others | any | ``rejected`` |
enum DownloadAnswer: Sendable, Hashable {
    /// The body is these bytes of the file.
    case part(Range<Int64>, length: Int64?)
    /// The body is the whole file, in a content coding if the server used one; the length is that of the coded bytes.
    case whole(length: Int64?, coding: FileCoding?)
    /// The file has no more bytes than those already received.
    case complete(length: Int64)
    /// The partial file can't be continued with this server; the whole file must be requested.
    case startOver(Reason)
    /// The existing file is current.
    case unchanged
    /// The link may have expired; a new one may be available.
    case expired
    /// The same request may succeed later.
    case later
    /// The server refuses the file.
    case rejected
    /// The body can't be used; the text describes it.
    case unusable(String)

    /// The reason for requesting the whole file.
    enum Reason: Sendable, Hashable {
        /// The validator or the length differs: the file has changed.
        case changed
        /// The part isn't the requested one, or its range is missing.
        case otherPart
        /// Several parts in one body (`multipart/byteranges`).
        case severalParts
        /// The part belongs to a body in another content coding.
        case coded
        /// The server has no bytes in the range.
        case notSatisfiable
    }

    /// The request, and the known properties of the file.
    struct Question: Sendable, Hashable {
        /// The requested bytes; nil for all. An upper bound of `Int64.max` requests the rest.
        var range: Range<Int64>?
        /// The length of the file; nil if unknown.
        var length: Int64?
        /// The validators of the file.
        var validators = DownloadValidators()
        /// The content coding of the bytes received so far, as stored in their version; nil for none.
        var coding: String?
        /// True if the file is requested only if it has changed.
        var isConditional = false
        /// False for a mirror, whose validators are different.
        var comparesValidators = true
    }

    /// The statuses after which a new link may help.
    static let expiredStatuses: Set<Int> = [401, 403, 404, 410]
    /// The statuses after which the same request may succeed later.
    static let laterStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// Returns the meaning of a response.
    static func judge(_ head: ResponseHead, to question: Question) -> DownloadAnswer {
        switch head.status.code {
        case 200, 203: judgeWhole(head)
        case 206: judgePart(head, question)
        case 304 where question.isConditional: .unchanged
        case 416 where question.range != nil: judgeEnd(head, question)
        case let status where expiredStatuses.contains(status): .expired
        case let status where laterStatuses.contains(status): .later
        default: .rejected
        }
    }

    private static func judgeWhole(_ head: ResponseHead) -> DownloadAnswer {
        let coding = FileCoding(head)
        guard coding?.isKnown ?? true else { return .unusable("its content coding isn't supported here") }
        return .whole(length: length(head), coding: coding)
    }

    private static func judgePart(_ head: ResponseHead, _ question: Question) -> DownloadAnswer {
        let isAsked = question.range != nil
        if let type = head[.contentType], type.lowercased().hasPrefix("multipart/byteranges") {
            return isAsked
                ? .startOver(.severalParts) : .unusable("it is in several parts, although no range was requested")
        }
        guard let range = head[.contentRange].flatMap({ ContentRange($0) }) else {
            return isAsked ? .startOver(.otherPart) : .unusable("it is a part, but has no valid Content-Range")
        }
        let coding = FileCoding(head)
        guard let wanted = question.range else {
            guard range.bytes.lowerBound == 0, range.bytes.upperBound == range.total else {
                return .unusable("it is a part, although no range was requested")
            }
            return .whole(length: range.total, coding: coding)
        }
        guard coding?.text == question.coding else { return .startOver(.coded) }
        if let known = question.length, let total = range.total, total != known { return .startOver(.changed) }
        if question.comparesValidators, question.validators.contradicts(DownloadValidators(head)) {
            return .startOver(.changed)
        }
        guard range.bytes.lowerBound == wanted.lowerBound, range.bytes.upperBound <= wanted.upperBound,
            length(head).map({ $0 == Int64(range.bytes.count) }) ?? true,
            question.length.map({ range.bytes.upperBound <= $0 }) ?? true
        else { return .startOver(.otherPart) }
        return .part(range.bytes, length: range.total ?? question.length)
    }

    private static func judgeEnd(_ head: ResponseHead, _ question: Question) -> DownloadAnswer {
        guard let start = question.range?.lowerBound, start > 0, let total = unsatisfied(head[.contentRange]),
            total == start, question.length.map({ $0 == total }) ?? true,
            !question.comparesValidators || head[.eTag] == nil
                || !question.validators.contradicts(DownloadValidators(head))
        else { return .startOver(.notSatisfiable) }
        return .complete(length: total)
    }

    /// The length in the `Content-Range` of a 416: `bytes */1000`.
    private static func unsatisfied(_ field: String?) -> Int64? {
        guard let words = field?.split(whereSeparator: { $0 == " " || $0 == "\t" }), words.count == 2,
            words[0].lowercased() == "bytes", words[1].hasPrefix("*/")
        else { return nil }
        let digits = words[1].dropFirst(2)
        guard digits.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
        return Int64(digits)
    }

    private static func length(_ head: ResponseHead) -> Int64? {
        guard let field = head[.contentLength], !field.isEmpty, field.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else {
            return nil
        }
        return Int64(field)
    }
}
