import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetHTTP

/// The values of a download: parsed, printed, stored and computed.
@Suite struct DownloadEdgeTests {
    @Test func progressIsAPartOfTheWhole() {
        let file = URL(fileURLWithPath: "/a")
        for (bytes, total, isDone, fraction): (Int64, Int64?, Bool, Double?) in [
            (0, 10, false, 0), (5, 10, false, 0.5), (10, 10, false, 1), (20, 10, false, 1), (-5, 10, false, 0),
            (5, nil, false, nil), (5, 0, false, nil), (0, 1, false, 0), (5, nil, true, 1), (5, 0, true, 1),
        ] {
            let progress = DownloadProgress(bytes: bytes, total: total, localURL: isDone ? file : nil)
            #expect(progress.fraction == fraction, "\(bytes)")
            #expect(progress.isIndeterminate == (fraction == nil), "\(bytes)")
            #expect(progress.isCompleted == isDone)
        }
        for (bytes, total, speed, left): (Int64, Int64?, Double?, Double?) in [
            (0, 100, 10, 10), (90, 100, 10, 1), (110, 100, 10, 0), (0, 100, 0, nil), (0, 100, -1, nil),
            (0, nil, 10, nil),
            (0, 100, nil, nil), (0, .max, 1e-9, 3_162_240_000),
        ] {
            let progress = DownloadProgress(bytes: bytes, total: total, speed: speed)
            #expect(progress.timeLeft == left.map { .seconds($0) }, "\(bytes) \(speed ?? -9)")
        }
        #expect(DownloadProgress(total: 10, speed: 1, localURL: file).timeLeft == nil)
        #expect(DownloadProgress().bytes == 0)
    }

    @Test func threeStatesAreFinal() {
        #expect(DownloadState.allCases.filter(\.isFinal) == [.completed, .failed, .cancelled])
        #expect(ExistingFile.allCases.map(\.placing) == [.number, .replace, .fail, .replace])
    }

    @Test func settingsHaveDefaults() {
        let settings = DownloadManager.Configuration()
        #expect(settings.maximumConcurrent == 3)
        #expect(settings.maximumPerHost == nil)
        #expect(settings.queueLimit == 100)
        #expect(settings.endedLimit == 1000)
        #expect(settings.keepsFree == 100_000_000)
        #expect(settings.idleTimeout == .seconds(60))
        #expect(settings.flushesAtEnd)
        #expect(settings.layout == .flat)
        #expect(settings.bytesPerSecond == nil)
        let run = DownloadRun.Settings()
        #expect(run.idleTimeout == .seconds(60))
        #expect(run.keepsFree == 100_000_000)
        #expect(run.flushesAtEnd)
        #expect(run.roomInterval == .seconds(5))
        let request = DownloadRequest("https://a.test/x")
        #expect(request.ranges == 1)
        #expect(!request.keepsServerDate)
        #expect(request.existing == .number)
        #expect(request.mirrors.isEmpty)
        #expect(request.priority == .normal)
        #expect(request.checksum == nil)
        #expect(request.folder == nil)
        #expect(DownloadedFile(path: "/a/b", bytes: 1).isNew)
        #expect(DownloadedFile(path: "/a/b", bytes: 1).name == "b")
        #expect(DownloadedFile(path: "", bytes: 1).name == "")
        let limits = PartLimits.standard
        #expect(limits.noteBytes == 1_048_576)
        #expect(limits.flushBytes == 67_108_864)
        #expect(limits.flushPause == .seconds(5))
        #expect(DownloadTransfer.maximumRestarts == 5)
        #expect(DownloadTransfer.maximumRenewals == 3)
        #expect(DownloadTransfer.roomStep == 67_108_864)
        #expect(DownloadWriter.maximumPending == 524_288)
        #expect(PartFile.maximumNumber == 9_999)
        #expect(DownloadName.maximumBytes == 255)
        #expect(DownloadBoard.progressInterval == .milliseconds(100))
        #expect(DownloadBoard.pulseInterval == .seconds(1))
        #expect(NetworkChanges.patience == .milliseconds(500))
        #expect(SpeedMeter.window == .seconds(3))
        #expect(RangePlan.smallestHalf == 524_288)
        #expect(RangeGrowth.gain == 1.1)
        #expect(RangeGrowth.settling == .seconds(1))
        #expect(RangeGrowth.window == .seconds(1))
    }

