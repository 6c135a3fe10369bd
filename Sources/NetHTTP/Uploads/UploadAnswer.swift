internal import HTTPTypes
internal import NetCore

/// The meaning of a response to a request of an upload: a pure function of its head and of what was asked for.
///
/// | status | creation | offset | bytes |
/// |---|---|---|---|
/// | 2xx | ``created(offset:)``, ``done`` | ``offset(_:)``, ``done`` | ``offset(_:)``, ``accepted``, ``done`` |
/// | 404, 410 | ``rejected`` | ``gone`` | ``gone`` |
/// | 409 | ``rejected`` | ``rejected`` | ``conflict`` |
/// | 413 | ``tooLarge`` | ``rejected`` | ``tooLarge`` |
/// | 423 | ``locked`` | ``locked`` | ``locked`` |
/// | 460 (tus) | ``rejected`` | ``rejected`` | ``damaged`` |
/// | 408, 425, 429, 500, 502, 503, 504 | ``later`` | ``later`` | ``later`` |
/// | others | ``rejected`` | ``rejected`` | ``rejected`` |
///
/// With `Upload-Complete: ?1`, any status of the draft is that of the resource that got the whole file: ``done`` or ``rejected``.
enum UploadAnswer: Sendable, Hashable {
    /// The upload has begun; the server has so many bytes, or hasn't said how many.
    case created(offset: Int64?)
    /// The server has so many bytes.
    case offset(Int64)
    /// The bytes were taken, but the server hasn't said how many it has.
    case accepted
    /// The server has the whole file.
    case done
    /// The server doesn't know the upload, or not any more.
    case gone
    /// The server expects other bytes.
    case conflict
    /// Another request of the upload is under way.
    case locked
    /// The checksum of the bytes was wrong.
    case damaged
    /// The body or the file is too large.
    case tooLarge
    /// The same request may succeed later.
    case later
    /// The server doesn't take the file.
    case rejected
    /// The response can't be used: why.
    case unusable(String)

    /// A request of an upload.
    enum Step: Sendable, Hashable {
        /// Begins the upload; `isWhole` if its body is the whole file and completes it.
        case creation(isWhole: Bool)
        /// Asks for the offset.
        case offset
        /// Brings bytes; `isLast` if they're the last.
        case bytes(isLast: Bool)
    }

    /// Returns the meaning of a response.
    static func judge(_ head: ResponseHead, to step: Step, of kind: UploadServer.Kind) -> UploadAnswer {
        let isSuccess = (200...299).contains(head.status.code)
        if kind != .tus, head.isUploadComplete == true {
            // Interop version 3 has no other header for a creation that isn't complete.
            return isSuccess || step == .offset ? .done : .rejected
        }
        guard !isSuccess else {
            return kind == .tus ? judgeTus(head, step) : judgeDraft(head, step)
        }
        switch (head.status.code, step) {
        case (404, .offset), (404, .bytes), (410, .offset), (410, .bytes): return .gone
        case (409, .bytes): return .conflict
        case (413, .creation), (413, .bytes): return .tooLarge
        case (423, _): return .locked
        case (460, .bytes) where kind == .tus: return .damaged
        case (let status, _) where DownloadAnswer.laterStatuses.contains(status): return .later
        default: return .rejected
        }
    }

    private static func judgeTus(_ head: ResponseHead, _ step: Step) -> UploadAnswer {
        switch step {
        case .creation:
            guard head[.location] != nil else {
                return .unusable("it has no Location, so the upload can't be found again")
            }
            return .created(offset: head.count(.uploadOffset))
        case .offset:
            return head.count(.uploadOffset).map { .offset($0) } ?? .unusable("it has no Upload-Offset")
        case .bytes:
            return head.count(.uploadOffset).map { .offset($0) } ?? .accepted
        }
    }

    private static func judgeDraft(_ head: ResponseHead, _ step: Step) -> UploadAnswer {
        switch step {
        case .creation(isWhole: true) where head.isUploadComplete == nil: return .done
        case .creation:
            guard head[.location] != nil else {
                return .unusable("it has no Location, so the upload can't be found again")
            }
            return .created(offset: head.count(.uploadOffset))
        case .offset:
            return head.count(.uploadOffset).map { .offset($0) } ?? .unusable("it has no Upload-Offset")
        // Servers of older drafts don't say that it is complete.
        case .bytes(isLast: true) where head.isUploadComplete == nil: return .done
        case .bytes:
            return head.count(.uploadOffset).map { .offset($0) } ?? .accepted
        }
    }
}
