internal import HTTPTypes
internal import NetCore

/// The meaning of a response to an upload request: a pure function of its head and of the request's step.
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
/// With `Upload-Complete: ?1`, any status of the draft protocol is the status of the resource that received the whole
/// file: ``done`` or ``rejected``.
enum UploadAnswer: Sendable, Hashable {
    /// The upload has begun; the server has `offset` bytes, or hasn't reported their number.
    case created(offset: Int64?)
    /// The server has this number of bytes.
    case offset(Int64)
    /// The server accepted the bytes, but hasn't reported how many it has.
    case accepted
    /// The server has the whole file.
    case done
    /// The server doesn't know the upload, or has forgotten it.
    case gone
    /// The server expects bytes at a different offset.
    case conflict
    /// Another request of the upload is still running.
    case locked
    /// The checksum of the bytes was wrong.
    case damaged
    /// The body or the file is too large.
    case tooLarge
    /// The same request may succeed later.
    case later
    /// The server refuses the file.
    case rejected
    /// The response can't be used, for this reason.
    case unusable(String)

    /// A request of an upload.
    enum Step: Sendable, Hashable {
        /// Begins the upload; `isWhole` if its body is the whole file and completes it.
        case creation(isWhole: Bool)
        /// Requests the offset.
        case offset
        /// Sends bytes; `isLast` if they're the last.
        case bytes(isLast: Bool)
    }

    /// Returns the meaning of a response.
    static func judge(_ head: ResponseHead, to step: Step, of kind: UploadServer.Kind) -> UploadAnswer {
        let isSuccess = (200...299).contains(head.status.code)
        if kind != .tus, head.isUploadComplete == true {
            // Interop version 3 has no other header for an incomplete creation.
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
                return .unusable("the response has no Location, so the upload can't be found again")
            }
            return .created(offset: head.count(.uploadOffset))
        case .offset:
            return head.count(.uploadOffset).map { .offset($0) } ?? .unusable("the response has no Upload-Offset")
        case .bytes:
            return head.count(.uploadOffset).map { .offset($0) } ?? .accepted
        }
    }

    private static func judgeDraft(_ head: ResponseHead, _ step: Step) -> UploadAnswer {
        switch step {
        case .creation(isWhole: true) where head.isUploadComplete == nil: return .done
        case .creation:
            guard head[.location] != nil else {
                return .unusable("the response has no Location, so the upload can't be found again")
            }
            return .created(offset: head.count(.uploadOffset))
        case .offset:
            return head.count(.uploadOffset).map { .offset($0) } ?? .unusable("the response has no Upload-Offset")
        // Servers of older drafts don't report completion.
        case .bytes(isLast: true) where head.isUploadComplete == nil: return .done
        case .bytes:
            return head.count(.uploadOffset).map { .offset($0) } ?? .accepted
        }
    }
}