    @Test func aQueueHasRoomForOneAtLeast() {
        let least = DownloadQueue<Int>(maximumConcurrent: 0, maximumPerHost: 0, limit: 0)
        #expect(least.maximumConcurrent == 1)
        #expect(least.maximumPerHost == 1)
        #expect(least.limit == 1)
        let plain = DownloadQueue<Int>(maximumConcurrent: 4, maximumPerHost: nil, limit: 9)
        #expect(plain.maximumConcurrent == 4)
        #expect(plain.maximumPerHost == 4)
        #expect(plain.limit == 9)
        #expect(DownloadQueue<Int>(maximumConcurrent: -1, maximumPerHost: nil, limit: 9).maximumPerHost == 1)
    }

    @Test func theSameFileHasOnePlace() throws {
        for (url, place, host) in [
            ("HTTPS://A.test/X?y=Z", "https://a.test/X?y=Z", "a.test"),
            ("http://A.test:8080/x", "http://a.test:8080/x", "a.test:8080"),
        ] {
            let found = try DownloadPlace(url)
            #expect(found.url == place, "\(found)")
            #expect(found.host == host, "\(found)")
        }
        for url in ["", "/x", "ftp://a.test/x", "ws://a.test/x", "wss://a.test/x", "https://"] {
            let error = #expect(throws: DownloadError.self) { try DownloadPlace(url) }
            #expect(error?.code == .invalidURL, "\(url)")
        }
    }

    @Test func theNetworkAllowsHoldsOrForbids() {
        func verdicts(_ status: NetworkStatus) -> [NetworkVerdict] {
            let rules: [DownloadNetwork] = [
                .any, .notExpensive, .notCellular, .interface("eth0"), .matching { $0.vpn == .full },
            ]
            return rules.map { $0.verdict(on: status) }
        }
        let (yes, no) = (NetworkVerdict.isAllowed, NetworkVerdict.isForbidden)
        #expect(verdicts(NetworkStatus(.unreachable)) == [.isHeld, .isHeld, .isHeld, .isHeld, .isHeld])
        // Nothing but the route is known.
        #expect(verdicts(NetworkStatus(.reachable)) == [yes, no, no, no, no])
        #expect(verdicts(NetworkStatus(.unknown)) == [yes, no, no, no, no])
        var status = NetworkStatus(.reachable)
        (status.isExpensive, status.interfaces, status.interface, status.vpn) = (true, [.cellular], "wwan0", .full)
        #expect(verdicts(status) == [yes, no, no, no, yes])
        (status.isExpensive, status.interfaces, status.interface) = (false, [.wired], "eth0")
        #expect(verdicts(status) == [yes, yes, yes, yes, yes])
    }

    @Test func aRuleForTheNetworkIsKeptByItsName() {
        for name in ["any", "notExpensive", "notCellular", "interface:eth0"] {
            #expect(DownloadNetwork(named: name).description == name)
        }
        #expect(DownloadNetwork(named: "else").description == "matching")
        #expect(DownloadNetwork(named: "else").verdict(on: NetworkStatus(.reachable)) == .isForbidden)
        #expect(DownloadNetwork(named: "any (matching)").description == "matching")
        #expect(DownloadNetwork.matching { _ in true }.description == "matching")
    }

