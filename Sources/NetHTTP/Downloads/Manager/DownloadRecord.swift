internal import NetCore
internal import NetCrypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The state that a manager keeps for one download or upload.
struct DownloadRecord: Sendable {
    var task: DownloadTask
    private(set) var request: DownloadRequest
    private(set) var place: DownloadPlace
    let createdAt: Date
    let order: Int64
    var run: Task<Void, Never>?
    var meter = SpeedMeter()
    /// The clock reading of the last progress report.
    var toldAt: Duration?
    var file: DownloadedFile?
    /// The part of the journal that is specific to uploads; nil for a download.
    var upload: UploadIdentity?
    var uploaded: UploadedFile?
    /// The logins that all requests must be sent with; nil for none.
    var login: CallLogin?
    /// The user for another process; nil if the user has no name.
    var owner: SealedNames?
    /// True if the task was restored, and its user isn't logged in.
    var waitsForOwner = false
    /// The error of a task that has failed for good.
    var failure: DownloadIdentity.Failure?
    /// The names of headers that the request should have, but hasn't.
    var missingHeaders: [String]?
    /// True if the URL was replaced after bytes had arrived.
    var isRelinked = false
    /// The number of the last attempt, which isn't reset when bytes arrive.
    private(set) var lastAttempt = 0
    var calls = 0
    var lastCall: CallID?
    var activities = 0

    init(_ task: DownloadTask, _ request: DownloadRequest, _ place: DownloadPlace, order: Int64) {
        self.task = task
        self.request = request
        self.place = place
        self.order = order
        createdAt = task.createdAt
    }

    /// The content of the journal.
    func identity(isPaused: Bool) -> DownloadIdentity {
        var identity = DownloadIdentity(id: task.id, url: request.url, createdAt: createdAt)
        identity.mirrors = request.mirrors
        identity.fileName = request.fileName
        identity.folder = request.folder ?? ""
        identity.priority = task.priority.rawValue
        identity.order = order
        identity.isPaused = isPaused
        identity.checksum = request.checksum?.description
        identity.existing = request.existing.rawValue
        identity.network = request.network.description
        identity.maximumRanges = request.ranges
        identity.keepsServerDate = request.keepsServerDate
        identity.upload = upload
        identity.owner = owner
        identity.failure = failure
        let names = Set(request.headers.map(\.name.rawName)).sorted()
        identity.headerNames = missingHeaders ?? (names.isEmpty ? nil : names)
        identity.isRelinked = isRelinked ? true : nil
        return identity
    }

    /// The input of a run.
    var job: DownloadJob {
        DownloadJob(id: task.id, request: request, identity: identity(isPaused: false), login: login)
    }

    /// True if the download is waiting for disk space.
    var waitsForRoom: Bool { task.state == .waiting && task.error?.code == .insufficientDiskSpace }

    mutating func progress(at now: Duration) -> DownloadProgress {
        DownloadProgress(
            bytes: task.bytes, total: task.total,
            speed: task.state.isRunning ? meter.speed(at: now) : nil, localURL: task.localURL)
    }

    /// Applies a new link to the file. The request's other properties stay.
    mutating func renew(_ other: DownloadRequest) {
        (request.url, request.mirrors, request.headers) = (other.url, other.mirrors, other.headers)
        task.url = other.url
    }

    /// Applies a new request for the same file, whose part stays.
    mutating func replace(_ other: DownloadRequest, _ place: DownloadPlace, login: CallLogin?) {
        isRelinked = isRelinked || other.url != request.url
        (request, self.place, self.login) = (other, place, login)
        (failure, missingHeaders, waitsForOwner) = (nil, nil, false)
        (task.url, task.priority) = (other.url, other.priority)
        if let name = other.fileName { task.fileName = name }
    }

    /// Applies the properties of a journal that aren't part of the request.
    ///
    /// - Parameters:
    ///   - hasHeaders: True if the request has its headers again.
    ///   - failure: The error of a task that isn't retried.
    mutating func restore(_ identity: DownloadIdentity, hasHeaders: Bool, _ failure: DownloadError?) {
        missingHeaders = hasHeaders ? nil : identity.headerNames
        isRelinked = identity.isRelinked == true
        if failure != nil { self.failure = identity.failure }
    }

    /// Records the downloaded file.
    mutating func complete(_ file: DownloadedFile) {
        self.file = file
        (task.fileName, task.localURL, task.error) = (file.name, file.url, nil)
        (task.bytes, task.total) = (file.bytes, file.bytes)
    }

    /// Records the uploaded file.
    mutating func complete(_ file: UploadedFile) {
        uploaded = file
        (task.localURL, task.location, task.error) = (URL(fileURLWithPath: file.path), file.location, nil)
        (task.bytes, task.total) = (file.bytes, file.bytes)
    }

    /// Applies a run's report; returns the event for observers, nil for none.
    mutating func take(
        _ report: DownloadReport, at now: Duration, progressEvery interval: Duration
    ) -> DownloadEvent.Kind? {
        switch report {
        case .call, .response: return nil
        case .began(let total, let bytes, let name):
            (task.total, task.fileName, task.bytes) = (total, name, bytes)
            task.attempt = max(1, task.attempt)
            lastAttempt = max(1, lastAttempt)
            meter.reset()
            meter.note(bytes, at: now)
        case .bytes(let bytes):
            note(bytes, at: now)
            if let toldAt, now - toldAt < interval, bytes != task.total { return nil }
        case .ranges(let count):
            return .ranges(count)
        case .attempt(let number, _, let error):
            (task.attempt, task.error) = (number, error)
            lastAttempt = number
            return .error(error)
        case .noRoom(let error, _):
            task.error = error
            return .error(error)
        }
        toldAt = now
        return .progress(progress(at: now))
    }

    /// Records the number of bytes transferred.
    private mutating func note(_ bytes: Int64, at now: Duration) {
        if bytes > task.bytes {
            task.attempt = min(task.attempt, 1)
            task.error = nil
        }
        task.bytes = bytes
        meter.note(bytes, at: now)
    }
}

extension DownloadRequest {
    /// Creates the request from a journal.
    init(_ identity: DownloadIdentity) {
        self.init(
            identity.url, fileName: identity.fileName, folder: identity.folder.isEmpty ? nil : identity.folder,
            priority: RequestPriority(rawValue: identity.priority),
            checksum: identity.checksum.flatMap { DownloadChecksum($0) }, mirrors: identity.mirrors,
            existing: identity.existing.flatMap(ExistingFile.init) ?? .number,
            network: identity.network.map(DownloadNetwork.init(named:)) ?? .any, ranges: identity.maximumRanges,
            keepsServerDate: identity.keepsServerDate)
    }
}
