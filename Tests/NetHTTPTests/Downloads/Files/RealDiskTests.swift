import Dispatch
import Foundation
import NetCore
import NetTesting
import Synchronization
import TestSupport
import Testing

@testable import NetHTTP

#if os(Linux)
/// Disks of the kernel that are full, read-only or faulty.
@Suite(.timeLimit(.minutes(2))) struct RealDiskTests {
    private let file = SimulatedFile(version: 0, length: 64 << 10)

    private func identity() -> DownloadIdentity {
        DownloadIdentity(id: UUID(), url: "https://a.test/f", createdAt: Date(timeIntervalSince1970: 0))
    }

    /// Writes the missing parts of a file with a repeated pattern.
    private func receive(_ part: PartFile, blocks: Int) throws(DownloadError) {
        let length = Int64(blocks * file.bytes.count)
        for gap in part.received.gaps(upTo: length) {
            var start = gap.lowerBound
            while start < gap.upperBound {
                let place = Int(start) % file.bytes.count
                let end = min(start + Int64(file.bytes.count - place), gap.upperBound)
                try part.write(file.bytes[place..<(place + Int(end - start))], at: start)
                start = end
            }
        }
    }

    private func isRight(_ path: String, blocks: Int) -> Bool {
        guard let data = FileManager.default.contents(atPath: path) else { return false }
        return data == (0..<blocks).reduce(into: Data()) { all, _ in all.append(file.bytes.data) }
    }

    @Test func aFullDiskStopsADownloadUntilThereIsRoom() async throws {
        try await onMount("tmpfs", "size=8m") { mount in
            let folder = try DownloadFolder.open(mount.path)
            #expect(try folder.freeBytes() <= 8 << 20)
            let identity = identity()
            try folder.create(identity)
            let part = try folder.part(identity.id, clock: .system)
            try part.begin(DownloadVersion(length: 12 << 20))
            let error = #expect(throws: DownloadError.self) { try receive(part, blocks: 192) }
            #expect(error?.code == .insufficientDiskSpace)
            #expect(error?.systemError == ENOSPC)
            #expect(error?.message.contains("free some space") == true, "\(error?.message ?? "")")
            #expect(part.received.count > 6 << 20)
            try? part.close()
            // Another process finds nearly all of it.
            #expect(try folder.restore().first.map { $0.received > 6 << 20 } == true)
            try mount.again("size=32m")
            let again = try folder.part(identity.id, clock: .system)
            #expect(again.received.count > 6 << 20)
            try receive(again, blocks: 192)
            let path = try again.finish(named: "a")
            #expect(isRight(path, blocks: 192))
        }
    }

    @Test func aDiskThatBecomesReadOnlyStopsADownloadUntilItIsRepaired() async throws {
        try await onMount("tmpfs", "size=8m") { mount in
            var folder = try DownloadFolder.open(mount.path)
            let identity = identity()
            try folder.create(identity)
            try autoclosing(try folder.part(identity.id, clock: .system)) { part in
                try part.begin(DownloadVersion(length: 1 << 20))
                try part.write(file.bytes, at: 0)
                try part.close()
            }
            folder.close()
            try mount.again("ro")
            let error = #expect(throws: DownloadError.self) { try DownloadFolder.open(mount.path) }
            #expect(error?.code == .fileSystem)
            #expect(error?.systemError == EROFS)
            try mount.again("rw")
            folder = try DownloadFolder.open(mount.path)
            let part = try folder.part(identity.id, clock: .system)
            #expect(part.received.count == 64 << 10)
            try receive(part, blocks: 16)
            #expect(isRight(try part.finish(named: "a"), blocks: 16))
        }
    }

    private func autoclosing(_ part: PartFile, _ body: (PartFile) throws -> Void) throws { try body(part) }

    /// A program on the same disk under libfiu: each call may fail.
    @Test func aDiskWhoseCallsFailAtRandomNeverGivesAWrongFile() async throws {
        guard ProcessInfo.processInfo.environment["NET_FAULTY_DISK"] == nil else { return try faultyDownloads() }
        guard let run = SystemProgram("fiu-run").path else { return }
        let points = ["posix/io/rw/pwrite", "posix/io/rw/pread", "posix/io/sync/*", "posix/io/file/ftruncate"]
        let output = try await Tool.run(
            [run, "-x", "-f", ""] + points.flatMap { ["-c", "enable_random name=\($0),probability=0.02"] } + [
                "/proc/self/exe".resolved, "--testing-library", "swift-testing", "--filter",
                "aDiskWhoseCallsFailAtRandomNeverGivesAWrongFile",
            ], environment: ["NET_FAULTY_DISK": "1"])
        let text = String(decoding: output, as: UTF8.self)
        let failures = text.split(separator: "\n").compactMap { line in
            line.hasPrefix("failed calls: ") ? Int(line.dropFirst(14)) : nil
        }
        // About 70 calls fail, 40 to 95 in most runs.
        #expect(failures.first.map { $0 > 10 } == true, "\(text.suffix(2_000))")
    }

    private func faultyDownloads() throws {
        let top = ScratchFolder.path + "/faulty"
        var failures = 0
        for count in 0..<60 {
            let identity = identity()
            var path: String?
            for _ in 0..<200 where path == nil {
                do throws(DownloadError) {
                    let folder = try DownloadFolder.open(top)
                    if try !folder.restore().contains(where: { $0.identity.id == identity.id }) {
                        try folder.create(identity)
                    }
                    let part = try folder.part(
                        identity.id, limits: PartLimits(noteBytes: 100_000, flushBytes: 300_000), clock: .system)
                    if part.version == nil { try part.begin(DownloadVersion(length: 1 << 20)) }
                    try receive(part, blocks: 16)
                    path = try part.finish(named: "a\(count)", placing: .replace)
                } catch {
                    failures += 1
                    #expect(error.systemError != nil || error.code == .taskNotFound, "\(error)")
                }
            }
            #expect(path.map { isRight($0, blocks: 16) } == true)
        }
        print("\nfailed calls: \(failures)")
    }

    /// A file system that is visible only to one thread, and ends with it.
    private struct Mount {
        typealias Call =
            @convention(c) (
                UnsafePointer<CChar>?, UnsafePointer<CChar>, UnsafePointer<CChar>?, UInt, UnsafeRawPointer?
            ) -> CInt
        let path: String
        let call: Call

        func again(_ options: String) throws {
            let isReadOnly = options == "ro"
            let data = ["ro", "rw"].contains(options) ? "" : options
            guard call(nil, path, nil, 32 | (isReadOnly ? 1 : 0), data) == 0 else { throw Failure(number: errno) }
        }
    }

    private struct Failure: Error { let number: CInt }

    private func onMount(_ type: String, _ options: String, _ body: @escaping @Sendable (Mount) throws -> Void)
        async throws
    {
        typealias Unshare = @convention(c) (CInt) -> CInt
        guard let unshare = dlsym(nil, "unshare"), let mount = dlsym(nil, "mount") else { return }
        let (leave, call) = (unsafeBitCast(unshare, to: Unshare.self), unsafeBitCast(mount, to: Mount.Call.self))
        let path = ScratchFolder.path + "/mount-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                // A separate mount namespace, from which no mounts propagate.
                guard leave(0x20000) == 0, call(nil, "/", nil, 1 << 18 | 1 << 14, nil) == 0,
                    call("none", path, type, 0, options) == 0
                else {
                    print("skipped: 1 test of a real disk; mounting is forbidden here")
                    return continuation.resume()
                }
                continuation.resume(with: Result { try body(Mount(path: path, call: call)) })
            }
        }
    }
}

extension String {
    /// The path that a link leads to.
    fileprivate var resolved: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: self)) ?? self
    }
}
#endif