    @Test func aChecksumHasTheLengthOfItsAlgorithm() {
        let digits = String(repeating: "aB09", count: 16)
        #expect(DownloadChecksum.sha256(digits)?.hexadecimal == digits.lowercased())
        #expect(DownloadChecksum.sha256(":" + digits + ":") != nil)
        #expect(DownloadChecksum.sha256(digits + digits) == nil)
        #expect(DownloadChecksum(digits + digits)?.algorithm == .sha512)
        #expect(DownloadChecksum.sha512(digits + digits)?.digest?.count == 64)
        #expect(DownloadChecksum.sha256(digits)?.digest?.prefix(4).map { $0 } == [0xab, 0x09, 0xab, 0x09])
        for odd in ["g", "G", "@", "`", "/", ":"] {
            #expect(DownloadChecksum.sha256(odd + digits.dropFirst()) == nil, "\(odd)")
        }
        for good in ["0", "9", "a", "f", "A", "F"] {
            #expect(DownloadChecksum.sha256(good + digits.dropFirst()) != nil)
        }
        for text in ["::", ":", "", "aB09"] { #expect(DownloadChecksum.sha256(text) == nil) }
        #expect(DownloadChecksum("sha256") == nil)
        #expect(DownloadChecksum("sha-512=\(digits + digits)") != nil)
    }

    @Test func anIDIsTheSameInBothForms() {
        let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        #expect(CallID(uuid).uuid == uuid)
        #expect(CallID(uuid) != CallID(UUID()))
        #expect(CallID(uuid).description.filter { $0 != "-" } == uuid.uuidString.lowercased().filter { $0 != "-" })
    }

    private func record(_ url: String = "https://a.test/x") throws -> DownloadRecord {
        let request = DownloadRequest(url)
        let task = DownloadTask(id: UUID(), request: request, createdAt: Date(timeIntervalSince1970: 5))
        return DownloadRecord(task, request, try DownloadPlace(url), order: 7)
    }

    @Test func everyPartOfARequestComesBackFromItsIdentity() throws {
        var request = DownloadRequest(
            "https://a.test/x", fileName: "n", folder: "f", priority: .high,
            checksum: .sha256(String(repeating: "a", count: 64)),
            mirrors: ["https://b.test/x"], existing: .ask, network: .notCellular, ranges: 5, keepsServerDate: true)
        let task = DownloadTask(id: UUID(), request: request, createdAt: Date(timeIntervalSince1970: 5))
        var record = DownloadRecord(task, request, try DownloadPlace(request.url), order: 7)
        let identity = record.identity(isPaused: true)
        #expect(identity.order == 7)
        #expect(identity.isPaused)
        #expect(identity.createdAt == task.createdAt)
        #expect(identity.id == task.id)
        #expect(!record.identity(isPaused: false).isPaused)
        let back = DownloadRequest(identity)
        #expect(back.url == request.url)
        #expect(back.fileName == "n")
        #expect(back.folder == "f")
        #expect(back.priority == .high)
        #expect(back.checksum == request.checksum)
        #expect(back.mirrors == request.mirrors)
        #expect(back.existing == .ask)
        #expect(back.network.description == "notCellular")
        #expect(back.ranges == 5)
        #expect(back.keepsServerDate)
        let bare = DownloadRequest(DownloadIdentity(id: UUID(), url: "https://a.test/x", createdAt: Date()))
        #expect(bare.folder == nil)
        #expect(bare.ranges == 1)
        #expect(!bare.keepsServerDate)
        #expect(bare.existing == .number)
        #expect(bare.network.description == "any")
        #expect(bare.priority == .normal)
        request.url = "https://c.test/y"
        request.headers = [.authorization: "x"]
        record.renew(request)
        #expect(record.task.url == "https://c.test/y")
        #expect(record.request.headers[.authorization] == "x")
    }

    @Test func aReportChangesTheTask() throws {
        var record = try record()
        let lost = DownloadError(.network, message: "lost")
        func take(_ report: DownloadReport, _ seconds: Double) -> String? {
            record.take(report, at: .seconds(seconds), progressEvery: .milliseconds(100)).map { "\($0)" }
        }
        #expect(take(.response(status: 200, type: nil), 0) == nil)
        #expect(record.toldAt == nil)
        #expect(take(.began(total: 100, bytes: 5, name: "n"), 1) == "progress 5 B of 100 B")
        #expect(record.task.attempt == 1)
        #expect(record.task.fileName == "n")
        #expect(record.toldAt == .seconds(1))
        #expect(take(.bytes(10), 1.05) == nil, "too soon")
        #expect(record.task.bytes == 10, "too soon")
        #expect(take(.bytes(20), 1.1) == "progress 20 B of 100 B")
        #expect(take(.attempt(3, after: .zero, lost), 1.2) == "error network")
        #expect(record.task.attempt == 3)
        #expect(take(.began(total: 100, bytes: 20, name: "n"), 1.3) != nil)
        #expect(record.task.attempt == 3)
        #expect(take(.bytes(20), 2) != nil, "nothing new has come")
        #expect(record.task.error != nil, "nothing new has come")
        #expect(take(.bytes(21), 3) != nil)
        #expect(record.task.error == nil)
        #expect(record.task.attempt == 1)
        #expect(take(.bytes(100), 3.01) == "progress 100 B of 100 B", "the end is told at once")
        #expect(take(.ranges(4), 4) == "ranges 4")
        #expect(take(.noRoom(lost, after: .seconds(1)), 5) == "error network")
        #expect(record.task.error?.code == .network)
        record.complete(DownloadedFile(path: "/a/b", bytes: 9))
        #expect(record.task.bytes == 9)
        #expect(record.task.total == 9)
        #expect(record.task.fileName == "b")
        #expect(record.task.error == nil)
        #expect(record.task.localURL?.path == "/a/b")
        record.task.state = .waiting
        #expect(!record.waitsForRoom)
        record.task.error = DownloadError(.insufficientDiskSpace, message: "full")
        #expect(record.waitsForRoom)
        record.task.state = .downloading
        #expect(!record.waitsForRoom)
    }

    @Test func someReportsMeanThatARunWaits() {
        let error = DownloadError(.network, message: "lost")
        #expect(!DownloadReport.attempt(2, after: .zero, error).isWaiting)
        #expect(DownloadReport.noRoom(error, after: .zero).isWaiting)
        #expect(DownloadReport.attempt(2, after: .nanoseconds(1), error).isWaiting)
        #expect(!DownloadReport.bytes(1).isWaiting)
    }

    @Test func aTaskIsWrittenAndPrinted() throws {
        var task = try record().task
        #expect(task.name == "https://a.test/x")
        #expect("\(task)" == "https://a.test/x: queued, 0 B")
        (task.fileName, task.total, task.bytes, task.attempt) = ("n", 10, 5, 2)
        task.error = DownloadError(.network, message: "lost")
        task.startedAt = Date(timeIntervalSince1970: 6)
        let back = try JSONDecoder().decode(DownloadTask.self, from: JSONEncoder().encode(task))
        #expect(back == task)
        #expect("\(back)" == "n: queued, 5 of 10 B")
        #expect(back.error?.code == .network)
        task.bytes = 6
        #expect(back != task)
        #expect(back.hashValue == task.hashValue)
    }

    @Test func anErrorAnswersForItsCause() {
        let lost = NetError(.connectionLost, phase: .receiving, message: "lost")
        let error = DownloadError(.network, message: "no", underlying: lost)
        #expect(error.isConnectivity)
        #expect(!error.isTimeout)
        #expect(!error.isCancellation)
        #expect(error.missingBytes == nil)
        #expect(DownloadError(.cancelled, message: "x").isCancellation)
        #expect(DownloadError(.network, message: "x", room: .init(required: 5, available: 9)).missingBytes == 0)
        let filled = error.filling(url: "https://a.test/x")
        #expect(filled.url == "https://a.test/x")
        #expect(filled.filling(url: "https://b.test").url == "https://a.test/x")
        #expect(filled.description == "network: no (https://a.test/x)")
        #expect(error.description == "network: no")
    }

    @Test func aSpeedIsMeasuredBetweenTwoTimes() {
        var meter = SpeedMeter()
        meter.note(0, at: .zero)
        meter.note(100, at: .milliseconds(50))
        meter.note(200, at: .milliseconds(100))
        let early = meter.speed(at: .milliseconds(100))
        #expect(early == 2000)
        // Bytes between two measurements count as evenly distributed.
        meter.note(1200, at: .seconds(2.1))
        let later = meter.speed(at: .seconds(4.1))
        #expect(later.map { abs($0 - 500.0 / 3) < 1 } == true, "\(later ?? 0)")
        let end = meter.speed(at: .seconds(5.1))
        #expect(end.map { abs($0) < 1 } == true)
        meter.reset()
        let none = meter.speed(at: .seconds(6))
        #expect(none == nil)
    }
}
