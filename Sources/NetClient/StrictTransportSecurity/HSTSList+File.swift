internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The JSON file that stores the list.
struct HSTSFile: StateFile {
    struct Entry: Codable {
        let host: String
        let includesSubdomains: Bool
        let expires: Double
    }

    static let format = "swift-net hsts"
    static let contents = "hosts that require https"

    var format: String = HSTSFile.format
    var version = 1
    let hosts: [Entry]

    init(_ list: HSTSList) {
        hosts = list.entries.map { entry in
            Entry(
                host: entry.host, includesSubdomains: entry.includesSubdomains,
                expires: entry.expires.timeIntervalSince1970)
        }
    }

    var entries: [HSTSList.Entry] {
        hosts.map { entry in
            HSTSList.Entry(
                host: entry.host, includesSubdomains: entry.includesSubdomains,
                expires: Date(timeIntervalSince1970: entry.expires))
        }
    }
}
