import Foundation
import NetCore
import Testing

@testable import NetHTTP

@Suite struct DownloadErrorTests {
    @Test func secretsOfTheURLAreInNoText() {
        let error = DownloadError(
            .rejected, message: "the server answered 403", url: "https://user:planted@example.com/a?token=planted",
            status: 403)
        #expect(error.description.hasPrefix("rejected: the server answered 403 (https://"))
        for text in ["\(error)", String(reflecting: error), error.localizedDescription, error.url ?? ""] {
            #expect(!text.contains("planted"), "\(text)")
        }
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!dumped.contains("planted"))
    }

    @Test func theErrorOfTheCallAnswersForIt() {
        let call = NetError(.timeout, phase: .waiting, message: "late")
        let error = DownloadError(.retriesExhausted, message: "3 attempts failed", underlying: call)
        #expect(error.isTimeout)
        #expect(!error.isConnectivity)
        #expect(!error.isCancellation)
        #expect(error.status == nil)
        let lost = DownloadError(
            .network, message: "lost", underlying: NetError(.connectionLost, phase: .receiving, message: "lost"))
        #expect(lost.isConnectivity)
        #expect(lost.url == nil)
        #expect(lost.filling(url: "https://a.test/?token=x").url?.contains("x") == false)
        #expect(DownloadError(.cancelled, message: "paused").isCancellation)
    }

    @Test func theRoomSaysWhatToFree() {
        let room = DownloadError.Room(required: 500, available: 200)
        let error = DownloadError(.insufficientDiskSpace, message: "full", room: room)
        #expect(error.missingBytes == 300)
        #expect(DownloadError(.insufficientDiskSpace, message: "full").missingBytes == nil)
    }

    @Test(arguments: [
        (ENOSPC, DownloadError.Code.insufficientDiskSpace), (EDQUOT, .insufficientDiskSpace), (EEXIST, .fileExists),
        (EROFS, .fileSystem), (EACCES, .fileSystem), (ELOOP, .fileSystem), (EIO, .fileSystem), (EMFILE, .fileSystem),
        (EFBIG, .fileSystem), (EINVAL, .fileSystem),
    ])
    func aSystemErrorHasItsMeaning(number: CInt, code: DownloadError.Code) {
        let error = DownloadError(DiskFailure(number), "write the file \"a\"")
        #expect(error.code == code)
        #expect(error.systemError == number)
        #expect(error.message.hasPrefix("cannot write the file \"a\": "))
        #expect(error.message.contains(";"))
    }
}
