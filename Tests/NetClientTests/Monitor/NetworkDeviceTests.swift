#if os(Linux)
import Foundation
import NetCore
import TestSupport
import Testing

@testable import NetClient

/// The data of sysfs about a link, and the monitor's status when it can't run.
@Suite struct NetworkDeviceTests {
    /// Creates a folder like `/sys`, with files by their paths below `class`; paths that end with a slash are folders.
    private func with(_ files: [String: String], _ body: (String) -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in files {
            let file = root.appendingPathComponent("class/" + path)
            try FileManager.default.createDirectory(
                at: path.hasSuffix("/") ? file : file.deletingLastPathComponent(), withIntermediateDirectories: true)
            if !path.hasSuffix("/") { try Data(text.utf8).write(to: file) }
        }
        body(root.path)
    }

    @Test func aDeviceIsToldByItsEventsOrItsFolders() throws {
        let files = [
            "net/a/uevent": "INTERFACE=a\nDEVTYPE=wlan\n", "net/b/phy80211/": "", "net/c/wireless/": "",
            "net/d/uevent": "DEVTYPE=wwan\nINTERFACE=d", "net/e/uevent": "DEVTYPE=bridge\n", "net/f/uevent": "",
            "net/g/uevent": "DEVTYPE=wlan2\n", "net/uevent": "DEVTYPE=wlan\n", "uevent": "DEVTYPE=wlan\n",
            "net/h/uevent": String(repeating: "X=1\n", count: 1000) + "DEVTYPE=wwan\n",
        ]
        try with(files) { root in
            let expected: [(String, NetworkDevice?)] = [
                ("a", .wifi), ("b", .wifi), ("c", .wifi), ("d", .cellular), ("e", nil), ("f", nil), ("g", nil),
                ("h", .cellular), ("none", nil), (".", nil), ("..", nil), ("e/../a", nil),
            ]
            for (name, device) in expected { #expect(NetworkDevice(link: name, sysfs: root) == device, "\(name)") }
        }
    }

    @Test func aMonitorHasTheSystemsSettings() {
        let configuration = NetworkMonitor.Configuration()
        #expect(configuration.settling == .milliseconds(20))
        #expect(configuration.sysfs == "/sys")
        #expect(!VPNCheck().isBypassed)
        #expect(VPNCheck(isBypassed: true).isBypassed)
    }

    @Test func anErrorSaysWhatToDo() {
        for number in [EMFILE, ENFILE, ENOMEM, EAGAIN] {
            let error = NetworkMonitorError(.init(doing: "create a pipe", number: number))
            #expect(error.systemError == number, "\(number)")
            #expect(error.message.contains("Close files"), "\(number)")
            #expect(error.description.hasPrefix("could not create a pipe: "))
        }
        for number in [EPERM, EAFNOSUPPORT] {
            let error = NetworkMonitorError(.init(doing: "open a netlink socket", number: number))
            #expect(error.systemError == number, "\(number)")
            #expect(error.message.contains("AF_NETLINK"), "\(number)")
        }
    }

    @Test func aSocketThatHearsOfNothingHasNothingToTell() throws {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let socket = try NetlinkSocket()
        let isChanged = socket.drain(&buffer)
        #expect(!isChanged)
        // The tables are complete both on the first and on a repeated read.
        let tables = try (0..<2).map { _ in try socket.table(&buffer) }
        #expect(!tables[0].links.isEmpty)
        #expect(tables[0].links == tables[1].links)
        #expect(tables[0].rules == tables[1].rules)
        #expect(tables[0].links.values.allSatisfy { $0.index > 0 && !$0.name.isEmpty })
    }

    @Test func theGroupsAreThoseOfLinksAddressesRoutesAndRules() {
        #expect(NetlinkSocket.changes == 0x405d1)
    }
}
#endif
