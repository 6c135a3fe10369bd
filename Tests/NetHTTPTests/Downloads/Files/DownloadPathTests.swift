import Foundation
import NetCore
import Testing

@testable import NetHTTP

#if canImport(Glibc)
import Glibc
#endif

/// Names of files and folders, character by character.
@Suite struct DownloadPathTests {
    @Test func eachKindOfCharacterIsKeptReplacedOrLeftOut() {
        func allowed(_ value: UInt32) -> UInt32? {
            Unicode.Scalar(value).flatMap { DownloadName.allowed($0) }?.value
        }
        let underscore: UInt32 = 0x5f
        for value: UInt32 in [0, 0x1f, 0x7f, 0x9f, 0xfffd, 0x22, 0x2a, 0x3a, 0x3c, 0x3e, 0x3f, 0x7c, 0x378] {
            #expect(allowed(value) == underscore, "\(value)")
        }
        for value: UInt32 in [
            0x20, 0x7e, 0xa0, 0x21, 0x23, 0x2b, 0x3b, 0x3d, 0x40, 0x7b, 0x7d, 0x200a, 0x200c, 0x205f, 0x2010,
        ] {
            #expect(allowed(value) == value, "\(value)")
        }
        for value: UInt32 in [
            0x61c, 0x200b, 0x200e, 0x200f, 0x2028, 0x202e, 0x2060, 0x206f, 0xfeff, 0xfff9, 0xfffb, 0xe0000, 0xe0fff,
        ] {
            #expect(allowed(value) == nil, "\(value)")
        }
    }

    @Test(arguments: [
        ("CON", true), ("con.txt", true), ("conin$", true), ("clock$", true), ("prn ", true), ("com0", true),
        ("COM¹", true),
        ("lpt3.x.y", true), ("com", false), ("com10", false), ("coma", false), ("lpt", false), ("xcon", false),
        ("a.con", false),
    ])
    func devicesOfWindowsAreKnown(name: String, isDevice: Bool) {
        #expect(DownloadName.isDevice(name) == isDevice)
    }

    @Test(arguments: [
        ("a.b", "a", ".b"), ("a", "a", ""), (".b", ".b", ""), ("a.", "a.", ""), ("a.tar.gz", "a", ".tar.gz"),
        ("a.TAR.xz", "a", ".TAR.xz"), (".tar.gz", ".tar", ".gz"), ("b.tar", "b", ".tar"), ("a.b_c", "a.b_c", ""),
        ("a.12345678901234567890", "a", ".12345678901234567890"),
        ("a.123456789012345678901", "a.123456789012345678901", ""),
        ("a.Z9", "a", ".Z9"), ("a.é", "a.é", ""), ("a.[", "a.[", ""), ("a.@", "a.@", ""), ("a./", "a./", ""),
        ("a.:", "a.:", ""),
    ])
    func anExtensionHasLettersAndDigits(name: String, base: String, ending: String) {
        #expect(DownloadName.parts(name) == (base, ending))
    }

    @Test func aNameIsCutToItsLength() {
        let name = String(repeating: "a", count: 255)
        #expect(DownloadName.shortened(name) == name)
        #expect(DownloadName.shortened(name + "b") == name)
        #expect(DownloadName.cut("abc", to: 3) == "abc")
        #expect(DownloadName.cut("abc", to: 2) == "ab")
        #expect(DownloadName.cut("aé", to: 2) == "a")
        #expect(DownloadName.cut("ab c", to: 3) == "ab")
        #expect(DownloadName.trimmed(" .-a.-. ") == "a.-")
        #expect(DownloadName.trimmed("-. ") == "")
    }

    @Test func theFolderForDownloadsIsTheUsers() {
        func folder(_ variable: String?, _ file: String = "") -> String {
            UserFolders.downloads(variable: variable, file: file, home: "/home/ann")
        }
        #expect(folder(nil) == "/home/ann/Downloads")
        #expect(folder("relative") == "/home/ann/Downloads")
        #expect(folder("/srv/x//") == "/srv/x")
        #expect(folder("$HOME/a") == "/home/ann/a")
        #expect(folder("${HOME}") == "/home/ann")
        #expect(folder("$HOMES/a") == "/home/ann/Downloads")
        #expect(folder("/") == "/")
        let file = "# XDG_DOWNLOAD_DIR=\"/no\"\nXDG_MUSIC_DIR=\"/m\"\n XDG_DOWNLOAD_DIR = \"$HOME/Laden\"\n"
        #expect(folder(nil, file) == "/home/ann/Laden")
        #expect(folder("/srv", file) == "/srv")
        for line in [
            "XDG_DOWNLOAD_DIR=/bare", "XDG_DOWNLOAD_DIR", "XDG_DOWNLOAD_DIR=\"/open", "XDG_DOWNLOAD_DIR=\"rel\"",
        ] {
            #expect(folder(nil, line) == "/home/ann/Downloads", "\(line)")
        }
        #expect(folder(nil, "XDG_DOWNLOAD_DIR=\"rel\"\nXDG_DOWNLOAD_DIR=\"/x\"") == "/x")
    }

    @Test func eachFailureOfTheDiskHasItsCodeAndAdvice() {
        for (number, code, words) in [
            (ENOSPC, DownloadError.Code.insufficientDiskSpace, "some space,"),
            (EDQUOT, .insufficientDiskSpace, "quota"),
            (EEXIST, .fileExists, "another name"), (EROFS, .fileSystem, "read-only"),
            (EACCES, .fileSystem, "allow this program"),
            (EPERM, .fileSystem, "allow this program"), (ELOOP, .fileSystem, "links"), (ENOTDIR, .fileSystem, "links"),
            (EIO, .fileSystem, "check the disk"), (EMFILE, .fileSystem, "open files"),
            (ENFILE, .fileSystem, "open files"),
            (EFBIG, .fileSystem, "that large"), (ENOENT, .fileSystem, "check the folder"),
        ] {
            let error = DownloadError(DiskFailure(number), "write")
            #expect(error.code == code, "\(number)")
            #expect(error.systemError == number, "\(number)")
            #expect(error.message.contains(words), "\(number)")
            #expect(error.message.hasPrefix("cannot write: "))
        }
    }
}
